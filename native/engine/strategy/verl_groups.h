#pragma once

#include <vector>

#include "engine/strategy/strategy.h"

namespace offload {

/// The smallest number of wrapped layers with which verl offloads.
inline constexpr std::size_t kLeastVerlLayers = 3;

/// What verl's two handlers share (facts: offload semantics, section B): hooks around each decoder layer, a marker at its end
/// that counts groups up in forward and down in backward, and verl's own reentrant checkpointing. Group i holds what layer i
/// saves; all groups but the last are offloaded.
class VerlGroups : public Strategy {
 public:
  /// `layers` are the modules that FSDP wraps, in the order in which they run; at least `kLeastVerlLayers`.
  VerlGroups(Autograd& autograd, HostPool& pool, const std::vector<ModuleId>& layers, std::size_t moduleCount);

  std::shared_ptr<SavedTensorHooks> enter(ModuleId module, const Tensor* hiddenStates) final;
  Tensor leave(ModuleId module, Tensor output) final;
  void abandon() noexcept override { group_ = 0; }
  CheckpointForm checkpointForm() const final { return CheckpointForm::reentrant; }

 protected:
  /// A tensor saved inside the current group, which is no parameter.
  virtual std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor) = 0;
  /// The current group has run forward; called before the count goes up.
  virtual void commitForward() {}
  /// The current group is about to run backward; called after the count went down.
  virtual void commitBackward() {}

  Executor& executor() { return autograd_.executor(); }
  HostPool& pool() { return pool_; }
  std::size_t group() const { return group_; }
  std::size_t layerCount() const { return layerCount_; }
  std::size_t offloadedGroups() const { return layerCount_ - 1; }

 private:
  class Hooks;

  Autograd& autograd_;
  HostPool& pool_;
  std::size_t layerCount_;
  std::vector<bool> isLayer_;
  std::shared_ptr<SavedTensorHooks> hooks_;
  std::size_t group_ = 0;
};

}  // namespace offload
