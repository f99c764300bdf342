#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/problem.h"
#include "engine/model/decoder_model.h"
#include "engine/strategy/strategy.h"
#include "engine/strategy/workload.h"

namespace offload {

/// What a strategy is made of. All of it outlives the strategy.
struct StrategyParts {
  Autograd& autograd;
  HostPool& pool;
  const DecoderModules& modules;
  const Workload& workload;
};

/// Everything that is known about a strategy: the engine, its texts and, by src/core/profile/strategies.json, the editor
/// take it from here. Plain data beside `make`.
struct StrategyTraits {
  std::string name;
  std::string framework;         ///< whose it is; empty for the one that does nothing
  std::string description;       ///< in a few words: what it moves, and who waits
  bool runsByDefault = false;    ///< where nobody names a strategy
  bool selectsModules = false;   ///< takes `activation_offload_modules` and the limit of the host pool
  bool hasCopyKey = false;       ///< takes `CopyKey`
  std::size_t leastLayers = 0;   ///< with fewer its framework leaves offload off
  std::string toHostStream = "compute";    ///< names of the streams that carry its copies
  std::string toDeviceStream = "compute";
  std::string colour;            ///< of a plot: `foreground` or a name of the editor's chart colours
  std::string mark;              ///< of a plot: circle, triangle, square, diamond or cross; each at most once
  std::unique_ptr<Strategy> (*make)(const StrategyParts&) = nullptr;
};

/// The one that offloads nothing, with which the others are compared.
inline constexpr std::string_view kNoOffload = "none";

/// Stands for all of them in a request.
inline constexpr std::string_view kAllStrategies = "all";

/// All strategies that the engine runs, in the order in which lists show them. To add one: a row there, and its files.
const std::vector<StrategyTraits>& strategies();

/// The strategy of that name, or nullptr.
const StrategyTraits* findStrategy(std::string_view name);
/// Of a name that was checked; any other throws std::logic_error.
const StrategyTraits& strategyTraits(std::string_view name);

/// All names in a row. `lastSeparator` stands before the last one.
std::string strategyNames(std::string_view lastSeparator = ", ");

/// One more strategy, behind the others, for as long as this lives; for one thread. A test of what a new row needs.
class AddedStrategy {
 public:
  explicit AddedStrategy(StrategyTraits traits);
  ~AddedStrategy();
  AddedStrategy(const AddedStrategy&) = delete;
  AddedStrategy& operator=(const AddedStrategy&) = delete;
};

/// Why this model cannot run with the strategy (TOO_FEW_LAYERS, SELECTION_EMPTY, SELECTION_TYPE_ERROR), or nothing.
std::optional<Problem> checkStrategy(std::string_view strategy, const Workload& workload);

/// The strategy of a run whose setting `checkStrategy` accepts. Throws EngineError for one that it refuses, std::logic_error
/// for a name that is none.
std::unique_ptr<Strategy> makeStrategy(std::string_view strategy, const StrategyParts& parts);

}  // namespace offload
