#pragma once

#include <functional>

#include "engine/tape/autograd.h"

namespace offload {

/// A region of the model as a function of its input; called again for recomputation, so it must be repeatable.
using Region = std::function<Tensor(const Tensor& input)>;

/// Gradient checkpointing as PyTorch's non-reentrant form does it. The region's input is saved through the hooks that are
/// active around the call; inside, every save is dropped. The first dropped tensor that backward asks for runs the region
/// again and stops as soon as as many saves were seen as had been dropped, so that what follows the last of them is not
/// recomputed. Saves that hooks inside the region take never reach the checkpoint.
Tensor checkpoint(Autograd& autograd, Region region, const Tensor& input);

}  // namespace offload
