#include "cuda/driver_api.h"

#include <utility>

#include "cuda/driver_problem.h"

namespace offload::cuda {
namespace {

/// Serves PTX 7.0, the oldest that our kernels are stored in (CUDA 11.0, driver 450).
constexpr int kOldestVersion = 11000;

/// Binds every entry point; the name of the first that is missing, or null.
const char* bindAll(DriverApi& api) {
  const auto& from = api.library;
  const char* missing = nullptr;
  const auto bind = [&](auto& entry, const char* name) {
    if (missing == nullptr && !bindSymbol(from, name, entry)) missing = name;
  };
  bind(api.init, "cuInit");
  bind(api.driverGetVersion, "cuDriverGetVersion");
  bind(api.getErrorName, "cuGetErrorName");
  bind(api.getErrorString, "cuGetErrorString");
  bind(api.deviceGetCount, "cuDeviceGetCount");
  bind(api.deviceGet, "cuDeviceGet");
  bind(api.deviceGetName, "cuDeviceGetName");
  bind(api.deviceGetAttribute, "cuDeviceGetAttribute");
  bind(api.deviceGetPciBusId, "cuDeviceGetPCIBusId");
  bind(api.primaryContextRetain, "cuDevicePrimaryCtxRetain");
  bind(api.primaryContextRelease, "cuDevicePrimaryCtxRelease_v2");
  bind(api.contextSetCurrent, "cuCtxSetCurrent");
  bind(api.memGetInfo, "cuMemGetInfo_v2");
  bind(api.memAlloc, "cuMemAlloc_v2");
  bind(api.memFree, "cuMemFree_v2");
  bind(api.memHostAlloc, "cuMemHostAlloc");
  bind(api.memFreeHost, "cuMemFreeHost");
  bind(api.memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
  bind(api.memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2");
  bind(api.memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2");
  bind(api.memsetD8Async, "cuMemsetD8Async");
  bind(api.streamCreate, "cuStreamCreate");
  bind(api.streamDestroy, "cuStreamDestroy_v2");
  bind(api.streamQuery, "cuStreamQuery");
  bind(api.streamWaitEvent, "cuStreamWaitEvent");
  bind(api.eventCreate, "cuEventCreate");
  bind(api.eventDestroy, "cuEventDestroy_v2");
  bind(api.eventRecord, "cuEventRecord");
  bind(api.eventQuery, "cuEventQuery");
  bind(api.eventElapsedTime, "cuEventElapsedTime");
  bind(api.moduleLoadDataEx, "cuModuleLoadDataEx");
  bind(api.moduleUnload, "cuModuleUnload");
  bind(api.moduleGetFunction, "cuModuleGetFunction");
  bind(api.functionSetAttribute, "cuFuncSetAttribute");
  bind(api.launchKernel, "cuLaunchKernel");
  return missing;
}

Problem tooOld(const std::string& cause) {
  return {"CUDA_DRIVER_TOO_OLD", "The NVIDIA driver is too old for the CUDA device.", cause,
          "Install a driver of version 450 or newer (CUDA 11.0), or use the device cpu or sim:NAME."};
}

/// Every driver has cuInit since the first one.
Problem noDriver(const std::string& shown) {
  return {"CUDA_DRIVER_FOREIGN", "The library that was loaded is no CUDA driver.", shown + " has no cuInit.",
          "Set OFFLOAD_LENS_LIBCUDA to the libcuda.so.1 of the NVIDIA driver or unset it, or use the device cpu or sim:NAME."};
}

}  // namespace

std::vector<LibraryPath> driverPaths() {
  const std::string chosen = environmentValue("OFFLOAD_LENS_LIBCUDA");
  if (!chosen.empty()) return {{chosen, "the library that OFFLOAD_LENS_LIBCUDA names"}};
  return {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"};
}

std::variant<std::shared_ptr<const DriverApi>, Problem> loadDriver(const std::vector<LibraryPath>& paths) {
  const LoadedLibrary loaded = loadLibrary(paths);
  if (!loaded.handle) {
    return Problem{"CUDA_DRIVER_ABSENT", "There is no NVIDIA driver to load.", "Tried: " + joined(loaded.attempts) + ".",
                   "(1) Check with nvidia-smi that this machine has an NVIDIA GPU and its driver. (2) In a container, start it with "
                   "the GPU passed through (--gpus all). (3) Set OFFLOAD_LENS_LIBCUDA to the libcuda.so.1 to load. (4) Without a "
                   "GPU use the device cpu or sim:NAME."};
  }
  auto api = std::make_shared<DriverApi>();
  api->library = loaded.handle;
  if (const char* missing = bindAll(*api)) {
    return std::string_view(missing) == "cuInit" ? noDriver(loaded.shown) : tooOld(loaded.shown + " has no " + missing + ".");
  }
  if (const Result failed = api->init(0); failed != result::success) return driverProblem(*api, failed, "cuInit");
  api->driverGetVersion(&api->version);
  if (api->version < kOldestVersion) {
    return tooOld(loaded.shown + " serves CUDA " + std::to_string(api->version / 1000) + "." + std::to_string(api->version % 1000 / 10) + ".");
  }
  return std::shared_ptr<const DriverApi>(std::move(api));
}

}  // namespace offload::cuda
