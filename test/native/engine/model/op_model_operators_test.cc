// Bytes that stay after forward, by hand, for each set of saved tensors.
#include "engine/model/model_family.h"
#include "engine/model/op_model_operators.h"

#include "op_model_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr std::uint64_t kX = kSeq * kHidden * 2;         // a hidden state in bf16
constexpr std::uint64_t kWide = kSeq * kIntermediate * 2;  // one intermediate of the MLP
constexpr std::uint64_t kRows = kSeq * 4;                // one fp32 figure a row

/// What one more layer keeps: the rest of the model cancels out.
std::uint64_t layerBytes(const char* family, const std::string& opModel = "") {
  return afterForward(resultOf(familyConfig(family, 5), opModel)) - afterForward(resultOf(familyConfig(family, 4), opModel));
}

/// Queries and keys after rotation, values, the output and the log-sum-exp: the same in every set.
std::uint64_t attentionBytes() {
  return kSeq * kHeadDim * 2 * (2 * kHeads + 2 * kKeyValueHeads) + kSeq * kHeads * 4;
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
  const Json result = resultOf(familyConfig("qwen3", 4), "fused");
  CHECK(modelOf(result) == "fused");
  CHECK(result["runs"][0]["exactness"]["bytes"] == "exact");
}

TEST_CASE("gemma-eager: the normalised tensor and the shifted weight are saved in fp32, too") {
  CHECK(layerBytes("gemma") == 2 * (2 * kX + 2 * kX + kRows + kHidden * 4) + 2 * kX + attentionBytes() + 4 * kWide);
  const Json result = resultOf(familyConfig("gemma", 4));
  CHECK(modelOf(result) == "gemma-eager");
  CHECK(approximation(result) == nullptr);
}

TEST_CASE("olmo2-eager: the normalised tensor is saved in fp32") {
  const std::uint64_t heads = kHeads + kKeyValueHeads;
  CHECK(layerBytes("olmo2") == 2 * (4 * kX + kRows) + heads * kSeq * (kHeadDim * 8 + 4) + 2 * kX + attentionBytes() + 4 * kWide);
}

TEST_CASE("layer norms save their input, mean and deviation; an MLP without a gate what its activation needs") {
  const std::uint64_t withoutMlp = 2 * (kX + 2 * kRows) + 2 * kX + attentionBytes();
  CHECK(layerBytes("starcoder2") == withoutMlp + 2 * kWide);
  CHECK(layerBytes("gpt2") == withoutMlp + 5 * kWide);
  CHECK(layerBytes("opt") == withoutMlp + kWide);
  Json exact = familyConfig("gpt2", 4);
  exact["activation_function"] = "gelu";
  CHECK(modelOf(resultOf(exact)) == "layernorm-gelu");
  CHECK(approximation(resultOf(exact)) != nullptr);
  // No gate: two products a layer.
  const auto staticBytes = [](const char* family) {
    return resultOf(familyConfig(family, 4))["runs"][0]["staticBytes"].get<std::uint64_t>();
  };
  CHECK(staticBytes("llama") - staticBytes("starcoder2") == 4 * kHidden * kIntermediate * 2);
}

TEST_CASE("one projection for query, key and value stays whole, and attention's output is copied") {
  // Both norms of a parallel layer read its input.
  const std::uint64_t perHead = kSeq * kHeadDim * 2;
  const std::uint64_t fused = perHead * (kHeads + kKeyValueHeads + (kHeads + 2 * kKeyValueHeads) + 2 * kHeads) + kSeq * kHeads * 4;
  CHECK(layerBytes("gpt_neox") == kX + 4 * kRows + 2 * kX + fused + 2 * kWide);
  CHECK(layerBytes("phi3") - layerBytes("llama") == fused - attentionBytes());
}

