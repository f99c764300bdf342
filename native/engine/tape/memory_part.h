#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace offload {

/// What a piece of live device memory is for, in the words of a result's `peak.parts`.
enum class MemoryPart : std::uint8_t {
  parameters,
  gathered,        ///< whole parameters of a group whose parts are spread over ranks
  gradients,
  reduceBuffers,   ///< what a reduction of gradients reads and writes
  optimizerStates,
  layerInputs,     ///< what layers keep for backward: their inputs, without checkpointing all that they save
  recomputed,      ///< of the layer at hand: what it computes, saves and computes again
  logits,
  headTemporaries,
  headGradient,    ///< gradients that the head makes: of logits, of its weight while it computes, of hidden states
  other,
};
inline constexpr std::size_t kMemoryParts = 11;

inline constexpr std::array<std::string_view, kMemoryParts> kMemoryPartNames = {
    "parameters", "gathered", "gradients",       "reduceBuffers", "optimizerStates", "layerInputs",
    "recomputed", "logits",   "headTemporaries", "headGradient",  "other"};

/// Live bytes of one part, and in how many tensors.
struct PartUse {
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;

  friend bool operator==(const PartUse&, const PartUse&) = default;
};
using PartUses = std::array<PartUse, kMemoryParts>;

/// What is live after a change, which concerned one part.
struct MemoryChange {
  std::uint64_t liveBytes = 0;
  MemoryPart part = MemoryPart::other;
  std::uint64_t partBytes = 0;

  friend bool operator==(const MemoryChange&, const MemoryChange&) = default;
};

}  // namespace offload
