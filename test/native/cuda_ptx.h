#pragma once

#include <cstdint>
#include <string>

#include "cuda/kernel_images.h"

namespace offload::testing {

/// Threads a block of a kernel was compiled for (`.maxntid`), from the PTX in this binary; 0 where no PTX has the kernel.
inline std::uint32_t threadsInPtx(const std::string& kernel) {
  for (const cuda::KernelImage& image : cuda::kernelImages()) {
    if (image.architecture != 0) continue;
    const std::string text(reinterpret_cast<const char*>(image.bytes));
    const auto entry = text.find(".entry " + kernel + "(");
    if (entry == std::string::npos) continue;
    const std::string directive = ".maxntid ";
    const auto threads = text.find(directive, entry);
    return threads == std::string::npos ? 0 : static_cast<std::uint32_t>(std::stoul(text.substr(threads + directive.size(), 8)));
  }
  return 0;
}

}  // namespace offload::testing
