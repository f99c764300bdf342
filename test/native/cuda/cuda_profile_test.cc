#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cpu/cpu_device.h"
#include "cuda/cuda_device.h"
#include "engine_fixture.h"
#include "fake_driver.h"

using namespace offload;
using namespace offload::testing;

/*
 * Whole profiles on the CUDA device with the libcuda of fake_cuda/: kernels do nothing there, everything else is as on a GPU.
 */

namespace {

DeviceFactory cudaFactory(const FakeDriver& driver) {
  return [&driver](const std::string&, const std::atomic<bool>& cancelled) -> std::variant<std::unique_ptr<Device>, Problem> {
    try {
      return std::make_unique<CudaDevice>(driver.api(), 0, cancelled, CudaDeviceOptions{.matmul = CudaDeviceOptions::Matmul::own});
    } catch (const EngineError& error) {
      return error.problem();
    }
  };
}

DeviceFactory cpuFactory() {
  return [](const std::string&, const std::atomic<bool>& cancelled) -> std::variant<std::unique_ptr<Device>, Problem> {
    return std::make_unique<CpuDevice>(cancelled);
  };
}

ProfileRequest allStrategies(std::uint32_t steps) {
  ProfileRequest request;
  request.configJson = smallConfig().dump();
  request.seqLens = {16};
  request.steps = steps;
  request.strategies = {"none", "veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"};
  request.gradientCheckpointing = Checkpointing::both;
  return request;
}

}  // namespace

TEST_CASE("every strategy has the CPU's bytes and counters, and leaves nothing behind") {
  FakeDriver driver;
  const Json gpu = profileJson(allStrategies(3), cudaFactory(driver));
  const Json cpu = profileJson(allStrategies(3), cpuFactory());
  REQUIRE(gpu["device"]["kind"] == "cuda");
  REQUIRE(gpu["runs"].size() == cpu["runs"].size());
  for (std::size_t i = 0; i < gpu["runs"].size(); ++i) {
    const Json& one = gpu["runs"][i];
    const Json& other = cpu["runs"][i];
    INFO(one["strategy"] << ", checkpointing " << one["gradientCheckpointing"]);
    for (const char* figure : {"strategy", "gradientCheckpointing", "staticBytes", "afterForwardBytes", "peakBytes", "scratchBytes", "pool",
                               "hostAllocator", "pinnedPeakBytes"}) {
      CHECK(one[figure] == other[figure]);
    }
    for (const char* direction : {"d2h", "h2d"}) {
      CHECK(one["copies"][direction]["count"] == other["copies"][direction]["count"]);
      CHECK(one["copies"][direction]["bytes"] == other["copies"][direction]["bytes"]);
    }
  }
  CHECK(driver.live() == 0);
}

TEST_CASE("memory that cannot be pinned is a warning, not the end") {
  FakeDriver driver;
  driver.fail("cuMemHostAlloc", 1, cuda::result::outOfMemory, true);
  ProfileRequest request = allStrategies(2);
  request.strategies = {"veomni_async"};
  request.gradientCheckpointing = Checkpointing::on;
  const Json result = profileJson(request, cudaFactory(driver));
  REQUIRE(result.contains("runs"));
  bool isSaid = false;
  for (const Json& warning : result["warnings"]) isSaid = isSaid || warning["code"] == "PINNING_FAILED";
  CHECK(isSaid);
  CHECK(driver.live() == 0);
}

TEST_CASE("a failure at any call of a step is a coded problem and everything is released") {
  FakeDriver driver;
  ProfileRequest request = allStrategies(1);
  request.strategies = {"veomni_async"};
  request.gradientCheckpointing = Checkpointing::on;
  for (const char* entry : {"cuMemAlloc", "cuLaunchKernel", "cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync", "cuEventRecord", "cuEventQuery",
                            "cuStreamQuery", "cuStreamWaitEvent", "cuEventElapsedTime"}) {
    driver.reset();
    profileJson(request, cudaFactory(driver));
    const int calls = driver.calls(entry);
    REQUIRE(calls > 0);
    for (int nth = 1; nth <= calls; nth += 1 + calls / 40) {
      driver.reset();
      driver.fail(entry, nth, cuda::result::illegalAddress, true);
      const Json result = profileJson(request, cudaFactory(driver));
      const std::string what = entry;
      INFO(what << " call " << nth << " of " << calls);
      // The last waits for the streams are those of the device's end, when the result is there.
      const bool isAfterResult = what == "cuStreamQuery" && nth > calls - 4;
      CHECK(result.value("problem", "") == (isAfterResult ? "" : "CUDA_KERNEL_FAULT"));
      CHECK(driver.live() == 0);
    }
  }
}

TEST_CASE("a thousand steps take no more of the driver than ten") {
  FakeDriver driver;
  ProfileRequest request = allStrategies(10);
  request.strategies = {"veomni_async"};
  request.gradientCheckpointing = Checkpointing::on;
  const auto created = [&](std::uint32_t steps) {
    driver.reset();
    request.steps = steps;
    REQUIRE(profileJson(request, cudaFactory(driver)).contains("runs"));
    CHECK(driver.live() == 0);
    return std::vector<int>{driver.calls("cuEventCreate"), driver.calls("cuMemAlloc"), driver.calls("cuMemHostAlloc"), driver.calls("cuStreamCreate")};
  };
  const auto ten = created(10);
  const auto thousand = created(1000);
  CHECK(thousand == ten);
}
