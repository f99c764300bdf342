#include "engine/strategy/verl_groups.h"

#include <stdexcept>

namespace offload {

class VerlGroups::Hooks final : public SavedTensorHooks {
 public:
  explicit Hooks(VerlGroups& owner) : owner_(owner) {}

  std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor) override {
    // The parameter filter: weights are saved by matrix products too, and stay where they are.
    if (tensor.isParameter) return tensor;
    return owner_.pack(tensor);
  }

 private:
  VerlGroups& owner_;
};

VerlGroups::VerlGroups(Autograd& autograd, HostPool& pool, const std::vector<ModuleId>& layers, std::size_t moduleCount)
    : autograd_(autograd),
      pool_(pool),
      layerCount_(layers.size()),
      isLayer_(moduleCount),
      hooks_(std::make_shared<Hooks>(*this)) {
  if (layerCount_ < kLeastVerlLayers) throw std::logic_error("verl does not offload so few layers");
  for (const ModuleId layer : layers) isLayer_[layer] = true;
}

std::shared_ptr<SavedTensorHooks> VerlGroups::enter(ModuleId module, const Tensor*) {
  return isLayer_[module] ? hooks_ : nullptr;
}

Tensor VerlGroups::leave(ModuleId, Tensor output) {
  auto recording = autograd_.record();
  commitForward();
  ++group_;
  return recording.finish(output, {output}, [this](const Tensor& gradOutput, std::vector<SavedSlot>&) {
    --group_;
    commitBackward();
    return std::vector<Tensor>{gradOutput};
  });
}

}  // namespace offload
