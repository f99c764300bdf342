// Which set of saved tensors a model gets, and what is refused.
#include "engine/model/op_model_choice.h"

#include "op_model_fixture.h"

using namespace offload;
using namespace offload::testing;

TEST_CASE("a family that nobody knows gets the nearest set, and the result says so") {
  const Json plain = resultOf(familyConfig("of_tomorrow", 4));
  CHECK(modelOf(plain) == "hf-eager");
  REQUIRE(approximation(plain) != nullptr);
  CHECK(plain["runs"][0]["exactness"]["bytes"] == "estimated");

  Json withLayerNorms = familyConfig("of_tomorrow", 4);
  withLayerNorms["layer_norm_epsilon"] = 1e-5;
  withLayerNorms["activation_function"] = "gelu_new";
  const Json layered = resultOf(withLayerNorms);
  CHECK(modelOf(layered) == "layernorm-gelu-new");
  REQUIRE(approximation(layered) != nullptr);
  CHECK((*approximation(layered))["message"].get<std::string>().find("layer norms, rotary attention and an MLP without a gate") !=
        std::string::npos);
  CHECK(layered["runs"][0]["exactness"]["bytes"] == "estimated");
}

TEST_CASE("an activation that no set knows, and a set that is not the family's: estimates that say why") {
  Json odd = familyConfig("llama", 4);
  odd["hidden_act"] = "of_tomorrow";
  const Json result = resultOf(odd);
  REQUIRE(approximation(result) != nullptr);
  CHECK((*approximation(result))["message"].get<std::string>().find("the activation of_tomorrow runs as silu") != std::string::npos);

  const Json other = resultOf(familyConfig("llama", 4), "gemma-eager");
  REQUIRE(approximation(other) != nullptr);
  CHECK((*approximation(other))["message"].get<std::string>().find("save what gemma-eager saves") != std::string::npos);
  CHECK(other["runs"][0]["exactness"]["bytes"] == "estimated");
}

TEST_CASE("unknown names are refused with the known ones; sets without kernels run on simulated devices only") {
  const Json unknown = resultOf(familyConfig("llama", 4), "of_tomorrow");
  CHECK(unknown["problem"] == "OP_MODEL_UNKNOWN");
  CHECK(unknown["cause"].get<std::string>().find("fused, gemma-eager, hf-eager") != std::string::npos);
  for (const OpModel& model : opModels()) {
    CAPTURE(model.name);
    const Json result = resultOf(familyConfig("llama", 4), model.name, "cpu");
    if (model.name == kDefaultOpModel) {
      CHECK(modelOf(result) == kDefaultOpModel);
    } else {
      CHECK(result["problem"] == "OP_MODEL_SIMULATED_ONLY");
    }
  }
}

TEST_CASE("on a device that computes, families of other sets run as the default, and say so") {
  for (const char* family : {"gemma", "gpt2"}) {
    const Json result = resultOf(familyConfig(family, 4), "", "cpu");
    CHECK(modelOf(result) == kDefaultOpModel);
    CHECK(approximation(result) != nullptr);
  }
}
