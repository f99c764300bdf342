#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/autograd.h"
#include "engine/host_pool.h"
#include "engine/module_tree.h"

namespace offload {

/// What an offload strategy does around the modules of a model. Strategies differ in the hooks that they put around
/// module calls; model, tape and recorder are the same for all.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Called before a module runs. `hiddenStates` is the call's first positional argument or its `hidden_states`, null for
  /// a call that has neither. Returns hooks to put around the call, or null.
  virtual std::shared_ptr<SavedTensorHooks> enter(ModuleId module, const Tensor* hiddenStates) = 0;
  /// Called when a call that had hooks left by an exception.
  virtual void abandon() noexcept {}
  /// Tensors that were moved to the host and are not back yet.
  virtual std::size_t aliveKeys() const { return 0; }
};

/// Keeps everything on the device.
class NoOffload final : public Strategy {
 public:
  std::shared_ptr<SavedTensorHooks> enter(ModuleId, const Tensor*) override { return nullptr; }
};

}  // namespace offload
