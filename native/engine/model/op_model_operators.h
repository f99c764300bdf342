#pragma once

#include <functional>
#include <string>

#include "engine/model/op_model.h"
#include "engine/tape/autograd.h"

namespace offload {

/*
 * The operators whose saved tensors differ between op models: they save what `model` lists, in its order. `model` must live
 * as long as the graph. A device with kernels computes `hf-eager` alone (`OpModel::isComputable`).
 */

/// RMS or layer norm over the last dimension.
Tensor norm(Autograd& autograd, const std::string& name, const Tensor& input, Parameter& weight, float epsilon,
            const OpModel& model);

/// Calls the module of an activation with `activation` as its body.
using ActivationCall = std::function<void(const std::function<void()>& activation)>;

/// act(gate) * up, for instance silu(gate) * up. What the activation saves it saves inside `callActivation`, as the module
/// that it is; where it saves nothing of its own, no such module is called.
Tensor gatedActivation(Autograd& autograd, const std::string& name, const Tensor& gate, const Tensor& up,
                       const ActivationCall& callActivation, const OpModel& model);

/// act(up), without a gate.
Tensor plainActivation(Autograd& autograd, const std::string& name, const Tensor& up, const ActivationCall& callActivation,
                       const OpModel& model);

}  // namespace offload
