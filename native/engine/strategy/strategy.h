#pragma once

#include <cstddef>

#include "engine/model/module_hooks.h"
#include "engine/strategy/host_pool.h"

namespace offload {

/// What an offload strategy does around the modules of a model. Strategies differ in the hooks that they put around
/// module calls; model, tape and recorder are the same for all.
class Strategy : public ModuleHooks {
 public:
  /// Tensors that were moved to the host and are not back yet.
  virtual std::size_t aliveKeys() const { return 0; }
};

/// Keeps everything on the device.
class NoOffload final : public Strategy {};

}  // namespace offload
