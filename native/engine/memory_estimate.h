#pragma once

#include <cstdint>

#include "engine/kernel_calls.h"
#include "engine/model_dimensions.h"

namespace offload {

/// Bytes over `static` after forward by the table of saved tensors (op model `hf-eager`), exact.
struct SavedBytes {
  std::uint64_t perLayer = 0;   ///< without checkpointing
  std::uint64_t layerInput = 0; ///< one x: what a checkpointed layer keeps
  std::uint64_t oncePerModel = 0;
};
SavedBytes savedBytes(const ModelDimensions& dimensions, ElementType element, std::uint64_t batch, std::uint64_t seq);

/// What a run needs at least, generously rounded up: weights, gradients, saved tensors and one layer's temporaries.
/// `hostBytes` is what offloading can move to the host.
struct MemoryNeed {
  std::uint64_t deviceBytes = 0;
  std::uint64_t hostBytes = 0;
};
MemoryNeed estimateNeed(const ModelDimensions& dimensions, ElementType element, std::uint64_t batch, std::uint64_t longestSeq,
                        bool isCheckpointed);

}  // namespace offload
