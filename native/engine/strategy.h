#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/autograd.h"
#include "engine/host_pool.h"
#include "engine/module_tree.h"

namespace offload {

inline constexpr std::string_view kStrategies[] = {"none", "veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"};

/// Stands for all of them in a request.
inline constexpr std::string_view kAllStrategies = "all";

/// The name of a strategy that the engine runs.
constexpr bool isStrategy(std::string_view name) {
  for (const std::string_view known : kStrategies) {
    if (known == name) return true;
  }
  return false;
}

/// Which of PyTorch's two forms of gradient checkpointing a checkpointed run uses.
enum class CheckpointForm : std::uint8_t {
  nonReentrant,  ///< transformers' own
  reentrant,     ///< verl's, in place of it
};

/// What an offload strategy does around the modules of a model. Strategies differ in the hooks that they put around
/// module calls; model, tape and recorder are the same for all.
class Strategy {
 public:
  virtual ~Strategy() = default;

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
  /// Tensors that were moved to the host and are not back yet.
  virtual std::size_t aliveKeys() const { return 0; }
};

/// Keeps everything on the device.
class NoOffload final : public Strategy {};

}  // namespace offload
