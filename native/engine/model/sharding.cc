#include "engine/model/sharding.h"

namespace offload {

Layout rankPart(const Layout& whole, std::uint32_t ranks) {
  Layout part = whole;
  part.shape[0] = (whole.shape[0] + ranks - 1) / ranks;
  return part;
}

Tensor Sharding::enterLayer(std::size_t index, const Tensor& hidden) {
  beforeLayer(index);
  auto recording = autograd_.record();
  return recording.finish(hidden, {hidden}, [this, index](const Tensor& gradient, std::vector<SavedSlot>&) {
    afterLayerBackward(index);
    return std::vector<Tensor>{gradient};
  });
}

Tensor Sharding::leaveLayer(std::size_t index, const Tensor& hidden) {
  afterLayer(index);
  auto recording = autograd_.record();
  return recording.finish(hidden, {hidden}, [this, index](const Tensor& gradient, std::vector<SavedSlot>&) {
    beforeLayerBackward(index);
    return std::vector<Tensor>{gradient};
  });
}

}  // namespace offload
