#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/tape/autograd.h"

namespace offload {

/// FSDP2 as one of its ranks sees it: parameters, gradients and optimizer state are split evenly over the ranks; a layer is
/// gathered before it runs and split again after its forward, gathered once more for its backward with the next layer
/// prefetched, and its gradients are reduced and split as soon as they are complete. What belongs to no layer (the root:
/// embedding and final norm) stays gathered from the start of a step to the end of its backward. Collectives run on a
/// stream of their own.
///
/// Needs a device that has ranks (`Device::collective`), which a simulated one alone has.
class ShardedTraining {
 public:
  ShardedTraining(Autograd& autograd, std::uint32_t ranks, std::size_t layers);

  /// This rank's part of a tensor under the layout of the whole.
  Tensor allocatePart(const Layout& whole);
  /// Assigns a parameter to a layer, or to the root.
  void add(std::optional<std::size_t> layer, Parameter& parameter);

  void beginForward();
  /// The hidden states before and after a layer, unchanged: what happens there in forward, and in backward in reverse.
  Tensor enterLayer(std::size_t index, const Tensor& hidden);
  Tensor leaveLayer(std::size_t index, const Tensor& hidden);
  /// The root's gradients, after the whole backward.
  void finishBackward();

 private:
  struct Group {
    std::vector<Parameter*> parameters;
    std::uint64_t wholeBytes = 0;
    Tensor gathered;
    WorkMark ready;
    bool isWaitedFor = false;
  };

  std::size_t root() const { return groups_.size() - 1; }
  void gather(Group& group);
  void waitFor(Group& group);
  void reduce(Group& group);

  Autograd& autograd_;
  Executor& executor_;
  std::uint32_t ranks_;
  std::vector<Group> groups_;      ///< layers, then the root
  DeviceStream gatherStream_;
  DeviceStream reduceStream_;
  Tensor reducing_;                ///< what the last reduction still reads
  WorkMark reduced_;
};

}  // namespace offload
