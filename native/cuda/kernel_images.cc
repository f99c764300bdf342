#include "cuda/kernel_images.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace offload::cuda {
namespace {

constexpr int kOldestCapability = 80;
constexpr int kHopper = 90;

/// Machine code runs on its own generation from its version on; sm_90a on 9.0 only.
bool runsOn(const KernelImage& image, int capability) {
  if (image.architecture == 0) return true;
  if (image.architecture == kHopper) return capability == kHopper;
  return image.architecture / 10 == capability / 10 && image.architecture <= capability;
}

Result load(const DriverApi& api, const KernelImage& image, Module& module, std::string& log) {
  std::array<char, 2048> text{};
  int options[] = {jit::errorLog, jit::errorLogBytes};
  void* values[] = {text.data(), reinterpret_cast<void*>(text.size() - 1)};
  const Result outcome = api.moduleLoadDataEx(&module, image.bytes, 2, options, values);
  log = text.data();
  return outcome;
}

}  // namespace

KernelModules::KernelModules(const DriverApi& api, int computeCapability, std::span<const KernelImage> images) : api_(api) {
  if (computeCapability < kOldestCapability) {
    throw EngineError({"CUDA_DEVICE_TOO_OLD", "The GPU is older than the CUDA device supports.",
                       "It has compute capability " + std::to_string(computeCapability / 10) + "." +
                           std::to_string(computeCapability % 10) + "; 8.0 (Ampere) is needed for bf16 tensor cores.",
                       "Use another GPU, or the device cpu or sim:NAME."});
  }
  if (images.empty()) {
    throw EngineError({"CUDA_KERNELS_ABSENT", "This build of the engine has no CUDA kernels.", "It was built without nvcc and without the checked-in PTX.",
                       "Install the released package, or build with nvcc on PATH."});
  }
  std::vector<std::string_view> sources;
  for (const KernelImage& image : images) {
    if (std::find(sources.begin(), sources.end(), image.source) == sources.end()) sources.push_back(image.source);
  }
  for (const std::string_view source : sources) loadSource(source, computeCapability, images);
}

void KernelModules::loadSource(std::string_view source, int computeCapability, std::span<const KernelImage> images) {
  // Machine code first, newest first; PTX last.
  std::vector<KernelImage> fitting;
  bool isForHopperAlone = true;
  for (const KernelImage& image : images) {
    if (image.source != source) continue;
    isForHopperAlone = isForHopperAlone && image.architecture == kHopper;
    if (runsOn(image, computeCapability)) fitting.push_back(image);
  }
  std::sort(fitting.begin(), fitting.end(), [](const auto& a, const auto& b) { return a.architecture > b.architecture; });
  Result last = result::noBinaryForGpu;
  std::string log;
  for (const KernelImage& image : fitting) {
    Module module = nullptr;
    last = load(api_, image, module, log);
    if (last == result::success) {
      modules_.emplace_back(api_, module);
      isHopper_ = isHopper_ || image.architecture == kHopper;
      return;
    }
    if (!isImageRefusal(last)) break;
  }
  if (isForHopperAlone && (fitting.empty() || isImageRefusal(last))) return;
  Problem problem = driverProblem(api_, last, "cuModuleLoadDataEx");
  problem.cause += " Kernels: " + std::string(source) + (log.empty() ? "." : "; " + log);
  throw EngineError(std::move(problem));
}

Function KernelModules::function(std::string_view name) {
  const auto known = functions_.find(name);
  if (known != functions_.end()) return known->second;
  const std::string text(name);
  for (const OwnedModule& module : modules_) {
    Function function = nullptr;
    if (api_.moduleGetFunction(&function, module.get(), text.c_str()) != result::success) continue;
    functions_.emplace(name, function);
    return function;
  }
  throw std::logic_error("no image has the kernel " + text);
}

}  // namespace offload::cuda
