#include "engine/device/counting_device.h"

#include <algorithm>

namespace offload {

DeviceAddress CountingDevice::allocate(std::uint64_t sizeBytes, StreamId) {
  const DeviceAddress address = nextAddress_;
  nextAddress_ += 256;
  sizeBytes_[address] = sizeBytes;
  liveBytes_ += sizeBytes;
  peakBytes_ = std::max(peakBytes_, liveBytes_);
  return address;
}

void CountingDevice::release(DeviceAddress address) noexcept {
  const auto block = sizeBytes_.find(address);
  if (block == sizeBytes_.end()) return;
  liveBytes_ -= block->second;
  sizeBytes_.erase(block);
}

std::optional<HostAddress> CountingDevice::allocatePinned(std::uint64_t sizeBytes) {
  pinnedBytes_ += sizeBytes;
  nextHostAddress_ += 4096;
  return reinterpret_cast<HostAddress>(nextHostAddress_);
}

}  // namespace offload
