#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>

#include "engine/device/device_decorator.h"

namespace offload {

/// Overwrites device memory that is released, so that work which was not ordered before the release reads or leaves NaN.
///
/// The overwriting is queued on the compute stream at the moment of the release. A schedule that orders every other stream's
/// use of a block before its release, and every later use by another stream behind compute (the rules of
/// `Device::allocate`), is not affected.
class PoisoningDevice final : public DeviceDecorator {
 public:
  using DeviceDecorator::DeviceDecorator;

  DeviceAddress allocate(std::uint64_t sizeBytes, StreamId stream) override;
  void release(DeviceAddress address) noexcept override;

 private:
  std::unordered_map<DeviceAddress, std::uint64_t> sizeBytes_;
};

/// The same for host memory that nothing may touch any more: bytes that are NaN in every element type, at once.
void poisonHostMemory(std::span<std::byte> memory);

}  // namespace offload
