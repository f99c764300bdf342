#include "engine/device/poisoning_device.h"

#include <algorithm>
#include <limits>

namespace offload {

DeviceAddress PoisoningDevice::allocate(std::uint64_t sizeBytes, StreamId stream) {
  const DeviceAddress address = inner().allocate(sizeBytes, stream);
  sizeBytes_[address] = sizeBytes;
  return address;
}

void PoisoningDevice::release(DeviceAddress address) noexcept {
  const auto block = sizeBytes_.find(address);
  if (block != sizeBytes_.end()) {
    const std::uint64_t elements = block->second / bytesPerElement(ElementType::bf16);
    try {
      inner().launch(kComputeStream,
                     FillConstant{ElementType::bf16, address, elements, std::numeric_limits<float>::quiet_NaN()});
    } catch (...) {
      // The device has failed; whoever works with it next is told.
    }
    sizeBytes_.erase(block);
  }
  inner().release(address);
}

void poisonHostMemory(std::span<std::byte> memory) { std::fill(memory.begin(), memory.end(), std::byte{0xff}); }

}  // namespace offload
