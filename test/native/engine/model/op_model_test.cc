// The files of op models as the program reads them.
#include "engine/model/op_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

using namespace offload;

TEST_CASE("every file has its name, a source, saves, and costs of all operators; the default one computes") {
  REQUIRE(opModels().size() >= 7);
  for (const OpModel& model : opModels()) {
    CAPTURE(model.name);
    CHECK(findOpModel(model.name) == &model);
    CHECK(model.source.size() > 40);
    CHECK_FALSE(model.normSaves.empty());
    CHECK_FALSE(model.activations.empty());
    CHECK(model.isComputable == (model.name == kDefaultOpModel));
    for (const std::string& other : model.replaces) CHECK(findOpModel(other) != nullptr);
    const OperatorCosts& costs = model.costs;
    for (const PassCost& cost : {costs.normForward, costs.normBackward, costs.mlpForward, costs.mlpBackward, costs.rotaryForward,
                                 costs.rotaryBackward}) {
      // An element is read once and written once at least.
      CHECK(cost.bytesPerElement >= 4);
      CHECK(cost.operators >= 1);
    }
  }
  CHECK(findOpModel("of_tomorrow") == nullptr);
  CHECK(defaultOpModel().name == "hf-eager");
}

TEST_CASE("an activation picks the set with the same norm and gate that knows it") {
  const OpModel& layered = *findOpModel("layernorm-gelu");
  CHECK(withActivation(layered, "") == &layered);
  CHECK(withActivation(layered, "gelu_pytorch_tanh") == &layered);
  CHECK(withActivation(layered, "gelu_new") == findOpModel("layernorm-gelu-new"));
  CHECK(withActivation(layered, "relu") == findOpModel("layernorm-relu"));
  CHECK(withActivation(defaultOpModel(), "relu") == nullptr);
}

TEST_CASE("a file with a mistake is a bug of the program") {
  CHECK_THROWS_AS(parseOpModel("{"), std::logic_error);
  CHECK_THROWS_AS(parseOpModel("{}"), std::logic_error);
  const std::string text = R"({"name":"x","source":"y","isComputable":false,"activations":[],"timeUncertainty":0,
    "norm":{"kind":"RMS","saves":["inputs"],"forward":{"bytesPerElement":1,"operators":1},
      "backward":{"bytesPerElement":1,"operators":1}},
    "mlp":{"isGated":true,"activationSaves":[],"saves":[],"forward":{"bytesPerElement":1,"operators":1},
      "backward":{"bytesPerElement":1,"operators":1}},
    "rotary":{"forward":{"bytesPerElement":1,"operators":1},
      "backward":{"bytesPerElement":1,"operators":1}}})";
  CHECK_THROWS_WITH_AS(parseOpModel(text), "an op model saves an unknown tensor \"inputs\"", std::logic_error);
}
