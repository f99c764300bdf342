#include "engine/tape/reentrant_checkpoint.h"

#include <utility>

namespace offload {

Tensor checkpointReentrant(Autograd& autograd, Region region, const Tensor& input) {
  auto recording = autograd.record();
  Tensor output;
  {
    const Autograd::NoGraphScope noGraph(autograd);
    output = region(input);
  }
  // The framework's function saves its inputs once its forward has returned.
  input.storage->countAs(MemoryPart::layerInputs);
  recording.save(input);
  return recording.finish(output, {input},
                          [&autograd, region = std::move(region)](const Tensor& gradOutput, std::vector<SavedSlot>& saved) {
                            const Tensor leaf = autograd.asLeaf(saved[0].unpack());
                            const Tensor again = region(leaf);
                            autograd.backward(again, gradOutput);
                            return std::vector<Tensor>{autograd.takeGradient(leaf)};
                          });
}

}  // namespace offload
