#include "engine/tape/checkpoint.h"

#include <optional>
#include <stdexcept>

namespace offload {
namespace {

/// Leaves a region whose remaining work nobody needs. The one exception of the engine that is no failure: like the
/// framework's, it has to pass through operators and module calls that know nothing of checkpointing.
struct RecomputationComplete {};

/// One call of a checkpointed region. Lives as long as a tensor that it dropped can be asked for.
struct Frame {
  Frame(Autograd& autogradOfRegion, Region regionToRepeat, SavedSlot savedInput, std::int32_t layerOfRegion)
      : autograd(autogradOfRegion), region(std::move(regionToRepeat)), input(std::move(savedInput)), layer(layerOfRegion) {}

  Autograd& autograd;
  Region region;
  SavedSlot input;
  std::int32_t layer;
  std::size_t dropped = 0;
  bool isRecomputed = false;
  std::vector<Tensor> recomputed;
};

/// Keeps what the second run of a region saves, for the nodes of the first.
class CollectingHooks final : public SavedTensorHooks {
 public:
  explicit CollectingHooks(Frame& frame) : frame_(frame) {}

  std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor) override {
    frame_.recomputed.push_back(tensor);
    if (frame_.recomputed.size() == frame_.dropped) throw RecomputationComplete{};
    return tensor;
  }

 private:
  Frame& frame_;
};

void recompute(Frame& frame) {
  frame.isRecomputed = true;
  frame.recomputed.reserve(frame.dropped);
  const Tensor input = frame.input.unpack();
  input.storage->countAs(MemoryPart::layerInputs);
  frame.input = SavedSlot(input);
  const LayerScope layerScope(frame.autograd.executor(), frame.layer);
  try {
    const Autograd::HookScope hooks(frame.autograd, std::make_shared<CollectingHooks>(frame));
    frame.region(frame.autograd.asLeaf(input));
  } catch (const RecomputationComplete&) {
    return;
  }
  throw std::logic_error("a checkpointed region saved fewer tensors when it ran again");
}

class DroppedTensor final : public PackedTensor {
 public:
  DroppedTensor(std::shared_ptr<Frame> frame, std::size_t index) : frame_(std::move(frame)), index_(index) {}

  Tensor unpack() override {
    if (!frame_->isRecomputed) recompute(*frame_);
    return std::exchange(frame_->recomputed[index_], Tensor{});
  }

 private:
  std::shared_ptr<Frame> frame_;
  std::size_t index_;
};

class DroppingHooks final : public SavedTensorHooks {
 public:
  explicit DroppingHooks(std::shared_ptr<Frame> frame) : frame_(std::move(frame)) {}

  std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor&) override {
    return std::make_unique<DroppedTensor>(frame_, frame_->dropped++);
  }

 private:
  std::shared_ptr<Frame> frame_;
};

}  // namespace

Tensor checkpoint(Autograd& autograd, Region region, const Tensor& input) {
  input.storage->countAs(MemoryPart::layerInputs);
  SavedSlot savedInput = autograd.save(input);
  auto frame = std::make_shared<Frame>(autograd, std::move(region), std::move(savedInput), autograd.executor().layer());
  const Region& run = frame->region;
  const Autograd::HookScope hooks(autograd, std::make_shared<DroppingHooks>(frame));
  return run(input);
}

}  // namespace offload
