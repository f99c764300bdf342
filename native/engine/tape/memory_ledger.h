#pragma once

#include <cstdint>
#include <functional>

#include "engine/tape/memory_part.h"

namespace offload {

/// What a piece of device memory counts as.
enum class Account : std::uint8_t {
  live,     ///< what a framework's allocator would report as allocated
  scratch,  ///< memory that our kernels use beyond what a framework would
  batch,    ///< token ids and the loss scalar: not part of any figure
};

/// Counts requested bytes of device memory, in the host's order of calls (as a framework's allocator statistics do).
class MemoryLedger {
 public:
  void add(Account account, MemoryPart part, std::uint64_t sizeBytes);
  void remove(Account account, MemoryPart part, std::uint64_t sizeBytes) noexcept;
  /// Live bytes change what they are for; their sum stays.
  void move(Account account, MemoryPart from, MemoryPart to, std::uint64_t sizeBytes) noexcept;

  /// Starts a new peak measurement from what is live now.
  void resetPeak();

  std::uint64_t liveBytes() const { return liveBytes_; }
  /// Adds up to `liveBytes`.
  const PartUses& liveParts() const { return parts_; }
  std::uint64_t peakBytes() const { return peakBytes_; }
  /// What was live at the first moment of the peak; adds up to `peakBytes`.
  const PartUses& peakParts() const { return peakParts_; }
  std::uint64_t scratchPeakBytes() const { return scratchPeakBytes_; }

  /// Called after each change; where bytes move from one part to another, once for either, with the same sum.
  void onChange(std::function<void(const MemoryChange&)> listener) { listener_ = std::move(listener); }

 private:
  PartUse& use(MemoryPart part) { return parts_[static_cast<std::size_t>(part)]; }
  void tell(MemoryPart part) {
    if (listener_) listener_({liveBytes_, part, use(part).bytes});
  }

  std::uint64_t liveBytes_ = 0;
  std::uint64_t peakBytes_ = 0;
  PartUses parts_{};
  PartUses peakParts_{};
  std::uint64_t scratchBytes_ = 0;
  std::uint64_t scratchPeakBytes_ = 0;
  std::function<void(const MemoryChange&)> listener_;
};

}  // namespace offload
