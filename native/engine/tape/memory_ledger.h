#pragma once

#include <cstdint>
#include <functional>

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
  void add(Account account, std::uint64_t sizeBytes);
  void remove(Account account, std::uint64_t sizeBytes) noexcept;

  /// Starts a new peak measurement from what is live now.
  void resetPeak() { peakBytes_ = liveBytes_; }

  std::uint64_t liveBytes() const { return liveBytes_; }
  std::uint64_t peakBytes() const { return peakBytes_; }
  std::uint64_t scratchPeakBytes() const { return scratchPeakBytes_; }

  /// Called with the live bytes after each change of them.
  void onChange(std::function<void(std::uint64_t liveBytes)> listener) { listener_ = std::move(listener); }

 private:
  std::uint64_t liveBytes_ = 0;
  std::uint64_t peakBytes_ = 0;
  std::uint64_t scratchBytes_ = 0;
  std::uint64_t scratchPeakBytes_ = 0;
  std::function<void(std::uint64_t)> listener_;
};

}  // namespace offload
