#include "engine/tape/memory_ledger.h"

#include <algorithm>

namespace offload {

void MemoryLedger::add(Account account, std::uint64_t sizeBytes) {
  if (account == Account::batch) return;
  if (account == Account::scratch) {
    scratchBytes_ += sizeBytes;
    scratchPeakBytes_ = std::max(scratchPeakBytes_, scratchBytes_);
    return;
  }
  liveBytes_ += sizeBytes;
  peakBytes_ = std::max(peakBytes_, liveBytes_);
  if (listener_) listener_(liveBytes_);
}

void MemoryLedger::remove(Account account, std::uint64_t sizeBytes) noexcept {
  if (account == Account::batch) return;
  if (account == Account::scratch) {
    scratchBytes_ -= sizeBytes;
    return;
  }
  liveBytes_ -= sizeBytes;
  if (listener_) listener_(liveBytes_);
}

}  // namespace offload
