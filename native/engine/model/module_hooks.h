#pragma once

#include <cstdint>
#include <memory>

#include "engine/model/module_tree.h"
#include "engine/tape/autograd.h"

namespace offload {

/// Which of PyTorch's two forms of gradient checkpointing a checkpointed run uses.
enum class CheckpointForm : std::uint8_t {
  nonReentrant,  ///< transformers' own
  reentrant,     ///< verl's, in place of it
};

/// What somebody puts around the calls of a model's modules. As it stands: nothing.
class ModuleHooks {
 public:
  virtual ~ModuleHooks() = default;

  /// Hooks around the whole forward and the loss, or null.
  virtual std::shared_ptr<SavedTensorHooks> enterForward() { return nullptr; }
  /// Called before a module runs. `hiddenStates` is the call's first positional argument or its `hidden_states`, null for
  /// a call that has neither. Returns hooks to put around the call, or null.
  virtual std::shared_ptr<SavedTensorHooks> enter(ModuleId, const Tensor*) { return nullptr; }
  /// Called at the end of a module call that had hooks, still inside them; returns what the call gives back.
  virtual Tensor leave(ModuleId, Tensor output) { return output; }
  /// Called when a call that had hooks left by an exception.
  virtual void abandon() noexcept {}

  virtual CheckpointForm checkpointForm() const { return CheckpointForm::nonReentrant; }
};

}  // namespace offload
