#pragma once

#include <map>
#include <utility>

#include "engine/strategy/selection.h"
#include "engine/strategy/strategy.h"

namespace offload {

/// VeOmni's stream-based asynchronous activation offload (facts: offload semantics, section A). One swap stream carries
/// both directions.
class VeomniAsync final : public Strategy {
 public:
  /// `moduleCount` bounds the ids that `enter` will see.
  VeomniAsync(Autograd& autograd, HostPool& pool, const Selection& selection, std::size_t moduleCount);

  std::shared_ptr<SavedTensorHooks> enter(ModuleId module, const Tensor* hiddenStates) override;
  void abandon() noexcept override;
  std::size_t aliveKeys() const override { return swaps_.size(); }

 private:
  class Hooks;
  class Swap;
  class PackedSwap;
  /// `b_n` of the framework: offload index and number of the tensor within it.
  using Key = std::pair<std::size_t, std::size_t>;

  std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor, std::size_t index,
                                                           std::optional<DeviceAddress> hiddenAddress);
  void waitForCopiesOf(std::size_t index);
  void prefetchBelow(std::size_t index);
  void resetCounters();

  Executor& executor_;
  HostPool& pool_;
  std::size_t depth_;
  std::vector<std::optional<std::size_t>> indexOf_;
  DeviceStream swapStream_;

  std::optional<std::size_t> previousIndex_;
  std::map<std::size_t, std::size_t> taken_;   ///< tensors per offload index since the last reset
  std::map<Key, Swap*> swaps_;                 ///< alive keys; the graph owns the swaps
};

}  // namespace offload
