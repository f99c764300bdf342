#include <doctest/doctest.h>

#include "cpu/available_memory.h"

using namespace offload;

TEST_CASE("MemAvailable is read in kB, from its own line only") {
  CHECK(parseMemAvailable("MemTotal:       100 kB\nMemFree:          5 kB\nMemAvailable:    24000 kB\n") == 24000 * 1024);
  CHECK(parseMemAvailable("MemAvailable: 7") == 7 * 1024);
  CHECK(parseMemAvailable("NotMemAvailable: 7 kB\n") == std::nullopt);
  CHECK(parseMemAvailable("MemAvailable:\nMemFree: 5 kB\n") == std::nullopt);
  CHECK(parseMemAvailable("MemAvailable: 18446744073709551615 kB") == std::nullopt);
  CHECK(parseMemAvailable("MemAvailable: 99999999999999999999999 kB") == std::nullopt);
  CHECK(parseMemAvailable("") == std::nullopt);
}

TEST_CASE("a group limit of max is none") {
  CHECK(parseGroupLimit("1073741824\n") == std::uint64_t{1} << 30U);
  CHECK(parseGroupLimit("max\n") == std::nullopt);
  CHECK(parseGroupLimit("") == std::nullopt);
}

TEST_CASE("this machine has memory") { CHECK(readAvailableMemory() > 0); }
