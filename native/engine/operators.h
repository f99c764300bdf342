#pragma once

#include <functional>
#include <string>

#include "engine/autograd.h"

namespace offload {

/*
 * The operators of a decoder with their backward. Each saves, tensor by tensor and in the same order, what the framework's
 * eager operators save ("hf-eager", facts: saved tensors), although our kernels fuse. `name` labels the timeline.
 *
 * Shapes: hidden states [batch, seq, width]; heads [batch, seq, heads, headDim].
 */

/// Rows of `table` by token id. Saves the ids.
Tensor embedding(Autograd& autograd, const std::string& name, const Tensor& ids, Parameter& table);

/// RMS norm over the last dimension. Saves the fp32 input (by the square and by the product), the reciprocal root (by the
/// root and by the product), the weight and the normalised tensor.
Tensor rmsNorm(Autograd& autograd, const std::string& name, const Tensor& input, Parameter& weight, float epsilon);

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

/// Causal attention with grouped heads. Saves query, key, value, the output and the log-sum-exp. The output is
/// [batch, seq, heads * headDim].
Tensor attention(Autograd& autograd, const std::string& name, const Tensor& query, const Tensor& key, const Tensor& value);

/// silu(gate) * up. The activation is a module of its own, so its save (gate) happens inside `callActivation`; then the
/// product saves silu(gate) and up.
Tensor swiGlu(Autograd& autograd, const std::string& name, const Tensor& gate, const Tensor& up,
              const std::function<void(const std::function<void()>& activation)>& callActivation);

/// left + right; saves nothing.
Tensor add(Autograd& autograd, const std::string& name, const Tensor& left, const Tensor& right);

/// Mean of squares in fp32. Saves the fp32 copy of its input.
Tensor meanOfSquares(Autograd& autograd, const Tensor& hidden);

}  // namespace offload
