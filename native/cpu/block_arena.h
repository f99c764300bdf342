#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

namespace offload {

/// What device and pinned memory of one CpuDevice may take from the machine together.
class MemoryBudget {
 public:
  /// `limitBytes` bounds the sum of what is taken; `available` tells what the machine has left and is asked for blocks of
  /// kLargeBlockBytes and more.
  MemoryBudget(std::uint64_t limitBytes, std::function<std::uint64_t()> available);

  bool take(std::uint64_t sizeBytes);
  void give(std::uint64_t sizeBytes) noexcept { usedBytes_ -= sizeBytes; }
  std::uint64_t leftBytes() const;

  static constexpr std::uint64_t kLargeBlockBytes = 16U << 20U;

 private:
  std::uint64_t limitBytes_;
  std::uint64_t usedBytes_ = 0;
  std::function<std::uint64_t()> available_;
};

/// Blocks of memory that keep their place: a released block is handed out again to the next request that it fits (at least
/// the size, at most a quarter more) and goes back to the system only by `trim` or the destructor. Released blocks may thus
/// still be read by work in flight. For one thread.
class BlockArena {
 public:
  BlockArena(std::size_t alignment, MemoryBudget& budget);
  ~BlockArena();
  BlockArena(const BlockArena&) = delete;
  BlockArena& operator=(const BlockArena&) = delete;

  /// Null where the budget or the system refuses. A size of 0 counts as 1.
  std::byte* allocate(std::uint64_t sizeBytes);
  /// Addresses that are not allocated are ignored.
  void release(std::byte* address) noexcept;
  /// Gives released blocks back to the system; the caller makes sure that no work in flight uses them.
  void trim() noexcept;
  std::uint64_t releasedBytes() const { return releasedBytes_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept;
  };
  struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::uint64_t sizeBytes = 0;
  };
  std::byte* handOut(Block block);

  std::size_t alignment_;
  MemoryBudget& budget_;
  std::multimap<std::uint64_t, Block> released_;
  std::unordered_map<std::byte*, Block> used_;
  std::uint64_t releasedBytes_ = 0;
};

}  // namespace offload
