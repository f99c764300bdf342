#pragma once

#include <string>

#include "engine/tape/autograd.h"

namespace offload {

/*
 * The operators of a decoder with their backward. Each saves, tensor by tensor and in the same order, what the framework's
 * operators save, although our kernels fuse. Norms and activations, where families and kernels save differently, are in
 * op_model_operators.h. `name` labels the timeline.
 *
 * Shapes: hidden states [batch, seq, width]; heads [batch, seq, heads, headDim].
 */

/// Rows of `table` by token id. Saves the ids.
Tensor embedding(Autograd& autograd, const std::string& name, const Tensor& ids, Parameter& table);

/// Matrix product with a weight [outWidth, inWidth] and a bias or none. Saves the input as a two-dimensional view and the
/// weight, before it computes.
Tensor linear(Autograd& autograd, const std::string& name, const Tensor& input, Parameter& weight, Parameter* bias);

/// cos and sin tables [rows, headDim] for positions that restart every `seq` rows; no gradient.
struct RotaryTensors {
  Tensor cos;
  Tensor sin;
};
RotaryTensors rotaryTables(Executor& executor, ElementType element, std::uint64_t batch, std::uint32_t seq,
                           std::uint32_t headDim, float theta);

/// Rotates every head. Saves views of cos and sin, as the two products of the eager form do.
Tensor rotary(Autograd& autograd, const std::string& name, const Tensor& heads, const RotaryTensors& tables);

/// A copy whose gradient goes to the original.
Tensor copyOf(Autograd& autograd, const Tensor& tensor);

/// [batch, seq, heads, headDim] from fewer heads, each for the queries of its group; on devices without kernels only.
Tensor repeatHeads(Autograd& autograd, const Tensor& tensor, std::uint32_t heads);

/// How attention is told which token sees which.
enum class AttentionMask : std::uint8_t {
  causal,  ///< by a flag
  given,   ///< by a mask over all pairs (a window shorter than the sequence); devices without kernels only
};

/// Causal attention with grouped heads. Saves a given mask, query, key, value, the output and the log-sum-exp. The output is
/// [batch, seq, heads * headDim].
Tensor attention(Autograd& autograd, const std::string& name, const Tensor& query, const Tensor& key, const Tensor& value,
                 AttentionMask mask = AttentionMask::causal);

/// left + right; saves nothing.
Tensor add(Autograd& autograd, const std::string& name, const Tensor& left, const Tensor& right);

/// Mean of squares in fp32. Saves the fp32 copy of its input.
Tensor meanOfSquares(Autograd& autograd, const Tensor& hidden);

}  // namespace offload
