// Bytes that stay after forward, by hand, for each set of saved tensors; which set a family gets; what is refused.
#include "engine/op_model.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "sim_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr std::uint64_t kSeq = 512;
constexpr std::uint64_t kHidden = 256;
constexpr std::uint64_t kIntermediate = 768;
constexpr std::uint64_t kHeads = 4;
constexpr std::uint64_t kKeyValueHeads = 2;
constexpr std::uint64_t kHeadDim = 64;
constexpr std::uint64_t kX = kSeq * kHidden * 2;         // a hidden state in bf16
constexpr std::uint64_t kWide = kSeq * kIntermediate * 2;  // one intermediate of the MLP
constexpr std::uint64_t kRows = kSeq * 4;                // one fp32 figure a row

Json config(const char* family, std::uint32_t layers) {
  return {{"model_type", family},           {"hidden_size", kHidden},
          {"intermediate_size", kIntermediate}, {"num_hidden_layers", layers},
          {"num_attention_heads", kHeads},  {"num_key_value_heads", kKeyValueHeads},
          {"head_dim", kHeadDim},           {"vocab_size", 1024},
          {"tie_word_embeddings", true}};
}

Json resultOf(const Json& configJson, const std::string& opModel = "", const std::string& device = "sim:H200") {
  ProfileRequest request = simRequest(configJson, {kSeq});
  request.gradientCheckpointing = Checkpointing::off;
  request.steps = 2;
  request.device = device;
  request.opModel = opModel;
  return profileJson(request, device.starts_with("sim:") ? simFactory() : fakeFactory());
}

std::uint64_t afterForward(const Json& result) {
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  return overStatic(result["runs"][0]);
}

/// What one more layer keeps: the rest of the model cancels out.
std::uint64_t layerBytes(const char* family, const std::string& opModel = "") {
  return afterForward(resultOf(config(family, 5), opModel)) - afterForward(resultOf(config(family, 4), opModel));
}

/// Queries and keys after rotation, values, the output and the log-sum-exp: the same in every set.
std::uint64_t attentionBytes() {
  return kSeq * kHeadDim * 2 * (2 * kHeads + 2 * kKeyValueHeads) + kSeq * kHeads * 4;
}

std::string modelOf(const Json& result) { return result["model"]["opModel"]; }

