#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace offload {

/// How the loss gets the entropy of the distribution over the vocabulary.
enum class Entropy : std::uint8_t { none, eager, chunked, checkpointed, compiled };
enum class OptimizerKind : std::uint8_t { none, adamwFused, adamwForeach, adamwLoop };
/// Type of the stored parameters; optimizer states follow it.
enum class MasterType : std::uint8_t { bf16, fp32 };
enum class Shard : std::uint8_t { none, fsdp2 };
/// After which micro-batches gradients are reduced over the ranks.
enum class Reduce : std::uint8_t { each, last };
enum class Pass : std::uint8_t { train, logprob };

/// The head that computes the mean of squares of the last hidden states instead of logits.
inline constexpr const char* kNoHead = "none";
inline constexpr std::uint32_t kDefaultEntropyChunk = 2048;

/// What a training step does beside the decoder stack: head and loss, micro-batches, clip, optimizer. As it stands, nothing.
struct WholeStep {
  std::string head = kNoHead;              ///< a name of `headNames()`
  Entropy entropy = Entropy::none;
  std::optional<bool> isAutocast;          ///< absent: as the head's framework has it
  std::optional<bool> isLossScaled;        ///< absent: with several micro-batches or ranks
  std::optional<std::uint32_t> headChunk;  ///< rows; absent: those of the head's framework
  std::uint32_t entropyChunk = kDefaultEntropyChunk;
  OptimizerKind optimizer = OptimizerKind::none;
  MasterType master = MasterType::bf16;
  std::optional<Shard> shard;              ///< absent: fsdp2 with several ranks
  Reduce reduce = Reduce::each;
  std::uint32_t accumulation = 1;          ///< micro-batches of one optimizer step
  bool clips = true;                       ///< where there is an optimizer
  Pass pass = Pass::train;

  bool hasHead() const { return head != kNoHead; }
  bool hasOptimizer() const { return optimizer != OptimizerKind::none; }
  /// Neither head nor optimizer: the step of a decoder stack alone.
  bool isStackOnly() const { return !hasHead() && !hasOptimizer(); }

  friend bool operator==(const WholeStep&, const WholeStep&) = default;
};

}  // namespace offload
