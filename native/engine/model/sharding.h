#pragma once

#include <cstddef>
#include <optional>

#include "engine/tape/autograd.h"

namespace offload {

/// Parameters and gradients spread over ranks, as one of them sees it: what happens around layers and micro-batches.
class Sharding {
 public:
  virtual ~Sharding() = default;

  /// This rank's part of a tensor under the layout of the whole.
  virtual Tensor allocatePart(const Layout& whole) = 0;
  /// Assigns a parameter to a layer, or to the root.
  virtual void add(std::optional<std::size_t> layer, Parameter& parameter) = 0;

  /// `isLast`: of the step.
  virtual void beginMicroBatch(bool isLast) { static_cast<void>(isLast); }
  virtual void beginForward() = 0;
  /// The hidden states before and after a layer, unchanged: what happens there in forward, and in backward in reverse.
  virtual Tensor enterLayer(std::size_t index, const Tensor& hidden) = 0;
  virtual Tensor leaveLayer(std::size_t index, const Tensor& hidden) = 0;
  /// The root's gradients, after the whole backward.
  virtual void finishBackward() = 0;
  /// After a pass without backward: nothing stays gathered.
  virtual void closeContext() {}
  /// After the optimizer's step.
  virtual void clearGradients() {}
};

}  // namespace offload
