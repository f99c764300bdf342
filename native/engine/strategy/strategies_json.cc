#include "engine/strategy/strategies_json.h"

#include <nlohmann/json.hpp>

#include "engine/strategy/strategies.h"

namespace offload {

std::string strategiesJson() {
  nlohmann::ordered_json table;
  for (const StrategyTraits& traits : strategies()) {
    table[traits.name] = {{"framework", traits.framework},       {"description", traits.description},
                          {"runsByDefault", traits.runsByDefault}, {"selectsModules", traits.selectsModules},
                          {"hasCopyKey", traits.hasCopyKey},     {"leastLayers", traits.leastLayers},
                          {"colour", traits.colour},             {"mark", traits.mark}};
  }
  return table.dump(2) + "\n";
}

}  // namespace offload
