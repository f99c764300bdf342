#pragma once

#include <atomic>
#include <iostream>
#include <memory>
#include <string>
#include <variant>

#include "cuda/cuda_device.h"
#include "engine/base/problem.h"

namespace offload::testing {

/// The first GPU; null without one, and then `what` is said to be skipped, with the reason. Throws where there is one that cannot run.
inline std::unique_ptr<CudaDevice> openGpu(const std::string& what, CudaDeviceOptions options = {}) {
  static const std::atomic<bool> cancelled{false};
  const auto skip = [&](const Problem& problem) {
    std::cout << what << " skipped without a GPU: " << problem.code << ", " << problem.message << std::endl;
    return nullptr;
  };
  const auto loaded = cuda::loadDriver(cuda::driverPaths());
  if (const auto* problem = std::get_if<Problem>(&loaded)) return skip(*problem);
  const auto& api = std::get<std::shared_ptr<const cuda::DriverApi>>(loaded);
  int count = 0;
  cuda::DeviceOrdinal ordinal = 0;
  if (api->deviceGetCount(&count) != cuda::result::success || count == 0) return skip({"CUDA_NO_DEVICE", "The driver sees no GPU.", "", ""});
  cuda::check(*api, api->deviceGet(&ordinal, 0), "cuDeviceGet");
  auto device = std::make_unique<CudaDevice>(api, ordinal, cancelled, options);
  std::cout << what << " on " << device->info().name << ", matrix products: " << device->info().matmul << std::endl;
  return device;
}

}  // namespace offload::testing
