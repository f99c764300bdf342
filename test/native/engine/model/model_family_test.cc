#include "engine/model/model_family.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace offload;

TEST_CASE("families of the record have what it says, and the defaults of what it leaves out") {
  const ModelFamily neox = familyOf("gpt_neox");
  CHECK(neox.isPlainDecoder);
  CHECK_FALSE(neox.qkNorm);
  CHECK(neox.queryKeyValueBias);
  CHECK_FALSE(neox.tiedByDefault);
  CHECK(neox.wideMlpByDefault);
  CHECK(neox.baseName == "gpt_neox");
  CHECK(neox.layersName == "layers");
  CHECK(neox.opModel == "fused-layernorm-gelu");
  CHECK(neox.layerForm == LayerForm::parallelTwoNorms);
  CHECK(neox.rotaryShare == 0.25f);

  const ModelFamily gemma = familyOf("gemma3_text");
  CHECK(gemma.layerForm == LayerForm::around);
  CHECK(gemma.fullEvery == 6);
  CHECK(gemma.hasTwoRotaryTables);

  const ModelFamily plain = familyOf("mistral");
  CHECK(plain.modelType == "mistral");
  CHECK(plain.isPlainDecoder);
  CHECK(plain.opModel == kDefaultOpModel);
}

TEST_CASE("an unknown type claims nothing") {
  const ModelFamily unknown = familyOf("never-heard-of");
  CHECK(unknown.modelType.empty());
  CHECK_FALSE(unknown.isPlainDecoder);
  CHECK(unknown.baseName == "model");
  CHECK(unknown.layersName == "layers");
}

// One row of the record is all that the engine needs of a new family.
TEST_CASE("a row more is a family for each of its types") {
  const auto families = parseFamilies(R"({"families": [
    {"modelTypes": ["first", "second"], "isPlainDecoder": true, "baseName": "body", "layerForm": "after", "opModel": "olmo2-eager"}]})");
  REQUIRE(families.size() == 2);
  CHECK(families[0].modelType == "first");
  CHECK(families[1].modelType == "second");
  for (const ModelFamily& family : families) {
    CHECK(family.baseName == "body");
    CHECK(family.layerForm == LayerForm::after);
    CHECK(family.opModel == "olmo2-eager");
  }
}

TEST_CASE("a mistake in the record does not pass") {
  const auto wrong = [](const char* row) {
    CHECK_THROWS_AS(parseFamilies(std::string(R"({"families": [)") + row + "]}"), std::logic_error);
  };
  wrong(R"({"modelTypes": ["a"], "qknorm": true})");
  wrong(R"({"modelTypes": ["a"], "layerForm": "behind"})");
  wrong(R"({"modelTypes": ["a"], "opModel": "no-such"})");
  wrong(R"({"modelTypes": ["a"], "qkNorm": 1})");
  wrong(R"({"modelTypes": ["a", "a"]})");
  wrong(R"({"qkNorm": true})");
  CHECK_THROWS_AS(parseFamilies("{"), std::logic_error);
}
