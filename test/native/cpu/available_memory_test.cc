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

TEST_CASE("pages are read from statm, or nothing") {
  const auto pages = parseMappedPages("7000 300 200 10 0 4000 0\n");
  REQUIRE(pages);
  CHECK(pages->all == 7000);
  CHECK(pages->data == 4000);
  CHECK_FALSE(parseMappedPages("7000 300"));
  CHECK_FALSE(parseMappedPages(""));
  CHECK_FALSE(parseMappedPages("a b c d e f g"));
}

TEST_CASE("a limit of the process is named, and what it leaves") {
  const ProcessLimit limit{.option = "-v", .limitBytes = 300 << 20U, .usedBytes = 100 << 20U};
  CHECK(limit.leftBytes() == 200 << 20U);
  CHECK(ProcessLimit{.option = "-d", .limitBytes = 1, .usedBytes = 2}.leftBytes() == 0);
  CHECK(processLimitText(limit) == "This process may map 300 MiB in all (ulimit -v).");
  CHECK(processLimitText(std::nullopt).empty());
}

TEST_CASE("this machine has memory") { CHECK(readAvailableMemory() > 0); }
