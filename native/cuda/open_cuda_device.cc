#include "cuda/open_cuda_device.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cuda/cuda_device.h"
#include "cuda/driver_api.h"
#include "cuda/shared_library.h"

namespace offload {
namespace {

using namespace cuda;

CudaDeviceOptions optionsFromEnvironment() {
  const std::string matmul = environmentValue("OFFLOAD_LENS_MATMUL");
  CudaDeviceOptions options;
  if (matmul == "own") options.matmul = CudaDeviceOptions::Matmul::own;
  if (matmul == "cublas") options.matmul = CudaDeviceOptions::Matmul::cublas;
  options.isPtxOnly = environmentValue("OFFLOAD_LENS_KERNELS") == "ptx";
  return options;
}

/// Reasons that keep a GPU from being used, the one that the user can change most easily first.
constexpr std::string_view kByHope[] = {"CUDA_DEVICE_BUSY", "DEVICE_OUT_OF_MEMORY", "CUDA_MATMUL_FAILED", "CUDA_IMAGE_REFUSED",
                                        "CUDA_DEVICE_TOO_OLD"};

std::ptrdiff_t rank(const Problem& problem) { return std::find(std::begin(kByHope), std::end(kByHope), problem.code) - std::begin(kByHope); }

}  // namespace

std::variant<std::unique_ptr<Device>, Problem> openCudaDevice(const std::atomic<bool>& cancelled) {
  auto loaded = loadDriver(driverPaths());
  if (auto* problem = std::get_if<Problem>(&loaded)) return std::move(*problem);
  const auto& api = std::get<std::shared_ptr<const DriverApi>>(loaded);
  int count = 0;
  Result counted = api->deviceGetCount(&count);
  if (counted == result::success && count == 0) counted = result::noDevice;
  if (counted != result::success) return driverProblem(*api, counted, "cuDeviceGetCount");

  std::optional<Problem> best;
  for (int index = 0; index < count; ++index) {
    DeviceOrdinal ordinal = 0;
    try {
      check(*api, api->deviceGet(&ordinal, index), "cuDeviceGet");
      return std::make_unique<CudaDevice>(api, ordinal, cancelled, optionsFromEnvironment());
    } catch (const EngineError& error) {
      Problem problem = error.problem();
      if (count > 1) problem.cause += " (GPU " + std::to_string(index) + " of " + std::to_string(count) + ")";
      if (!best || rank(problem) < rank(*best)) best = std::move(problem);
    }
  }
  return *best;
}

}  // namespace offload
