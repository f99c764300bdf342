#include "engine/strategy/selection.h"

#include <doctest/doctest.h>

#include "engine/model/decoder_model.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Modules of a qwen3 decoder with twelve layers.
const ModuleTree& tree() {
  static const ModuleTree modules = [] {
    Json config = smallConfig();
    config["num_hidden_layers"] = 12;
    return decoderModules(std::get<ModelDimensions>(readModelDimensions(config.dump(), std::nullopt))).tree;
  }();
  return modules;
}

std::vector<std::string> names(const std::vector<std::string>& patterns) {
  const auto selected = selectModules(tree(), patterns);
  if (const auto* problem = std::get_if<Problem>(&selected)) return {problem->code};
  std::vector<std::string> result;
  for (const ModuleId id : std::get<Selection>(selected).entries) result.push_back(tree().modules[id].name);
  return result;
}

std::vector<std::string> layers(std::initializer_list<int> numbers) {
  std::vector<std::string> result;
  for (const int number : numbers) result.push_back("model.layers." + std::to_string(number));
  return result;
}

using Names = std::vector<std::string>;

}  // namespace

// What follows repeats recorded selections of the framework on a Qwen3 model.

TEST_CASE("the group form takes every child and ignores what follows") {
  CHECK(names({"model.layers.{*}"}) == layers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  CHECK(names({"model.layers.{*}.mlp"}) == names({"model.layers.{*}"}));
  CHECK(names({"model.layers.{*},model.embed_tokens"}) == names({"model.layers.{*}"}));
  CHECK(names({"model.layers.{*}{*}"}) == names({"model.layers.{*}"}));
  CHECK(names({"model.layers...{*}"}) == names({"model.layers.{*}"}));
}

TEST_CASE("the glob form compares segment by segment, in the order of named_modules") {
  CHECK(names({"model.layers.?"}) == layers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  CHECK(names({"model.layers.1*"}) == layers({1, 10, 11}));
  CHECK(names({"model.layers.[!0-3]"}) == layers({4, 5, 6, 7, 8, 9}));
  CHECK(names({"model.*"}) == Names{"model.embed_tokens", "model.layers", "model.norm", "model.rotary_emb"});
  CHECK(names({"*"}) == Names{"", "model", "lm_head"});
  CHECK(names({"model.layers.0.*"}) == Names{"model.layers.0.self_attn", "model.layers.0.mlp", "model.layers.0.input_layernorm",
                                             "model.layers.0.post_attention_layernorm"});
}

TEST_CASE("what matches nothing beside something is silent; nothing at all is an error") {
  CHECK(names({"nothing", "lm_head"}) == Names{"lm_head"});
  for (const char* pattern : {"layers.{*}", "{*}", "Model.Layers.*", " model.layers.*", "model.layers.*.", "model..layers.*",
                              "model.layers.01", "model.layers.[0", "model.layers.{0,1}", "transformer.h.{*}"}) {
    CAPTURE(pattern);
    CHECK(names({pattern}) == Names{"SELECTION_EMPTY"});
  }
}

TEST_CASE("a group on a module without length is the framework's TypeError") {
  CHECK(names({"model.{*}"}) == Names{"SELECTION_TYPE_ERROR"});
  CHECK(names({"lm_head", "model.layers.3.{*}"}) == Names{"SELECTION_TYPE_ERROR"});
  const auto selected = selectModules(tree(), {"model.{*}"});
  CHECK(std::get<Problem>(selected).cause == "TypeError: object of type 'Qwen3Model' has no len().");
}

TEST_CASE("an empty list takes the decoder layers") { CHECK(names({}) == names({"model.layers.{*}"})); }

TEST_CASE("only the glob form leaves out what is selected already") {
  CHECK(names({"model.layers.0", "model.layers.*"}).size() == 12);
  CHECK(names({"model.layers.{*}", "model.layers.*"}).size() == 12);
  CHECK(names({"model.layers.*", "model.layers.{*}"}).size() == 24);
  const auto twice = std::get<Selection>(selectModules(tree(), {"model.layers.{*}", "model.layers.{*}"}));
  CHECK(twice.depth() == 24);
  CHECK(twice.effectiveIndex(twice.entries[0]) == 12u);
  CHECK(twice.effectiveIndex(0) == std::nullopt);
}
