#pragma once

#include <atomic>
#include <memory>
#include <variant>

#include "engine/base/problem.h"
#include "engine/device/device.h"

namespace offload {

/// Opens the first GPU that can be used, in the driver's order (CUDA_VISIBLE_DEVICES decides which are there), or says why none
/// can. OFFLOAD_LENS_MATMUL chooses the matrix products: auto, cublas or own;
/// OFFLOAD_LENS_KERNELS=ptx leaves the machine code aside, as on a GPU newer than this version.
/// Problems: CUDA_DRIVER_ABSENT, CUDA_DRIVER_FOREIGN, CUDA_DRIVER_TOO_OLD, CUDA_DRIVER_MISMATCH, CUDA_NO_DEVICE,
/// CUDA_DEVICE_TOO_OLD, CUDA_DEVICE_BUSY, DEVICE_OUT_OF_MEMORY, CUDA_IMAGE_REFUSED, CUDA_MATMUL_FAILED, CUDA_FAILED.
std::variant<std::unique_ptr<Device>, Problem> openCudaDevice(const std::atomic<bool>& cancelled);

}  // namespace offload
