#include "cpu/block_arena.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace offload {
namespace {

/// Few distinct sizes make reuse likely: multiples of 512 bytes, of 64 KiB above 1 MiB.
constexpr std::uint64_t rounded(std::uint64_t sizeBytes) {
  const std::uint64_t unit = sizeBytes > (1U << 20U) ? 1U << 16U : 512;
  return (std::max<std::uint64_t>(1, sizeBytes) + unit - 1) / unit * unit;
}

/// Beyond any address space; also keeps `rounded` from wrapping.
constexpr std::uint64_t kAbsurdBytes = std::uint64_t{1} << 47U;

}  // namespace

MemoryBudget::MemoryBudget(std::uint64_t limitBytes, std::function<std::uint64_t()> available)
    : limitBytes_(limitBytes), available_(std::move(available)) {}

bool MemoryBudget::take(std::uint64_t sizeBytes) {
  if (sizeBytes > limitBytes_ - usedBytes_) return false;
  if (sizeBytes >= kLargeBlockBytes && sizeBytes > available_()) return false;
  usedBytes_ += sizeBytes;
  return true;
}

std::uint64_t MemoryBudget::leftBytes() const { return std::min(limitBytes_ - usedBytes_, available_()); }

void BlockArena::Free::operator()(std::byte* memory) const noexcept { std::free(memory); }

BlockArena::BlockArena(std::size_t alignment, MemoryBudget& budget) : alignment_(alignment), budget_(budget) {}

BlockArena::~BlockArena() {
  trim();
  for (const auto& [address, block] : used_) budget_.give(block.sizeBytes);
}

std::byte* BlockArena::allocate(std::uint64_t sizeBytes) {
  if (sizeBytes > kAbsurdBytes) return nullptr;
  std::uint64_t size = rounded(sizeBytes);
  const auto fitting = released_.lower_bound(size);
  if (fitting != released_.end() && fitting->first <= size + size / 4) {
    Block block = std::move(fitting->second);
    released_.erase(fitting);
    releasedBytes_ -= block.sizeBytes;
    return handOut(std::move(block));
  }
  size = (size + alignment_ - 1) / alignment_ * alignment_;
  if (!budget_.take(size)) return nullptr;
  Block block{std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(std::aligned_alloc(alignment_, size))), size};
  if (!block.memory) {
    budget_.give(size);
    return nullptr;
  }
  return handOut(std::move(block));
}

std::byte* BlockArena::handOut(Block block) {
  std::byte* const address = block.memory.get();
  used_.emplace(address, std::move(block));
  return address;
}

void BlockArena::release(std::byte* address) noexcept {
  const auto found = used_.find(address);
  if (found == used_.end()) return;
  releasedBytes_ += found->second.sizeBytes;
  const std::uint64_t size = found->second.sizeBytes;
  released_.emplace(size, std::move(found->second));
  used_.erase(found);
}

void BlockArena::trim() noexcept {
  budget_.give(releasedBytes_);
  releasedBytes_ = 0;
  released_.clear();
}

}  // namespace offload
