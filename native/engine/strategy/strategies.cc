#include "engine/strategy/strategies.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "engine/strategy/save_on_cpu.h"
#include "engine/strategy/selection.h"
#include "engine/strategy/veomni_async.h"
#include "engine/strategy/verl_double_buffer.h"
#include "engine/strategy/verl_sync.h"

namespace offload {
namespace {

std::vector<ModuleId> layersOf(const DecoderModules& modules) {
  std::vector<ModuleId> layers;
  for (const LayerModules& layer : modules.layers) layers.push_back(layer.layer);
  return layers;
}

std::vector<StrategyTraits>& table() {
  static std::vector<StrategyTraits> all = {
      {.name = std::string(kNoOffload),
       .framework = "",
       .description = "keeps everything on the device",
       .runsByDefault = true,
       .colour = "foreground",
       .mark = "circle",
       .make = [](const StrategyParts&) -> std::unique_ptr<Strategy> { return std::make_unique<NoOffload>(); }},
      {.name = "veomni_async",
       .framework = "VeOmni",
       .description = "layer inputs on a swap stream, behind compute",
       .runsByDefault = true,
       .selectsModules = true,
       .toHostStream = "swap",
       .toDeviceStream = "swap",
       .colour = "blue",
       .mark = "triangle",
       .make = [](const StrategyParts& parts) -> std::unique_ptr<Strategy> {
         const auto selected = selectModules(parts.modules.tree, parts.workload.patterns);
         return std::make_unique<VeomniAsync>(parts.autograd, parts.pool, std::get<Selection>(selected),
                                              parts.modules.tree.modules.size());
       }},
      {.name = "verl_sync",
       .framework = "verl",
       .description = "everything that a layer saves, on the compute stream",
       .leastLayers = kLeastVerlLayers,
       .colour = "orange",
       .mark = "square",
       .make = [](const StrategyParts& parts) -> std::unique_ptr<Strategy> {
         return std::make_unique<VerlSync>(parts.autograd, parts.pool, layersOf(parts.modules), parts.modules.tree.modules.size());
       }},
      {.name = "verl_double_buffer",
       .framework = "verl",
       .description = "everything that a layer saves, at most two layers on the device",
       .hasCopyKey = true,
       .leastLayers = kLeastVerlLayers,
       .toHostStream = "d2h",
       .toDeviceStream = "h2d",
       .colour = "purple",
       .mark = "diamond",
       .make = [](const StrategyParts& parts) -> std::unique_ptr<Strategy> {
         return std::make_unique<VerlDoubleBuffer>(parts.autograd, parts.pool, layersOf(parts.modules),
                                                   parts.modules.tree.modules.size(), parts.workload.copyKey);
       }},
      {.name = "save_on_cpu",
       .framework = "PyTorch",
       .description = "every saved tensor, the host waits for each",
       .colour = "green",
       .mark = "cross",
       .make = [](const StrategyParts& parts) -> std::unique_ptr<Strategy> {
         return std::make_unique<SaveOnCpu>(parts.autograd, parts.pool);
       }},
  };
  return all;
}

Problem tooFewLayers(const StrategyTraits& traits, std::size_t layers) {
  return {"TOO_FEW_LAYERS", traits.name + " needs at least " + std::to_string(traits.leastLayers) + " layers.",
          "The model has " + std::to_string(layers) + "; " + traits.framework + " then leaves activation offload off.",
          "Profile more --layers, or another strategy."};
}

}  // namespace

const std::vector<StrategyTraits>& strategies() { return table(); }

const StrategyTraits* findStrategy(std::string_view name) {
  const auto found = std::find_if(table().begin(), table().end(), [&](const StrategyTraits& traits) { return traits.name == name; });
  return found == table().end() ? nullptr : &*found;
}

const StrategyTraits& strategyTraits(std::string_view name) {
  if (const StrategyTraits* traits = findStrategy(name)) return *traits;
  throw std::logic_error("no strategy is called " + std::string(name));
}

std::string strategyNames(std::string_view lastSeparator) {
  std::string names;
  for (const StrategyTraits& traits : table()) {
    if (!names.empty()) names += &traits == &table().back() ? lastSeparator : ", ";
    names += traits.name;
  }
  return names;
}

AddedStrategy::AddedStrategy(StrategyTraits traits) { table().push_back(std::move(traits)); }
AddedStrategy::~AddedStrategy() { table().pop_back(); }

std::optional<Problem> checkStrategy(std::string_view strategy, const Workload& workload) {
  const StrategyTraits& traits = strategyTraits(strategy);
  if (workload.dimensions.layers < traits.leastLayers) return tooFewLayers(traits, workload.dimensions.layers);
  if (!traits.selectsModules) return std::nullopt;
  auto selected = selectModules(decoderModules(workload.dimensions).tree, workload.patterns);
  if (auto* problem = std::get_if<Problem>(&selected)) return std::move(*problem);
  return std::nullopt;
}

std::unique_ptr<Strategy> makeStrategy(std::string_view strategy, const StrategyParts& parts) {
  if (const auto problem = checkStrategy(strategy, parts.workload)) throw EngineError(*problem);
  return strategyTraits(strategy).make(parts);
}

}  // namespace offload
