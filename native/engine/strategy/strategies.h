#pragma once

#include <memory>
#include <string_view>

#include "engine/model/decoder_model.h"
#include "engine/strategy/strategy.h"
#include "engine/strategy/workload.h"

namespace offload {

/// Whether a strategy takes `activation_offload_modules` and the cache limit.
bool selectsModules(std::string_view strategy);

/// Why this model cannot run with the strategy (TOO_FEW_LAYERS, SELECTION_EMPTY, SELECTION_TYPE_ERROR), or nothing.
std::optional<Problem> checkStrategy(std::string_view strategy, const Workload& workload);

/// The strategy of a run whose setting `checkStrategy` accepts. Throws EngineError for one that it refuses.
std::unique_ptr<Strategy> makeStrategy(std::string_view strategy, Autograd& autograd, HostPool& pool,
                                       const DecoderModules& modules, const Workload& workload);

}  // namespace offload
