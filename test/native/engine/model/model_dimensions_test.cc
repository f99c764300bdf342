#include "engine/model/model_dimensions.h"

#include <doctest/doctest.h>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

ModelDimensions read(const Json& config) {
  const auto outcome = readModelDimensions(config.dump(), std::nullopt);
  if (const auto* problem = std::get_if<Problem>(&outcome)) FAIL(problem->message << " " << problem->cause);
  return std::get<ModelDimensions>(outcome);
}

std::string codeOf(const Json& config) {
  const auto outcome = readModelDimensions(config.dump(), std::nullopt);
  const auto* problem = std::get_if<Problem>(&outcome);
  return problem == nullptr ? "" : problem->code;
}

Json with(const char* name, const Json& value) {
  Json config = smallConfig();
  config[name] = value;
  return config;
}

Json without(const char* name) {
  Json config = smallConfig();
  config.erase(name);
  return config;
}

}  // namespace

TEST_CASE("a plain decoder is read without a warning") {
  const ModelDimensions model = read(smallConfig());
  CHECK(model.hidden == 64);
  CHECK(model.intermediate == 96);
  CHECK(model.layers == 4);
  CHECK(model.heads == 4);
  CHECK(model.keyValueHeads == 2);
  CHECK(model.headDim == 16);
  CHECK(model.vocab == 128);
  CHECK(model.qkNorm);
  CHECK_FALSE(model.tiedEmbeddings);
  CHECK(model.architecture == "Qwen3ForCausalLM");
  CHECK(model.warnings.empty());
}

TEST_CASE("what is absent or null takes its default") {
  CHECK(read(without("head_dim")).headDim == 16);
  CHECK(read(with("head_dim", nullptr)).headDim == 16);
  CHECK(read(without("num_key_value_heads")).keyValueHeads == 4);
  CHECK(read(without("rope_parameters")).ropeTheta == 10000.0f);
  CHECK(read(with("rope_parameters", {{"full_attention", {{"rope_theta", 5e5}}}})).ropeTheta == 5e5f);
}

TEST_CASE("families differ in biases, norms and names") {
  const ModelDimensions qwen2 = read(with("model_type", "qwen2"));
  CHECK(qwen2.queryKeyValueBias);
  CHECK_FALSE(qwen2.outputBias);
  CHECK_FALSE(qwen2.qkNorm);
  Json llama = with("model_type", "llama");
  llama["attention_bias"] = true;
  CHECK(read(llama).outputBias);
  const Json gpt2 = {{"model_type", "gpt2"}, {"architectures", {"GPT2LMHeadModel"}}, {"n_embd", 64}, {"n_layer", 4}, {"n_head", 4}, {"n_inner", nullptr}, {"vocab_size", 128}};
  const ModelDimensions old = read(gpt2);
  CHECK(old.intermediate == 256);
  CHECK(old.tiedEmbeddings);
  CHECK(old.baseName == "transformer");
  CHECK(old.layersName == "h");
  REQUIRE(old.warnings.size() == 1);
  CHECK(old.warnings[0].code == "MODEL_APPROXIMATED");
}

TEST_CASE("a nested text model is read, and what is not run is said") {
  Json text = smallConfig();
  text.erase("architectures");
  text["model_type"] = "qwen2_5_vl_text";
  const Json outer = {{"model_type", "qwen2_5_vl"}, {"architectures", {"Qwen2_5_VLForConditionalGeneration"}}, {"text_config", text}};
  const ModelDimensions model = read(outer);
  CHECK(model.hidden == 64);
  CHECK(model.modelType == "qwen2_5_vl_text");
  CHECK(model.architecture == "Qwen2_5_VLForConditionalGeneration");
  CHECK(model.baseName == "model.language_model");
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].message.find("no vision or audio tower") != std::string::npos);
}

TEST_CASE("experts and other attention are approximated aloud") {
  Json config = with("model_type", "qwen3_moe");
  config["num_experts"] = 8;
  config["layer_types"] = {"full_attention", "sliding_attention"};
  const ModelDimensions model = read(config);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].message.find("experts") != std::string::npos);
  CHECK(model.warnings[0].message.find("sliding-window") != std::string::npos);
  config.erase("intermediate_size");
  config["moe_intermediate_size"] = 32;
  config["num_experts_per_tok"] = 2;
  CHECK(read(config).intermediate == 64);
}