TEST_CASE("norms around both halves, or one before both, are as many sets of their op model") {
  const std::uint64_t gemmaNorm = 4 * kX + kRows + kHidden * 4;
  CHECK(layerBytes("gemma2") == 4 * gemmaNorm + 2 * kX + attentionBytes() + 4 * kWide);
  CHECK(layerBytes("cohere") == 6 * kX + kRows + kHidden * 4 + kX + attentionBytes() + 4 * kWide);
  for (const char* family : {"gemma2", "gemma3_text", "cohere", "gpt_neox", "phi3"}) {
    CAPTURE(family);
    const Json result = resultOf(familyConfig(family, 4));
    CHECK(approximation(result) == nullptr);
    CHECK(result["runs"][0]["exactness"]["bytes"] == "exact");
  }
  Json inTurn = familyConfig("gpt_neox", 4);
  inTurn["use_parallel_residual"] = false;
  CHECK(afterForward(resultOf(inTurn)) > afterForward(resultOf(familyConfig("gpt_neox", 4))));
}

TEST_CASE("GPT-J and Falcon have one norm before both halves, EXAONE 4 its norms behind; parallel_attn undoes it") {
  // The second norm of a layer in turn saves what it read.
  const auto moreInTurn = [](const char* family) {
    const Json result = resultOf(familyConfig(family, 4));
    Json in = familyConfig(family, 4);
    in["parallel_attn"] = false;
    return afterForward(resultOf(in)) - afterForward(result);
  };
  CHECK(moreInTurn("falcon") > 0);
  CHECK(moreInTurn("gptj") > 0);
  CHECK(moreInTurn("llama") == 0);
  CHECK(familyOf("exaone4").layerForm == LayerForm::after);
  CHECK(familyOf("gptj").layerForm == LayerForm::parallelOneNorm);
  CHECK(familyOf("falcon").layerForm == LayerForm::parallelOneNorm);
}

TEST_CASE("a window shorter than the sequence costs a mask in every layer that has it, and keys and values of all heads") {
  Json windowed = familyConfig("gemma2", 4);
  windowed["sliding_window"] = kSeq / 2;
  const std::uint64_t each = kSeq * kSeq * 2 + 2 * kSeq * kHeadDim * 2 * (kHeads - kKeyValueHeads);
  const std::uint64_t without = afterForward(resultOf(familyConfig("gemma2", 4)));
  CHECK(afterForward(resultOf(windowed)) - without == 2 * each);
  windowed["layer_types"] = {"sliding_attention", "full_attention", "full_attention", "full_attention"};
  CHECK(afterForward(resultOf(windowed)) - without == each);
  windowed["sliding_window"] = 2 * kSeq;
  CHECK(afterForward(resultOf(windowed)) == without);
}

TEST_CASE("with checkpointing a layer keeps its input alone, whatever the set") {
  for (const OpModel& model : opModels()) {
    CAPTURE(model.name);
    const auto bytes = [&](std::uint32_t layers) {
      ProfileRequest request = simRequest(familyConfig("llama", layers), {kSeq});
      request.opModel = model.name;
      return afterForward(profileJson(request, simFactory()));
    };
    CHECK(bytes(5) - bytes(4) == kX);
  }
}

TEST_CASE("every set runs with every strategy, with and without checkpointing") {
  for (const OpModel& model : opModels()) {
    CAPTURE(model.name);
    ProfileRequest request = simRequest(familyConfig("qwen3", 4), {kSeq});
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
  Json mixture = familyConfig("qwen3_moe", 4);
  mixture["num_experts"] = 8;
  mixture["num_experts_per_tok"] = 2;
  mixture["moe_intermediate_size"] = 128;
  Json dense = familyConfig("qwen3", 4);
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

TEST_CASE("a mask over too many pairs of tokens is refused with a range") {
  Json windowed = familyConfig("gemma2", 4);
  windowed["sliding_window"] = 4096;
  ProfileRequest request = simRequest(windowed, {1048576});
  request.microBatch = 2;
  const Json refused = profileJson(request, simFactory());
  CHECK(refused["problem"] == "REQUEST_INVALID");
}
