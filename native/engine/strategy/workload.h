#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/device/kernel_calls.h"
#include "engine/model/model_dimensions.h"
#include "engine/model/training_ranks.h"
#include "engine/model/whole_step.h"
#include "engine/strategy/copy_key.h"

namespace offload {

/// What all runs of a profile share.
struct Workload {
  ModelDimensions dimensions;
  ElementType element = ElementType::bf16;
  std::vector<std::uint32_t> seqLens;
  std::uint32_t microBatch = 1;
  std::uint32_t packedTokens = 0;          ///< sequences of a packed row have at most so many tokens; 0: rows are sequences
  std::uint32_t steps = 1;
  std::uint32_t warmup = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> patterns;
  std::uint64_t cacheLimitBytes = 0;
  TrainingRanks ranks;
  WholeStep wholeStep;
  CopyKey copyKey = CopyKey::layout;
  bool mayRepeat = false;                  ///< take more than `steps` until the median is stable
  bool isPoisoned = false;                 ///< host memory is overwritten; the device is made to do so by the caller
  std::vector<std::uint32_t> droppedWaits;
};

}  // namespace offload
