#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/model/sharding.h"
#include "engine/model/whole_step.h"

namespace offload {

/// FSDP2 with mixed precision, as one of `ranks` sees it: stored parameters of the master type, gathered as bf16, gradients
/// reduced and kept as fp32. Groups are the decoder layers and a root (embedding, final norm, head), which stays gathered from
/// the start of forward to the end of backward. A gather over several ranks goes through a flat buffer that lives until the next
/// group's copy out of its own; a reduction's input lives until the next group's turn. With one rank there is no flat
/// buffer: a group is copied.
class Fsdp2Sharding final : public Sharding {
 public:
  Fsdp2Sharding(Autograd& autograd, const WholeStep& step, std::uint32_t ranks, std::size_t layers);

  Tensor allocatePart(const Layout& whole) override;
  void add(std::optional<std::size_t> layer, Parameter& parameter) override;
  void beginMicroBatch(bool isLast) override { reducesNow_ = isLast || reduce_ == Reduce::each; }
  void beginForward() override;
  void finishBackward() override;
  void closeContext() override;
  void clearGradients() override;

 private:
  struct Group {
    std::vector<Parameter*> parameters;
    std::uint64_t wholeElements = 0;
    std::uint64_t ownElements = 0;
    Tensor flat;        ///< what a gather writes
    Tensor gathered;
    WorkMark ready;
    Tensor deferred;    ///< whole fp32 gradients of micro-batches that were not reduced
    Tensor reduced;     ///< this rank's fp32 gradients
  };

  void beforeLayer(std::size_t index) override;
  void afterLayer(std::size_t index) override { groups_[index].gathered = {}; }
  void beforeLayerBackward(std::size_t index) override;
  void afterLayerBackward(std::size_t index) override { finishGroup(groups_[index]); }

  std::size_t root() const { return groups_.size() - 1; }
  void gather(Group& group);
  void waitFor(Group& group);
  void finishGroup(Group& group);
  void defer(Group& group);
  void reduce(Group& group);
  void dropWholeGradients(Group& group);
  Tensor buffer(std::uint64_t elements, TensorType type, MemoryPart part, StreamId stream = kComputeStream);

  Executor& executor_;
  MasterType master_;
  Reduce reduce_;
  std::uint32_t ranks_;
  bool reducesNow_ = true;
  std::vector<Group> groups_;      ///< layers, then the root
  DeviceStream gatherStream_;
  DeviceStream reduceStream_;
  Tensor lastFlat_;
  Tensor reducing_;                ///< what the last reduction still reads
  WorkMark reducedMark_;
};

}  // namespace offload
