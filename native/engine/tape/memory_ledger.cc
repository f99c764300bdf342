#include "engine/tape/memory_ledger.h"

#include <algorithm>

namespace offload {

void MemoryLedger::add(Account account, MemoryPart part, std::uint64_t sizeBytes) {
  if (account == Account::batch) return;
  if (account == Account::scratch) {
    scratchBytes_ += sizeBytes;
    scratchPeakBytes_ = std::max(scratchPeakBytes_, scratchBytes_);
    return;
  }
  liveBytes_ += sizeBytes;
  use(part).bytes += sizeBytes;
  use(part).count += 1;
  if (liveBytes_ > peakBytes_) {
    peakBytes_ = liveBytes_;
    peakParts_ = parts_;
  }
  tell(part);
}

void MemoryLedger::remove(Account account, MemoryPart part, std::uint64_t sizeBytes) noexcept {
  if (account == Account::batch) return;
  if (account == Account::scratch) {
    scratchBytes_ -= sizeBytes;
    return;
  }
  liveBytes_ -= sizeBytes;
  use(part).bytes -= sizeBytes;
  use(part).count -= 1;
  tell(part);
}

void MemoryLedger::move(Account account, MemoryPart from, MemoryPart to, std::uint64_t sizeBytes) noexcept {
  if (account != Account::live) return;
  use(from).bytes -= sizeBytes;
  use(from).count -= 1;
  use(to).bytes += sizeBytes;
  use(to).count += 1;
  tell(from);
  tell(to);
}

void MemoryLedger::resetPeak() {
  peakBytes_ = liveBytes_;
  peakParts_ = parts_;
}

}  // namespace offload
