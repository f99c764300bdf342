// What a layer is called with, by family: the record that the module trees use, too.
#include "engine/model/layer_input.h"

#include <doctest/doctest.h>

#include "engine_fixture.h"
#include "sim_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

std::string problemOf(const char* family, const Json& config) {
  try {
    layerInputOf(family, config);
    return {};
  } catch (const EngineError& error) {
    return error.problem().message;
  }
}

/// A small model of a family with residual streams.
Json streamsConfig(const char* family, const char* key, int streams) {
  Json config = smallConfig();
  config["model_type"] = family;
  config[key] = streams;
  return config;
}

Json runOf(const Json& config, const DeviceFactory& factory, std::vector<std::string> strategies) {
  ProfileRequest request;
  request.configJson = config.dump();
  request.seqLens = {64};
  request.microBatch = 2;
  request.steps = 4;
  request.cacheLimitGb = 4.0;
  request.strategies = std::move(strategies);
  return profileJson(request, factory);
}

}  // namespace

TEST_CASE("residual streams are what the configuration says, else the family's default") {
  CHECK(layerInputOf("deepseek_v4", Json::object()).streams == 4);
  CHECK(layerInputOf("deepseek_v4", {{"hc_mult", 2}}).streams == 2);
  CHECK(layerInputOf("hy_v4", {{"hc_mult", 3}}).streams == 3);
  CHECK(layerInputOf("glm5_next_text", {{"hc_mult", nullptr}}).streams == 4);
  CHECK(layerInputOf("qwen4_exp_text", {{"hc_count", 6}, {"hc_mult", 2}}).streams == 6);
  CHECK(layerInputOf("gemma3n_text", {{"altup_num_inputs", 5}}).streams == 5);
  CHECK(layerInputOf("qwen3", Json::object()).streams == 1);
  CHECK(layerInputOf("deepseek_v3", Json::object()).difference.empty());
}

TEST_CASE("one stream is an ordinary layer, and a number of streams that cannot be is refused") {
  CHECK(layerInputOf("deepseek_v4", {{"hc_mult", 1}}).difference.empty());
  for (const Json& wrong : {Json(0), Json(-4), Json(65), Json("4"), Json(2.5), Json::array()}) {
    CAPTURE(wrong.dump());
    CHECK(problemOf("deepseek_v4", {{"hc_mult", wrong}}).starts_with("hc_mult is "));
  }
}

TEST_CASE("streams of a family that nobody recorded, and residuals in fp32, are said") {
  CHECK(layerInputOf("their_model", {{"hc_mult", 8}}).streams == 1);
  CHECK(layerInputOf("their_model", {{"hc_mult", 8}}).difference.find("hc_mult 8") != std::string::npos);
  CHECK(layerInputOf("their_model", {{"altup_num_inputs", 1}}).difference.empty());
  CHECK(layerInputOf("zaya", Json::object()).difference.find("fp32") != std::string::npos);
  CHECK(layerInputOf("mamba2", {{"residual_in_fp32", false}}).difference.empty());
}

TEST_CASE("every copy of a layer's input has all streams") {
  for (const int streams : {1, 2, 3, 4}) {
    CAPTURE(streams);
    const Json result = runOf(streamsConfig("deepseek_v4", "hc_mult", streams), fakeFactory(), {"none", "veomni_async"});
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    const std::uint64_t inputBytes = 2ULL * 64 * streams * 64 * 2;
    const Json& none = result["runs"][0];
    const Json& offloaded = result["runs"][1];
    CHECK(offloaded["copies"]["d2h"]["count"] == 3);
    CHECK(offloaded["copies"]["d2h"]["bytes"] == 3 * inputBytes);
    CHECK(overStatic(none) - overStatic(offloaded) == 3 * inputBytes);
    CHECK(offloaded["pinnedPeakBytes"] == 3 * inputBytes);
    CHECK(result["model"].value("residualStreams", 1) == streams);
  }
}

TEST_CASE("DeepSeek-V4 with 8,192 tokens: 42 inputs of 256 MiB, of which a pool of 4 GiB keeps 16") {
  const Json config = {{"architectures", {"DeepseekV4ForCausalLM"}}, {"model_type", "deepseek_v4"}, {"vocab_size", 129280},
                       {"hidden_size", 4096}, {"moe_intermediate_size", 2048}, {"num_hidden_layers", 43},
                       {"num_attention_heads", 64}, {"num_key_value_heads", 1}, {"head_dim", 512}, {"num_experts_per_tok", 6},
                       {"n_routed_experts", 256}, {"n_shared_experts", 1}, {"hc_mult", 4}};
  ProfileRequest request = simRequest(config, {8192});
  request.strategies = {"none", "veomni_async"};
  request.steps = 5;
  request.cacheLimitGb = 4.0;
  const Json result = profileJson(request, simFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  const Json& offloaded = result["runs"][1];
  CHECK(overStatic(result["runs"][0]) - overStatic(offloaded) == 11'274'289'152);
  CHECK(offloaded["copies"]["d2h"]["count"] == 42);
  CHECK(offloaded["copies"]["d2h"]["bytes"] == 11'274'289'152);
  CHECK(offloaded["pool"]["allocations"] == 42 + 4 * 26);
  CHECK(offloaded["pool"]["reuses"] == 4 * 16);
  CHECK(offloaded["pool"]["evictions"] == 5 * 26);
  CHECK(offloaded["pool"]["drops"] == 0);
  const std::string warning = result["warnings"][0]["message"];
  CHECK(warning.find("all 4 residual streams") != std::string::npos);
}
