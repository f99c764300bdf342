#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/model/sharding.h"

namespace offload {

/// FSDP2 as one of its ranks sees it: parameters, gradients and optimizer state are split evenly over the ranks; a layer is
/// gathered before it runs and split again after its forward, gathered once more for its backward with the next layer
/// prefetched, and its gradients are reduced and split as soon as they are complete. What belongs to no layer (the root:
/// embedding and final norm) stays gathered from the start of a step to the end of its backward. Collectives run on a
/// stream of their own.
///
/// Needs a device that has ranks (`Device::collective`), which a simulated one alone has.
class ShardedTraining final : public Sharding {
 public:
  ShardedTraining(Autograd& autograd, std::uint32_t ranks, std::size_t layers);

  Tensor allocatePart(const Layout& whole) override;
  void add(std::optional<std::size_t> layer, Parameter& parameter) override;

  void beginForward() override;
  void finishBackward() override;

 private:
  struct Group {
    std::vector<Parameter*> parameters;
    std::uint64_t wholeBytes = 0;
    Tensor gathered;
    WorkMark ready;
    bool isWaitedFor = false;
  };

  void beforeLayer(std::size_t index) override;
  void afterLayer(std::size_t index) override { groups_[index].gathered = {}; }
  void beforeLayerBackward(std::size_t index) override;
  void afterLayerBackward(std::size_t index) override { reduce(groups_[index]); }

  std::size_t root() const { return groups_.size() - 1; }
  void gather(Group& group);
  void waitFor(Group& group);
  void reduce(Group& group);

  Executor& executor_;
  std::uint32_t ranks_;
  std::vector<Group> groups_;      ///< layers, then the root
  DeviceStream gatherStream_;
  DeviceStream reduceStream_;
  Tensor reducing_;                ///< what the last reduction still reads
  WorkMark reduced_;
};

}  // namespace offload
