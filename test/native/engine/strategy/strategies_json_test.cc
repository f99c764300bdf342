#include "engine/strategy/strategies_json.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "engine/strategy/strategies.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

TEST_CASE("the editor's copy of the table is fresh; `npm run derive` makes it so") {
  std::ifstream file(OFFLOAD_FIXTURES "/../../src/core/profile/strategies.json");
  std::ostringstream text;
  text << file.rdbuf();
  CHECK(text.str() == strategiesJson());
}

TEST_CASE("every strategy has its own name and its own mark, and the first is the baseline") {
  REQUIRE(strategies().front().name == kNoOffload);
  for (const StrategyTraits& one : strategies()) {
    CAPTURE(one.name);
    CHECK(findStrategy(one.name) == &one);
    CHECK((one.make != nullptr));
    CHECK_FALSE(one.description.empty());
    CHECK(one.framework.empty() == (one.name == kNoOffload));
    for (const StrategyTraits& other : strategies()) CHECK((one.mark != other.mark || &one == &other));
  }
}

namespace {

/// Hooks around the forward that keep what they are given.
class Keeping final : public Strategy {
 public:
  std::shared_ptr<SavedTensorHooks> enterForward() override {
    ++entered;
    return nullptr;
  }
  static inline int entered = 0;
};

StrategyTraits keeping() {
  StrategyTraits traits;
  traits.name = "keeping";
  traits.framework = "Test";
  traits.description = "nothing, and says so";
  traits.leastLayers = 2;
  traits.toHostStream = "side";
  traits.colour = "red";
  traits.mark = "star";
  traits.make = [](const StrategyParts&) -> std::unique_ptr<Strategy> { return std::make_unique<Keeping>(); };
  return traits;
}

}  // namespace

// One row is all that requests, runs, results, messages and the editor's table need of a new strategy.
TEST_CASE("a strategy that is one more row is asked for, run, compared and shown") {
  const AddedStrategy added(keeping());
  ProfileRequest request;
  request.configJson = smallConfig().dump();
  request.strategies = {"keeping"};
  request.seqLens = {8};
  request.steps = 1;
  CHECK_FALSE(checkRequest(request));
  Keeping::entered = 0;
  const Json result = profileJson(request, fakeFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  REQUIRE(result["runs"].size() == 1);
  CHECK(result["runs"][0]["strategy"] == "keeping");
  CHECK(Keeping::entered > 0);
  CHECK(Json::parse(strategiesJson())["keeping"]["mark"] == "star");

  request.layers = 1;
  const Json refused = profileJson(request, fakeFactory());
  CHECK(refused["problem"] == "TOO_FEW_LAYERS");
  CHECK(refused["message"] == "keeping needs at least 2 layers.");

  request.strategies = {"keepin"};
  CHECK(checkRequest(request)->cause.find("save_on_cpu and keeping") != std::string::npos);
  request.strategies = {"all"};
  request.layers = 4;
  CHECK(profileJson(request, fakeFactory())["runs"].size() == strategies().size());
}

TEST_CASE("an added strategy is gone with its scope") {
  CHECK(findStrategy("keeping") == nullptr);
  CHECK_THROWS_AS(strategyTraits("keeping"), std::logic_error);
}