TEST_CASE("absent, wrong and absurd dimensions are refused") {
  for (const char* name : {"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "vocab_size"}) {
    CAPTURE(name);
    CHECK(codeOf(without(name)) == "MODEL_DIMENSIONS");
    for (const Json& value : {Json(0), Json(-1), Json(1.5), Json("64"), Json(1ull << 62), Json(true), Json::array()}) {
      CAPTURE(value.dump());
      CHECK(codeOf(with(name, value)) == "MODEL_DIMENSIONS");
    }
  }
  CHECK(codeOf(with("num_key_value_heads", 3)) == "MODEL_DIMENSIONS");
  CHECK(codeOf(with("head_dim", 15)) == "MODEL_DIMENSIONS");
  CHECK(codeOf(with("rms_norm_eps", -1)) == "MODEL_DIMENSIONS");
  Json indivisible = with("hidden_size", 65);
  indivisible.erase("head_dim");
  CHECK(codeOf(indivisible) == "MODEL_DIMENSIONS");
}

TEST_CASE("a dimension that is written as NaN is said to be no number, not only absent") {
  std::string text = with("hidden_size", 1).dump();
  text.replace(text.find("\"hidden_size\":1"), 15, "\"hidden_size\":NaN");
  const auto outcome = readModelDimensions(text, std::nullopt);
  const auto* problem = std::get_if<Problem>(&outcome);
  REQUIRE(problem != nullptr);
  CHECK(problem->code == "MODEL_DIMENSIONS");
  CHECK(problem->cause.find("NaN") != std::string::npos);
  const auto absent = readModelDimensions(without("hidden_size").dump(), std::nullopt);
  CHECK(std::get<Problem>(absent).cause.find("NaN") == std::string::npos);
}

TEST_CASE("the message names the valid range") {
  const auto outcome = readModelDimensions(with("num_hidden_layers", -3).dump(), std::nullopt);
  CHECK(std::get<Problem>(outcome).message == "num_hidden_layers is -3.");
  CHECK(std::get<Problem>(outcome).cause == "It must be a whole number from 1 to 1024.");
}

TEST_CASE("a nested value in the place of a number is refused, however deep") {
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  for (const char* name : {"hidden_size", "rms_norm_eps"}) {
    CAPTURE(name);
    std::string text = without(name).dump();
    text.insert(1, "\"" + std::string(name) + "\":" + deep + ",");
    const auto outcome = readModelDimensions(text, std::nullopt);
    REQUIRE(std::holds_alternative<Problem>(outcome));
    CHECK(std::get<Problem>(outcome).code == "MODEL_DIMENSIONS");
  }
}

TEST_CASE("numbers that only Python writes leave the rest of the file readable") {
  std::string text = smallConfig().dump();
  text.insert(1, "\"time_step_limit\":[0.0,Infinity],");
  CHECK(std::get<ModelDimensions>(readModelDimensions(text, std::nullopt)).layers == 4);
}

TEST_CASE("the first layers alone") {
  CHECK(std::get<ModelDimensions>(readModelDimensions(smallConfig().dump(), 2)).layers == 2);
  for (const std::uint32_t layers : {0u, 5u, 0xffffffffu}) {
    const auto outcome = readModelDimensions(smallConfig().dump(), layers);
    REQUIRE(std::holds_alternative<Problem>(outcome));
    CHECK(std::get<Problem>(outcome).code == "LAYERS_OUT_OF_RANGE");
    CHECK(std::get<Problem>(outcome).nextStep == "Ask for 1 to 4 layers, or for no number to run all.");
  }
}

TEST_CASE("what is no JSON object is refused, however deep") {
  for (const std::string& text : {std::string(), std::string("{"), std::string("[]"), std::string("\xff\xfe"), std::string(200'000, '[')}) {
    const auto outcome = readModelDimensions(text, std::nullopt);
    REQUIRE(std::holds_alternative<Problem>(outcome));
    CHECK(std::get<Problem>(outcome).code == "MODEL_CONFIG_INVALID");
  }
}

TEST_CASE("names that cannot be shown count as absent") {
  CHECK(read(with("model_type", std::string(500, 'x'))).modelType.empty());
  CHECK(read(with("architectures", {"line\nbreak"})).architecture.empty());
}
