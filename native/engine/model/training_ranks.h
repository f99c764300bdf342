#pragma once

#include <cstdint>

namespace offload {

/// One rank of a training job (FSDP2, Ulysses).
struct TrainingRanks {
  std::uint32_t worldSize = 1;                       ///< ranks that share parameters, gradients and optimizer state
  std::uint32_t sequenceParallel = 1;                ///< of them, ranks that share one sequence
  std::uint32_t optimizerBytes = 0;                  ///< resident optimizer state per trained parameter, e.g. 8 for AdamW in fp32

  friend bool operator==(const TrainingRanks&, const TrainingRanks&) = default;
};

}  // namespace offload
