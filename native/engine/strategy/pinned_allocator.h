#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/tape/executor.h"

namespace offload {

/// A piece of page-locked host memory. `sizeBytes` is what the driver gave: a power of two.
struct PinnedBlock {
  HostAddress address = nullptr;
  std::uint64_t sizeBytes = 0;
};

/// Whether host memory is overwritten once nothing may touch it any more, so that a missing wait shows in the results.
enum class HostPoison : std::uint8_t { off, on };

/// Model of PyTorch's pinned allocator, the layer below the bounded pool: rounds each request up to a power of two, never
/// gives memory back to the driver before its own end, and hands a freed block of the right rounded size to the next
/// request once the copies that used it are done.
class PinnedAllocator {
 public:
  explicit PinnedAllocator(Executor& executor, HostPoison poison = HostPoison::off) : executor_(executor), poison_(poison) {}
  ~PinnedAllocator();
  PinnedAllocator(const PinnedAllocator&) = delete;
  PinnedAllocator& operator=(const PinnedAllocator&) = delete;

  /// A block of at least `sizeBytes`, or nothing if the system refuses to pin that much.
  std::optional<PinnedBlock> allocate(std::uint64_t sizeBytes);
  /// Takes a block back; `lastUse` stands for the last copy that touches it (empty: none pending).
  void free(const PinnedBlock& block, DeviceEvent lastUse);

  std::uint64_t driverAllocations() const { return driverAllocations_; }
  std::uint64_t bytesHeld() const { return bytesHeld_; }

 private:
  struct Pending {
    PinnedBlock block;
    DeviceEvent lastUse;
  };
  void collectFinished();

  Executor& executor_;
  HostPoison poison_;
  std::map<std::uint64_t, std::vector<HostAddress>> kept_;
  std::vector<Pending> pending_;
  std::vector<HostAddress> held_;
  std::uint64_t driverAllocations_ = 0;
  std::uint64_t bytesHeld_ = 0;
};

}  // namespace offload
