#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/warning.h"

namespace offload::cuda {

/// Watches through NVIDIA's management library why the GPU lowers its clocks. Everything is optional: without the library it
/// knows nothing and says nothing.
class ClockWatch {
 public:
  explicit ClockWatch(const std::string& busId, const std::string& libraryPath = "libnvidia-ml.so.1");
  ~ClockWatch();
  ClockWatch(const ClockWatch&) = delete;
  ClockWatch& operator=(const ClockWatch&) = delete;

  /// "580.159.04".
  std::optional<std::string> driverVersion() const;
  /// Asks for the reasons of now.
  void sample();
  /// CLOCKS_THROTTLED where heat, hardware protection or the power limit lowered the clocks in some sample.
  std::vector<Warning> warnings() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  std::uint64_t reasons_ = 0;
  unsigned samples_ = 0;
  unsigned powerSamples_ = 0;
};

}  // namespace offload::cuda
