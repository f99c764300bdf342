#include "cuda/device_memory.h"

#include <algorithm>
#include <iterator>

namespace offload::cuda {
namespace {

constexpr std::uint64_t kBlockBytes = 512;
/// What the driver maps at once.
constexpr std::uint64_t kPageBytes = 2U << 20U;
/// Beyond any GPU; also keeps rounding from wrapping.
constexpr std::uint64_t kAbsurdBytes = std::uint64_t{1} << 47U;

constexpr std::uint64_t roundedUp(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

DeviceMemory::DeviceMemory(const DriverApi& api, std::uint64_t marginBytes, std::uint64_t minimumSegmentBytes)
    : api_(api), marginBytes_(marginBytes), minimumSegmentBytes_(minimumSegmentBytes) {}

std::uint64_t DeviceMemory::driverBytes() const {
  std::size_t freeBytes = 0;
  std::size_t totalBytes = 0;
  check(api_, api_.memGetInfo(&freeBytes, &totalBytes), "cuMemGetInfo");
  return freeBytes > marginBytes_ ? freeBytes - marginBytes_ : 0;
}

std::optional<DevicePointer> DeviceMemory::allocate(std::uint64_t sizeBytes) {
  if (sizeBytes > kAbsurdBytes) return std::nullopt;
  const std::uint64_t size = roundedUp(std::max<std::uint64_t>(1, sizeBytes), kBlockBytes);
  auto fitting = free_.lower_bound({size, 0});
  if (fitting == free_.end()) {
    if (!addSegment(size)) return std::nullopt;
    fitting = free_.lower_bound({size, 0});
  }
  return take(blocks_.find(fitting->second), size);
}

bool DeviceMemory::addSegment(std::uint64_t sizeBytes) {
  const std::uint64_t size = roundedUp(std::max(sizeBytes, minimumSegmentBytes_), kPageBytes);
  if (size > driverBytes()) return false;
  DevicePointer base = 0;
  const Result outcome = api_.memAlloc(&base, size);
  if (outcome == result::outOfMemory) return false;
  check(api_, outcome, "cuMemAlloc");
  segments_.emplace(base, OwnedDeviceMemory(api_, base));
  makeFree(blocks_.emplace(base, Block{size, false, true}).first);
  return true;
}

DevicePointer DeviceMemory::take(Blocks::iterator block, std::uint64_t sizeBytes) {
  auto& [address, about] = *block;
  free_.erase({about.sizeBytes, address});
  cachedBytes_ -= about.sizeBytes;
  about.isFree = false;
  const std::uint64_t rest = about.sizeBytes - sizeBytes;
  if (rest > 0) {
    about.sizeBytes = sizeBytes;
    makeFree(blocks_.emplace(address + sizeBytes, Block{rest, false, false}).first);
  }
  return address;
}

void DeviceMemory::makeFree(Blocks::iterator block) {
  block->second.isFree = true;
  cachedBytes_ += block->second.sizeBytes;
  free_.emplace(block->second.sizeBytes, block->first);
}

void DeviceMemory::release(DevicePointer address) noexcept {
  auto block = blocks_.find(address);
  if (block == blocks_.end() || block->second.isFree) return;
  const auto join = [this](Blocks::iterator left, Blocks::iterator right) {
    left->second.sizeBytes += right->second.sizeBytes;
    blocks_.erase(right);
  };
  const auto forget = [this](Blocks::iterator free) {
    free_.erase({free->second.sizeBytes, free->first});
    cachedBytes_ -= free->second.sizeBytes;
  };
  const auto next = std::next(block);
  if (next != blocks_.end() && next->second.isFree && !next->second.startsSegment) {
    forget(next);
    join(block, next);
  }
  if (!block->second.startsSegment && block != blocks_.begin()) {
    const auto before = std::prev(block);
    if (before->second.isFree) {
      forget(before);
      join(before, block);
      block = before;
    }
  }
  makeFree(block);
}

void DeviceMemory::trim() noexcept {
  for (auto block = blocks_.begin(); block != blocks_.end();) {
    const auto next = std::next(block);
    const bool fillsSegment =
        block->second.isFree && block->second.startsSegment && (next == blocks_.end() || next->second.startsSegment);
    if (fillsSegment) {
      free_.erase({block->second.sizeBytes, block->first});
      cachedBytes_ -= block->second.sizeBytes;
      segments_.erase(block->first);
      blocks_.erase(block);
    }
    block = next;
  }
}

}  // namespace offload::cuda
