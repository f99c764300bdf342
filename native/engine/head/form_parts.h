#pragma once

#include "engine/head/head_form.h"

namespace offload {

/// Transformers' loss over logits of all tokens. `keepsOutput`: the caller holds the model's output, and the logits in it,
/// until backward has ended.
HeadForm eagerLossForm(bool keepsOutput);

/// How verl takes log-probabilities from logits.
enum class LogProbs : std::uint8_t {
  flash,    ///< flash-attn's cross entropy, whose gradient is written over the logits where nobody else needs them
  blocks,   ///< log-softmax of 64 rows at a time
  rows,     ///< of one row at a time
};
/// verl's log-probabilities and entropy from logits of all tokens.
HeadForm fullLogitsForm(LogProbs logProbs, Entropy entropy, bool isAutocast);

/// Heads that take a chunk of rows at once and never hold all logits.
HeadForm chunkLossForm(bool isScaled);
HeadForm ligerForm(bool isScaled);
/// `makesLogitsFirst`: VeOmni's models in their eager branch multiply by the head before they ask for log-probabilities.
HeadForm chunkedLogProbsForm(bool usesEntropy, bool makesLogitsFirst);
HeadForm torchFusedForm(bool usesEntropy);
HeadForm tritonForm();

}  // namespace offload
