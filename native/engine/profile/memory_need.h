#pragma once

#include <atomic>
#include <cstdint>

#include "engine/profile/profile_run.h"

namespace offload {

/// What a run needs at its peak, bytes: device memory (weights, gradients, saved tensors, temporaries, scratch) and host
/// buffers as the pinned allocator rounds them.
struct MemoryNeed {
  std::uint64_t deviceBytes = 0;
  std::uint64_t hostBytes = 0;
};

/// Runs one step of the longest sequence on a device that only counts, so whatever the schedule keeps is in the figure (what
/// hooks inside a checkpointed layer keep, too). Throws EngineError: CANCELLED, or what the strategy refuses.
MemoryNeed memoryNeed(const Workload& workload, const RunSetting& setting, const std::atomic<bool>& cancelled);

}  // namespace offload
