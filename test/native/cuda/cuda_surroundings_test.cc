#include <doctest/doctest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cuda/clock_watch.h"
#include "cuda/numa_node.h"
#include "fake_driver.h"

using namespace offload;
using namespace offload::testing;

TEST_CASE("the memory node of a GPU comes from sysfs, in lower case, and -1 is none") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("offload-numa-" + std::to_string(::getpid()));
  const auto write = [&](const std::string& bus, const std::string& text) {
    fs::create_directories(folder / bus);
    std::ofstream(folder / bus / "numa_node") << text;
  };
  write("0000:4b:00.0", "1\n");
  write("0000:4c:00.0", "-1\n");
  write("0000:4d:00.0", "nonsense");
  CHECK(cuda::numaNodeOf("0000:4B:00.0", folder.string()) == 1);
  CHECK_FALSE(cuda::numaNodeOf("0000:4C:00.0", folder.string()));
  CHECK_FALSE(cuda::numaNodeOf("0000:4D:00.0", folder.string()));
  CHECK_FALSE(cuda::numaNodeOf("0000:4E:00.0", folder.string()));
  fs::remove_all(folder);
}

TEST_CASE("a preferred node that there is not changes nothing") {
  const cuda::PreferredNode none(std::nullopt);
  const cuda::PreferredNode absurd(63);
  const cuda::PreferredNode outside(100000);
  const cuda::PreferredNode negative(-1);
  std::string memory(1U << 20U, 'x');
  CHECK(memory.back() == 'x');
}

TEST_CASE("the thread's policy is afterwards what it was") {
  int before = -1, during = -1, after = -1;
  cuda::NodeMask nodes{};
  const auto read = [&](int& policy) { return syscall(SYS_get_mempolicy, &policy, nodes.data(), cuda::kMostNodes, nullptr, 0UL) == 0; };
  if (!read(before)) {
    MESSAGE("The system does not tell memory policies here.");
    return;
  }
  {
    const cuda::PreferredNode first(0);
    REQUIRE(read(during));
  }
  REQUIRE(read(after));
  // MPOL_PREFERRED, unless the system lets no policy be set.
  CHECK((during == 1 || during == before));
  CHECK(after == before);
}

TEST_CASE("lower clocks are told with their reasons") {
  FakeDriver driver;
  cuda::ClockWatch watch("0000:00:06.0", OFFLOAD_FAKE_CUDA);
  CHECK(watch.driverVersion() == "123.45");
  driver.throttle(0x1);  // idle is no reason to warn
  watch.sample();
  CHECK(watch.warnings().empty());
  driver.throttle(0x4);
  watch.sample();
  REQUIRE(watch.warnings().size() == 1);
  CHECK(watch.warnings()[0].code == "CLOCKS_THROTTLED");
  CHECK(watch.warnings()[0].message.find("the power limit (1 of 2 samples)") != std::string::npos);
  driver.throttle(0x48);
  watch.sample();
  CHECK(watch.warnings()[0].message.find("heat, the power limit (1 of 3 samples)") != std::string::npos);
}

TEST_CASE("without NVML nothing is known and nothing is said") {
  cuda::ClockWatch watch("0000:00:06.0", "/nonexistent/libnvidia-ml.so.1");
  watch.sample();
  CHECK_FALSE(watch.driverVersion());
  CHECK(watch.warnings().empty());
}