const Json* approximation(const Json& result) {
  for (const Json& warning : result["warnings"]) {
    if (warning["code"] == "MODEL_APPROXIMATED") return &warning;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("hf-eager: fp32 input, normalised and root of each norm; the norm's output; gate, silu, up and product") {
  CHECK(layerBytes("llama") == 2 * (2 * kX + kX + kRows) + 2 * kX + attentionBytes() + 4 * kWide);
  CHECK(layerBytes("qwen2") == layerBytes("llama"));
  // Norms of queries and keys, over every head, in a family that has them.
  const std::uint64_t heads = kHeads + kKeyValueHeads;
  CHECK(layerBytes("qwen3") - layerBytes("llama") == heads * kSeq * (kHeadDim * (4 + 2) + 4));
}

TEST_CASE("fused: the norm's input as it came and its root; gate, up and product") {
  // The input of the first norm is the hidden state between layers, that of the second the one behind attention.
  const std::uint64_t llama = 2 * (kX + kRows) + 2 * kX + attentionBytes() + 3 * kWide;
  CHECK(layerBytes("llama", "fused") == llama);
  const std::uint64_t heads = kHeads + kKeyValueHeads;
  CHECK(layerBytes("qwen3", "fused") == llama + heads * kSeq * (kHeadDim * 2 + 4));
  const Json result = resultOf(config("qwen3", 4), "fused");
  CHECK(modelOf(result) == "fused");
  CHECK(result["runs"][0]["exactness"]["bytes"] == "exact");
}

TEST_CASE("gemma-eager: the normalised tensor and the shifted weight are saved in fp32, too") {
  CHECK(layerBytes("gemma") == 2 * (2 * kX + 2 * kX + kRows + kHidden * 4) + 2 * kX + attentionBytes() + 4 * kWide);
  const Json result = resultOf(config("gemma", 4));
  CHECK(modelOf(result) == "gemma-eager");
  CHECK(approximation(result) == nullptr);
}

TEST_CASE("olmo2-eager: the normalised tensor is saved in fp32") {
  const std::uint64_t heads = kHeads + kKeyValueHeads;
  CHECK(layerBytes("olmo2") == 2 * (4 * kX + kRows) + heads * kSeq * (kHeadDim * 8 + 4) + 2 * kX + attentionBytes() + 4 * kWide);
}

TEST_CASE("layer norms save their input, mean and deviation; an MLP without a gate what its activation needs") {
  const std::uint64_t withoutMlp = 2 * (kX + 2 * kRows) + 2 * kX + attentionBytes();
  CHECK(layerBytes("gpt_neox") == withoutMlp + 2 * kWide);
  CHECK(layerBytes("gpt2") == withoutMlp + 5 * kWide);
  CHECK(layerBytes("opt") == withoutMlp + kWide);
  Json exact = config("gpt2", 4);
  exact["activation_function"] = "gelu";
  CHECK(modelOf(resultOf(exact)) == "layernorm-gelu");
  CHECK(approximation(resultOf(exact)) != nullptr);
  // No gate: two products a layer.
  const auto staticBytes = [](const char* family) { return resultOf(config(family, 4))["runs"][0]["staticBytes"].get<std::uint64_t>(); };
  CHECK(staticBytes("llama") - staticBytes("starcoder2") == 4 * kHidden * kIntermediate * 2);
}

TEST_CASE("with checkpointing a layer keeps its input alone, whatever the set") {
  for (const OpModel& model : opModels()) {
    CAPTURE(model.name);
    const auto bytes = [&](std::uint32_t layers) {
      ProfileRequest request = simRequest(config("llama", layers), {kSeq});
      request.opModel = model.name;
      return afterForward(profileJson(request, simFactory()));
    };
    CHECK(bytes(5) - bytes(4) == kX);
  }
}

TEST_CASE("every set runs with every strategy, with and without checkpointing") {
  for (const OpModel& model : opModels()) {
    CAPTURE(model.name);
    ProfileRequest request = simRequest(config("qwen3", 4), {kSeq});
    request.opModel = model.name;
    request.strategies = {"all"};
    request.gradientCheckpointing = Checkpointing::both;
    const Json result = profileJson(request, simFactory());
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    CHECK(result["runs"].size() == 10);
    for (const Json& run : result["runs"]) {
      if (run["strategy"] != "none") CHECK(run["copies"]["d2h"]["bytes"] == run["copies"]["h2d"]["bytes"]);
    }
  }
}

TEST_CASE("fused experts do not keep the activation") {
  Json mixture = config("qwen3_moe", 4);
  mixture["num_experts"] = 8;
  mixture["num_experts_per_tok"] = 2;
  mixture["moe_intermediate_size"] = 128;
  Json dense = config("qwen3", 4);
  const auto norms = [&](const std::string& opModel) { return afterForward(resultOf(dense, opModel)); };
  const std::uint64_t denseMlp = 4 * kWide;
  const std::uint64_t saved = afterForward(resultOf(mixture)) - afterForward(resultOf(mixture, "fused"));
  CHECK(saved == norms("hf-eager") - norms("fused") - denseMlp + 4 * kSeq * 2 * 128 * 2);
}

TEST_CASE("fused kernels move less memory and need less of the host: the step is shorter, its range wider") {
  const auto run = [](const char* opModel) {
    ProfileRequest request = simRequest(qwen3Config(true, 4), {8192});
    request.opModel = opModel;
    return profileJson(request, simFactory())["runs"][0];
  };
  const Json eager = run("hf-eager");
  const Json fused = run("fused");
  CHECK(fused["stepMs"]["median"] < eager["stepMs"]["median"]);
  CHECK(fused["exactness"]["timeShare"].get<double>() > eager["exactness"]["timeShare"].get<double>() + 0.05);
}

TEST_CASE("a family that nobody knows gets the nearest set, and the result says so") {
  const Json plain = resultOf(config("of_tomorrow", 4));
  CHECK(modelOf(plain) == "hf-eager");
  REQUIRE(approximation(plain) != nullptr);
  CHECK(plain["runs"][0]["exactness"]["bytes"] == "estimated");

  Json withLayerNorms = config("of_tomorrow", 4);
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
  Json odd = config("llama", 4);
  odd["hidden_act"] = "of_tomorrow";
  const Json result = resultOf(odd);
  REQUIRE(approximation(result) != nullptr);
  CHECK((*approximation(result))["message"].get<std::string>().find("the activation of_tomorrow runs as silu") != std::string::npos);

  const Json other = resultOf(config("llama", 4), "gemma-eager");
  REQUIRE(approximation(other) != nullptr);
  CHECK((*approximation(other))["message"].get<std::string>().find("save what gemma-eager saves") != std::string::npos);
  CHECK(other["runs"][0]["exactness"]["bytes"] == "estimated");
}

TEST_CASE("unknown names are refused with the known ones; sets without kernels run on simulated devices only") {
  const Json unknown = resultOf(config("llama", 4), "of_tomorrow");
  CHECK(unknown["problem"] == "OP_MODEL_UNKNOWN");
  CHECK(unknown["cause"].get<std::string>().find("fused, gemma-eager, hf-eager") != std::string::npos);
  for (const OpModel& model : opModels()) {
    CAPTURE(model.name);
    const Json result = resultOf(config("llama", 4), model.name, "cpu");
    if (model.name == kDefaultOpModel) {
      CHECK(modelOf(result) == kDefaultOpModel);
    } else {
      CHECK(result["problem"] == "OP_MODEL_SIMULATED_ONLY");
    }
  }
}

TEST_CASE("on a device that computes, families of other sets run as the default, and say so") {
  for (const char* family : {"gemma", "gpt2"}) {
    const Json result = resultOf(config(family, 4), "", "cpu");
    CHECK(modelOf(result) == kDefaultOpModel);
    CHECK(approximation(result) != nullptr);
  }
}

TEST_CASE("a file with a mistake is a bug of the program") {
  CHECK_THROWS_AS(parseOpModel("{"), std::logic_error);
  CHECK_THROWS_AS(parseOpModel("{}"), std::logic_error);
  const std::string text = R"({"name":"x","source":"y","isComputable":false,"activations":[],"timeUncertainty":0,
    "norm":{"kind":"RMS","saves":["inputs"],"forward":{"bytesPerElement":1,"operators":1},"backward":{"bytesPerElement":1,"operators":1}},
    "mlp":{"isGated":true,"activationSaves":[],"saves":[],"forward":{"bytesPerElement":1,"operators":1},"backward":{"bytesPerElement":1,"operators":1}},
    "rotary":{"forward":{"bytesPerElement":1,"operators":1},"backward":{"bytesPerElement":1,"operators":1}}})";
  CHECK_THROWS_WITH_AS(parseOpModel(text), "an op model saves an unknown tensor \"inputs\"", std::logic_error);
}
