#pragma once

#include <string>

#include "engine/tape/autograd.h"

namespace offload {

/*
 * Operators of a layer with experts, in the form of grouped matrix products: tokens are sorted by expert, each product runs once
 * over all experts, and the results are weighted and summed per token. Only memory and time are right: the device must be a
 * simulated one. Routing is taken as balanced.
 *
 * Shapes: hidden states [batch, seq, hidden]; sorted tokens [batch, seq * expertsPerToken, width].
 */

/// Scores of all experts and the choice of some. Saves the scores in fp32 and the indices of the choice. The result stands for
/// the weights of the chosen experts, [batch, seq, expertsPerToken].
Tensor routeTokens(Autograd& autograd, const Tensor& scores, std::uint32_t expertsPerToken);

/// Copies every token once for each of its experts. Saves the indices.
Tensor sortTokens(Autograd& autograd, const Tensor& hidden, std::uint32_t expertsPerToken);

/// Product of each token with the weight of its expert. `weight` holds all experts, [experts * outWidth, inWidth]. Saves the
/// input and the weight. Rows of no expert are masked behind it, and in its gradient.
Tensor expertLinear(Autograd& autograd, const std::string& name, const Tensor& input, Parameter& weight, std::uint32_t outWidth);

/// silu of the first half of the last dimension times its second half. Saves both halves (views of one storage), and silu
/// with `savesActivated`; without, it is computed again in backward.
Tensor gatedHalves(Autograd& autograd, const std::string& name, const Tensor& gateUp, bool savesActivated);

/// Weighted sum over the experts of each token. Saves the experts' results and the weights.
Tensor combineTokens(Autograd& autograd, const Tensor& sorted, const Tensor& weights, std::uint32_t expertsPerToken);

}  // namespace offload
