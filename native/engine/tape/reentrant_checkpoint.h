#pragma once

#include "engine/tape/checkpoint.h"

namespace offload {

/// Gradient checkpointing as PyTorch's reentrant form does it: the region runs without a graph and saves nothing but its
/// input, through the hooks that are active around the call. Its backward runs the whole region again with a graph, outside
/// all hooks, and then that graph's backward.
Tensor checkpointReentrant(Autograd& autograd, Region region, const Tensor& input);

}  // namespace offload
