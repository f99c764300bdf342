#include <doctest/doctest.h>

#include <functional>
#include <iostream>

#include "cuda/cuda_device.h"
#include "engine/base/problem.h"

using namespace offload;

/*
 * A kernel that traps on a real GPU. It takes the process's context with it, so nothing else is tested in this process.
 */
TEST_CASE("a kernel that faults is a coded error, and the device still ends") {
  auto loaded = cuda::loadDriver(cuda::driverPaths());
  if (const auto* problem = std::get_if<Problem>(&loaded)) {
    std::cout << "Fault skipped without a GPU: " << problem->code << std::endl;
    return;
  }
  const auto& api = std::get<std::shared_ptr<const cuda::DriverApi>>(loaded);
  const std::atomic<bool> cancelled{false};
  cuda::DeviceOrdinal ordinal = 0;
  REQUIRE(api->deviceGet(&ordinal, 0) == cuda::result::success);
  {
    CudaDevice device(api, ordinal, cancelled, {.faultAtLaunch = 2});
    const StreamId swap = device.createStream("swap");
    const DeviceAddress memory = device.allocate(1U << 20U, kComputeStream);
    const auto pinned = device.allocatePinned(1U << 20U);
    REQUIRE(pinned);
    device.launch(kComputeStream, Memset{memory, 1U << 20U});
    device.launch(kComputeStream, Memset{memory, 1U << 20U});
    const auto codeOf = [](const std::function<void()>& action) {
      try {
        action();
      } catch (const EngineError& error) {
        return error.problem().code;
      }
      return std::string("nothing thrown");
    };
    CHECK(codeOf([&] { device.synchronize(); }) == "CUDA_KERNEL_FAULT");
    CHECK(codeOf([&] { device.copyToHost(swap, *pinned, memory, 1U << 20U); }) == "CUDA_KERNEL_FAULT");
    CHECK(codeOf([&] { device.allocate(64U << 20U, kComputeStream); }).starts_with("CUDA_KERNEL_FAULT"));
    device.destroyStream(swap);
    device.releasePinned(*pinned);
  }
}
