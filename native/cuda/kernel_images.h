#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cuda/driver_handles.h"

namespace offload::cuda {

/// One compiled source of native/cuda/kernels inside this binary. The bytes end with a zero that is not counted.
struct KernelImage {
  std::string_view source;   ///< "norm" of norm.cu
  int architecture = 0;      ///< of machine code: 80 or 90 (for 9.0 alone); 0 for PTX, which newer GPUs compile themselves
  const unsigned char* bytes = nullptr;
};

/// All images; which there are depends on whether nvcc was there when this was built.
std::span<const KernelImage> kernelImages();

/// The kernels, loaded for one GPU.
class KernelModules {
 public:
  /// `computeCapability` is 10 * major + minor. Throws CUDA_DEVICE_TOO_OLD below 80, CUDA_IMAGE_REFUSED when the driver takes
  /// no image of some source.
  KernelModules(const DriverApi& api, int computeCapability, std::span<const KernelImage> images);

  /// `name` is a literal: it is kept. Throws std::logic_error for a kernel that no source has.
  Function function(std::string_view name);
  /// The images of machine code for sm_90a are in use.
  bool isHopper() const { return isHopper_; }

 private:
  void loadSource(std::string_view source, int computeCapability, std::span<const KernelImage> images);

  const DriverApi& api_;
  std::vector<OwnedModule> modules_;
  std::unordered_map<std::string_view, Function> functions_;
  bool isHopper_ = false;
};

}  // namespace offload::cuda
