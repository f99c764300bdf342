#include "engine/strategy/strategies.h"

#include <string>
#include <utility>

#include "engine/strategy/save_on_cpu.h"
#include "engine/strategy/selection.h"
#include "engine/strategy/veomni_async.h"
#include "engine/strategy/verl_double_buffer.h"
#include "engine/strategy/verl_sync.h"

namespace offload {
namespace {

bool isVerl(std::string_view strategy) { return strategy == "verl_sync" || strategy == "verl_double_buffer"; }

Problem tooFewLayers(std::string_view strategy, std::size_t layers) {
  return {"TOO_FEW_LAYERS", std::string(strategy) + " needs at least " + std::to_string(kLeastVerlLayers) + " layers.",
          "The model has " + std::to_string(layers) + "; verl then leaves activation offload off.",
          "Profile more --layers, or another strategy."};
}

}  // namespace

bool selectsModules(std::string_view strategy) { return strategy == "veomni_async"; }

std::optional<Problem> checkStrategy(std::string_view strategy, const Workload& workload) {
  if (isVerl(strategy) && workload.dimensions.layers < kLeastVerlLayers) {
    return tooFewLayers(strategy, workload.dimensions.layers);
  }
  if (!selectsModules(strategy)) return std::nullopt;
  auto selected = selectModules(decoderModules(workload.dimensions).tree, workload.patterns);
  if (auto* problem = std::get_if<Problem>(&selected)) return std::move(*problem);
  return std::nullopt;
}

std::unique_ptr<Strategy> makeStrategy(std::string_view strategy, Autograd& autograd, HostPool& pool,
                                       const DecoderModules& modules, const Workload& workload) {
  if (const auto problem = checkStrategy(strategy, workload)) throw EngineError(*problem);
  const std::size_t moduleCount = modules.tree.modules.size();
  if (strategy == "veomni_async") {
    const auto selected = selectModules(modules.tree, workload.patterns);
    return std::make_unique<VeomniAsync>(autograd, pool, std::get<Selection>(selected), moduleCount);
  }
  if (strategy == "save_on_cpu") return std::make_unique<SaveOnCpu>(autograd, pool);
  if (!isVerl(strategy)) return std::make_unique<NoOffload>();

  std::vector<ModuleId> layers;
  for (const LayerModules& layer : modules.layers) layers.push_back(layer.layer);
  if (strategy == "verl_sync") return std::make_unique<VerlSync>(autograd, pool, layers, moduleCount);
  return std::make_unique<VerlDoubleBuffer>(autograd, pool, layers, moduleCount, workload.copyKey);
}

}  // namespace offload
