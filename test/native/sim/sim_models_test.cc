// What a simulation makes of other models than the recorded ones, and of bad input.
#include <doctest/doctest.h>

#include <limits>

#include "engine/profile/request.h"
#include "sim_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Qwen3-30B-A3B, with fewer layers.
Json mixtureConfig(std::uint32_t layers) {
  return {{"architectures", {"Qwen3MoeForCausalLM"}}, {"model_type", "qwen3_moe"},     {"hidden_size", 2048},
          {"intermediate_size", 6144},                {"moe_intermediate_size", 768},  {"num_experts", 128},
          {"num_experts_per_tok", 8},                 {"num_hidden_layers", layers},   {"num_attention_heads", 32},
          {"num_key_value_heads", 4},                 {"head_dim", 128},               {"vocab_size", 151936},
          {"tie_word_embeddings", false}};
}

Json runOf(const Json& config, const std::string& strategy = "none", Checkpointing checkpointing = Checkpointing::on) {
  ProfileRequest request = simRequest(config, {4096});
  request.strategies = {strategy};
  request.gradientCheckpointing = checkpointing;
  request.steps = 3;
  return profileJson(request, simFactory());
}

bool hasWarning(const Json& result, const std::string& code) {
  for (const Json& warning : result["warnings"]) {
    if (warning["code"] == code) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("experts: all their weights are resident, a token computes with few of them") {
  const Json result = runOf(mixtureConfig(4));
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  const std::uint64_t attention = 2048ull * 128 * (32 + 32 + 4 + 4) + 2 * 128;
  const std::uint64_t experts = 128ull * 3 * 2048 * 768 + 128ull * 2048;
  const std::uint64_t parameters = 4 * (attention + experts + 2 * 2048) + 2ull * 151936 * 2048 + 2048;
  CHECK(result["runs"][0]["staticBytes"] == 2 * parameters);
  CHECK(hasWarning(result, "MODEL_APPROXIMATED"));
  CHECK(result["runs"][0]["exactness"]["bytes"] == "estimated");

  // As many operations as a dense layer of the active width has: 8 experts of 768.
  Json dense = mixtureConfig(4);
  dense["model_type"] = "qwen3";
  dense.erase("num_experts");
  const double sparseMs = result["runs"][0]["stepMs"]["median"];
  const double denseMs = runOf(dense)["runs"][0]["stepMs"]["median"];
  CHECK(sparseMs > denseMs);
  CHECK(sparseMs < 2 * denseMs);
}

TEST_CASE("experts with checkpointing: what is offloaded is the layer input alone") {
  const Json kept = runOf(mixtureConfig(4));
  const Json moved = runOf(mixtureConfig(4), "veomni_async");
  CHECK(overStatic(kept["runs"][0]) - overStatic(moved["runs"][0]) == 3 * 4096 * 2048 * 2);
}

TEST_CASE("dense layers first, and experts that all tokens share") {
  Json config = mixtureConfig(4);
  const std::uint64_t all = runOf(config)["runs"][0]["staticBytes"];
  config["first_k_dense_replace"] = 1;
  const std::uint64_t sparse = 2 * (128ull * 3 * 2048 * 768 + 128ull * 2048);
  CHECK(runOf(config)["runs"][0]["staticBytes"] == all - sparse + 2 * 3ull * 2048 * 6144);
  config = mixtureConfig(4);
  config["shared_expert_intermediate_size"] = 512;
  CHECK(runOf(config)["runs"][0]["staticBytes"] == all + 2 * 4 * 3ull * 2048 * 512);
}

TEST_CASE("vision and language: the language model is exact, the rest is said to be unknown") {
  Json text = qwen3Config(false, 4);
  text["model_type"] = "qwen3_vl_text";
  const Json config = {{"architectures", {"Qwen3VLForConditionalGeneration"}}, {"model_type", "qwen3_vl"}, {"text_config", text},
                       {"vision_config", {{"depth", 27}}}};
  const Json result = runOf(config);
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  CHECK(hasWarning(result, "VISION_UNKNOWN"));
  CHECK_FALSE(hasWarning(result, "MODEL_APPROXIMATED"));
  CHECK(result["runs"][0]["exactness"]["bytes"] == "exact");
  CHECK(overStatic(result["runs"][0]) == overStatic(runOf(qwen3Config(false, 4))["runs"][0]));
}

TEST_CASE("an unknown family is run as the nearest, and says so") {
  Json config = qwen3Config(false, 4);
  config["model_type"] = "of_tomorrow";
  const Json result = runOf(config);
  CHECK(hasWarning(result, "MODEL_APPROXIMATED"));
  CHECK(result["runs"][0]["exactness"]["bytes"] == "estimated");
}

TEST_CASE("a peak beyond the device's memory is an answer, with a warning") {
  ProfileRequest request = simRequest(qwen3Config(true, 36), {8192});
  request.device = "sim:RTX 4090";
  const Json result = profileJson(request, simFactory());
  REQUIRE(result.contains("runs"));
  CHECK(result["runs"][0]["fitsDevice"] == false);
  CHECK(hasWarning(result, "DEVICE_MEMORY_EXCEEDED"));
}

TEST_CASE("every time has a range around it; a step that the host bounds has a wider one") {
  const auto share = [](const Json& config, std::uint32_t seq) {
    const Json run = profileJson(simRequest(config, {seq}), simFactory())["runs"][0];
    CHECK(run["stepMs"]["range"][0] < run["stepMs"]["median"]);
    CHECK(run["stepMs"]["range"][1] > run["stepMs"]["median"]);
    return run["exactness"]["timeShare"].get<double>();
  };
  CHECK(share(qwen3Config(true, 4), 16384) == doctest::Approx(0.08).epsilon(0.05));
  CHECK(share(qwen3Config(false, 4), 512) > 0.15);
}

TEST_CASE("ranks: parameters and optimizer state are divided, a shared sequence divides what is saved") {
  ProfileRequest request = simRequest(qwen3Config(true, 4), {8192});
  request.ranks.optimizerBytes = 8;
  const Json alone = profileJson(request, simFactory())["runs"][0];
  request.ranks.worldSize = 4;
  const Json sharded = profileJson(request, simFactory())["runs"][0];
  const double head = 2.0 * 151936 * 4096;
  const double ratio = (alone["staticBytes"].get<double>() - head) / (sharded["staticBytes"].get<double>() - head);
  CHECK(ratio == doctest::Approx(4).epsilon(0.001));

  request.ranks.sequenceParallel = 4;
  const Json shared = profileJson(request, simFactory())["runs"][0];
  const double root = 2.0 * 151936 * 4096;
  CHECK((static_cast<double>(overStatic(sharded)) - root) / (static_cast<double>(overStatic(shared)) - root) ==
        doctest::Approx(4).epsilon(0.01));
  CHECK(shared["stepMs"]["median"].get<double>() < sharded["stepMs"]["median"].get<double>());
}

TEST_CASE("every strategy runs on ranks, step after step, with a timeline whose dependencies are its own") {
  ProfileRequest request = simRequest(qwen3Config(true, 4), {2048});
  request.strategies = {"none", "veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"};
  request.gradientCheckpointing = Checkpointing::both;
  request.ranks = {8, 2, 8};
  const Json result = profileJson(request, simFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  CHECK(result["runs"].size() == 10);
  for (const Json& run : result["runs"]) {
    const auto samples = run["stepMs"]["samples"].get<std::vector<double>>();
    CHECK(samples.front() == doctest::Approx(samples.back()).epsilon(0.01));
  }
}

TEST_CASE("bad input: a code with the valid range, in no time") {
  const auto problemOf = [](const Json& config) {
    const Json result = runOf(config);
    return result.value("problem", "none") + ": " + result.value("message", "") + " " + result.value("cause", "");
  };
  const auto with = [](const char* member, const Json& value, bool isMixture = false) {
    Json config = isMixture ? mixtureConfig(4) : qwen3Config(false, 4);
    config[member] = value;
    return config;
  };
  for (const Json& layers : {Json(0), Json(-3), Json(std::uint64_t{1} << 40), Json("many"), Json(1.5)}) {
    const std::string problem = problemOf(with("num_hidden_layers", layers));
    CAPTURE(problem);
    CHECK(problem.starts_with("MODEL_DIMENSIONS"));
    CHECK(problem.find("from 1 to 1024") != std::string::npos);
  }
  CHECK(problemOf(with("num_key_value_heads", 3)).find("multiple") != std::string::npos);
  CHECK(problemOf(with("num_experts_per_tok", 129, true)).find("from 1 to the number of experts, 128") != std::string::npos);
  CHECK(problemOf(with("num_experts", std::uint64_t{1} << 40, true)).find("from 1 to 4096") != std::string::npos);
  CHECK(problemOf(with("num_experts_per_tok", 0, true)).starts_with("MODEL_DIMENSIONS"));
  Json absent = qwen3Config(false, 4);
  absent.erase("hidden_size");
  CHECK(problemOf(absent).starts_with("MODEL_DIMENSIONS"));

  ProfileRequest request = simRequest(qwen3Config(false, 4), {4096});
  request.device = "sim:H9000";
  const Json unknown = profileJson(request, simFactory());
  CHECK(unknown["problem"] == "DEVICE_UNKNOWN");
  CHECK(unknown["cause"].get<std::string>().find("H200") != std::string::npos);

  const auto codeOf = [](std::uint32_t seq, std::uint32_t world, std::uint32_t shared) {
    ProfileRequest wrong = simRequest(qwen3Config(false, 4), {seq});
    wrong.ranks = {world, shared, 0};
    return profileJson(wrong, simFactory()).value("problem", "none");
  };
  CHECK(codeOf(0, 1, 1) == "REQUEST_INVALID");
  CHECK(codeOf(4096, 0, 1) == "REQUEST_INVALID");
  CHECK(codeOf(4096, 70000, 1) == "REQUEST_INVALID");
  CHECK(codeOf(4096, 4, 3) == "REQUEST_INVALID");
  CHECK(codeOf(4095, 4, 2) == "REQUEST_INVALID");
  CHECK(codeOf(4096, 32, 32) == "REQUEST_INVALID");
  CHECK(codeOf(4096, 16, 16) == "none");
}

TEST_CASE("several ranks on a device that is alone are refused") {
  ProfileRequest request = simRequest(smallConfig(), {64});
  request.device = "cpu";
  request.ranks.worldSize = 2;
  CHECK(profileJson(request, fakeFactory())["problem"] == "REQUEST_INVALID");
}

TEST_CASE("what needs memory says so for itself on a device without any") {
  ProfileRequest request = simRequest(qwen3Config(false, 2), {256});
  request.dropWaits = {0};
  CHECK(profileJson(request, simFactory())["problem"] == "DROP_WAIT_UNAVAILABLE");
  request.poison = true;
  CHECK(profileJson(request, simFactory())["problem"] == "POISON_UNAVAILABLE");
}
