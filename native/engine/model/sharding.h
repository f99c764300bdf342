#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/tape/autograd.h"

namespace offload {

/// What one rank holds of a tensor: split along the first dimension and padded, as FSDP2 does.
Layout rankPart(const Layout& whole, std::uint32_t ranks);

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
  Tensor enterLayer(std::size_t index, const Tensor& hidden);
  Tensor leaveLayer(std::size_t index, const Tensor& hidden);
  /// The root's gradients, after the whole backward.
  virtual void finishBackward() = 0;
  /// After a pass without backward: nothing stays gathered.
  virtual void closeContext() {}
  /// After the optimizer's step.
  virtual void clearGradients() {}

 protected:
  explicit Sharding(Autograd& autograd) : autograd_(autograd) {}

 private:
  virtual void beforeLayer(std::size_t index) = 0;
  virtual void afterLayer(std::size_t index) = 0;
  virtual void beforeLayerBackward(std::size_t index) = 0;
  virtual void afterLayerBackward(std::size_t index) = 0;

  Autograd& autograd_;
};

}  // namespace offload
