#pragma once

#include <cstddef>
#include <string_view>

#include "engine/model/module_hooks.h"
#include "engine/strategy/host_pool.h"

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
