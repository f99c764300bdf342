#include "engine/strategy/pinned_allocator.h"

#include <bit>

#include "engine/device/poisoning_device.h"

namespace offload {

PinnedAllocator::~PinnedAllocator() {
  for (const HostAddress address : held_) executor_.device().releasePinned(address);
}

void PinnedAllocator::collectFinished() {
  std::erase_if(pending_, [this](Pending& pending) {
    if (!pending.lastUse.isReady()) return false;
    if (poison_ == HostPoison::on) poisonHostMemory({pending.block.address, pending.block.sizeBytes});
    kept_[pending.block.sizeBytes].push_back(pending.block.address);
    return true;
  });
}

std::optional<PinnedBlock> PinnedAllocator::allocate(std::uint64_t sizeBytes) {
  const std::uint64_t roundedBytes = std::bit_ceil(sizeBytes);
  collectFinished();
  const auto kept = kept_.find(roundedBytes);
  if (kept != kept_.end() && !kept->second.empty()) {
    const HostAddress address = kept->second.back();
    kept->second.pop_back();
    return PinnedBlock{address, roundedBytes};
  }

  Device& device = executor_.device();
  const double startNs = device.nowNs();
  const std::optional<HostAddress> address = device.allocatePinned(roundedBytes);
  if (!address) return std::nullopt;
  held_.push_back(*address);
  ++driverAllocations_;
  bytesHeld_ += roundedBytes;
  executor_.recorder().hostWork(
      startNs, {Lane::host, EventKind::pinnedAllocation, "pinned allocation", executor_.layer(), roundedBytes, kNoEvent});
  return PinnedBlock{*address, roundedBytes};
}

void PinnedAllocator::free(const PinnedBlock& block, DeviceEvent lastUse) {
  pending_.push_back({block, std::move(lastUse)});
}

}  // namespace offload
