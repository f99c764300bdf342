#pragma once

#include "cuda/driver_api.h"
#include "engine/base/problem.h"

namespace offload::cuda {

/// What a failed call of the driver means for the user. `call` names the entry point.
/// Codes: DEVICE_OUT_OF_MEMORY, CUDA_DRIVER_TOO_OLD, CUDA_DRIVER_MISMATCH, CUDA_NO_DEVICE, CUDA_DEVICE_BUSY,
/// CUDA_KERNEL_FAULT, CUDA_DEVICE_LOST, CUDA_IMAGE_REFUSED, CUDA_FAILED.
Problem driverProblem(const DriverApi& api, Result failed, const char* call);

/// Throws driverProblem unless `outcome` is success.
void check(const DriverApi& api, Result outcome, const char* call);

/// "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2), out of memory".
std::string describeResult(const DriverApi& api, Result failed, const char* call);

/// True for a failure of loading an image that another image may not have.
bool isImageRefusal(Result failed);

}  // namespace offload::cuda
