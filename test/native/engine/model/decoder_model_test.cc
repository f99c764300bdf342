#include "engine/model/decoder_model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "cpu/cpu_device.h"
#include "engine/strategy/strategy.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// A model in fp32 on the CPU device whose weights are all random, norms included: with norm weights of one the mean of
/// squares behind the last norm is nearly constant and no gradient could be told from noise.
class FloatModel {
 public:
  explicit FloatModel(const Json& config)
      : dimensions_(std::get<ModelDimensions>(readModelDimensions(config.dump(), std::nullopt))),
        model_(autograd_, dimensions_, ElementType::f32, 3) {
    std::uint64_t seed = 100;
    for (Parameter& parameter : model_.parameters()) {
      device_.launch(kComputeStream, FillNormal{ElementType::f32, parameter.value.address(),
                                                parameter.value.layout.elementCount(), seed++, 0.4f});
    }
    ids_ = executor_.allocate(Layout::contiguous(TensorType::i32, {2, 8}), Account::batch);
    device_.launch(kComputeStream, FillTokens{ids_.address(), 16, 5, dimensions_.vocab});
  }

  double loss() { return read(model_.loss(ids_, strategy_, false), 0); }

  void backward(bool isCheckpointed) {
    model_.clearGradients();
    autograd_.backward(model_.loss(ids_, strategy_, isCheckpointed));
    device_.synchronize();
  }

  float read(const Tensor& tensor, std::uint64_t index) {
    std::vector<float> values(tensor.layout.elementCount());
    device_.copyToHost(kComputeStream, reinterpret_cast<std::byte*>(values.data()), tensor.address(), values.size() * 4);
    device_.synchronize();
    return values[index];
  }

  void write(const Tensor& tensor, std::uint64_t index, float value) {
    device_.copyToDevice(kComputeStream, tensor.address() + index * 4, reinterpret_cast<const std::byte*>(&value), 4);
    device_.synchronize();
  }

  std::deque<Parameter>& parameters() { return model_.parameters(); }

 private:
  std::atomic<bool> cancelled_{false};
  CpuDevice device_{cancelled_};
  MemoryLedger ledger_;
  Recorder recorder_{device_};
  Executor executor_{device_, ledger_, recorder_, cancelled_};
  Autograd autograd_{executor_};
  ModelDimensions dimensions_;
  DecoderModel model_;
  NoOffload strategy_;
  Tensor ids_;
};

Json tinyConfig(const char* family) {
  Json config = smallConfig();
  config["model_type"] = family;
  config["hidden_size"] = 16;
  config["intermediate_size"] = 24;
  config["num_hidden_layers"] = 2;
  config["num_attention_heads"] = 4;
  config["num_key_value_heads"] = 2;
  config["head_dim"] = 6;
  config["vocab_size"] = 12;
  return config;
}

void compareWithDifferences(FloatModel& model) {
  constexpr float kStep = 4e-3f;
  for (Parameter& parameter : model.parameters()) {
    const std::uint64_t count = parameter.value.layout.elementCount();
    REQUIRE(parameter.gradient);
    for (const std::uint64_t pick : {count * 1 / 7, count * 3 / 7, count * 6 / 7}) {
      const float before = model.read(parameter.value, pick);
      model.write(parameter.value, pick, before + kStep);
      const double above = model.loss();
      model.write(parameter.value, pick, before - kStep);
      const double below = model.loss();
      model.write(parameter.value, pick, before);
      const double difference = (above - below) / (2.0 * kStep);
      CAPTURE(parameter.name);
      CAPTURE(pick);
      CHECK(std::abs(model.read(parameter.gradient, pick) - difference) < 2e-3 + 0.02 * std::abs(difference));
    }
  }
}

}  // namespace

TEST_CASE("gradients are those of central differences, with query and key norms") {
  FloatModel model(tinyConfig("qwen3"));
  model.backward(false);
  double largest = 0;
  for (Parameter& parameter : model.parameters()) largest = std::max(largest, std::abs(double{model.read(parameter.gradient, 0)}));
  CHECK(largest > 0.02);
  compareWithDifferences(model);
}

TEST_CASE("gradients are those of central differences, with biases and recomputed layers") {
  FloatModel model(tinyConfig("qwen2"));
  model.backward(true);
  compareWithDifferences(model);
}

TEST_CASE("gradients are those of central differences, with several residual streams") {
  for (const bool isCheckpointed : {false, true}) {
    Json config = tinyConfig("deepseek_v4");
    config["hc_mult"] = 3;
    FloatModel model(config);
    model.backward(isCheckpointed);
    compareWithDifferences(model);
  }
}

TEST_CASE("weights are counted as they are allocated") {
  FakeEngine engine;
  for (const char* family : {"qwen3", "qwen2", "llama"}) {
    Json config = tinyConfig(family);
    config["attention_bias"] = true;
    const auto dimensions = std::get<ModelDimensions>(readModelDimensions(config.dump(), std::nullopt));
    const std::uint64_t before = engine.ledger.liveBytes();
    const DecoderModel model(engine.autograd, dimensions, ElementType::bf16, 0);
    CHECK(engine.ledger.liveBytes() - before == weightBytes(dimensions, ElementType::bf16));
  }
}

TEST_CASE("modules have the names and the order of a transformers decoder") {
  const auto dimensions = std::get<ModelDimensions>(readModelDimensions(tinyConfig("qwen3").dump(), std::nullopt));
  const DecoderModules modules = decoderModules(dimensions);
  std::vector<std::string> names;
  for (const Module& module : modules.tree.modules) names.push_back(module.name);
  REQUIRE(names.size() == 4 + 2 * 15 + 3);
  CHECK(std::vector<std::string>(names.begin(), names.begin() + 19) ==
        std::vector<std::string>{"",
                                 "model",
                                 "model.embed_tokens",
                                 "model.layers",
                                 "model.layers.0",
                                 "model.layers.0.self_attn",
                                 "model.layers.0.self_attn.q_proj",
                                 "model.layers.0.self_attn.k_proj",
                                 "model.layers.0.self_attn.v_proj",
                                 "model.layers.0.self_attn.o_proj",
                                 "model.layers.0.self_attn.q_norm",
                                 "model.layers.0.self_attn.k_norm",
                                 "model.layers.0.mlp",
                                 "model.layers.0.mlp.gate_proj",
                                 "model.layers.0.mlp.up_proj",
                                 "model.layers.0.mlp.down_proj",
                                 "model.layers.0.mlp.act_fn",
                                 "model.layers.0.input_layernorm",
                                 "model.layers.0.post_attention_layernorm"});
  CHECK(std::vector<std::string>(names.end() - 3, names.end()) ==
        std::vector<std::string>{"model.norm", "model.rotary_emb", "lm_head"});
  CHECK(modules.tree.modules[modules.layers[1].layer].className == "Qwen3DecoderLayer");
}

TEST_CASE("modules of a family with layer norms and an MLP without a gate; its weights are counted as they are allocated") {
  const auto dimensions = std::get<ModelDimensions>(readModelDimensions(tinyConfig("starcoder2").dump(), std::nullopt, true));
  const DecoderModules modules = decoderModules(dimensions);
  CHECK(modules.tree.modules[modules.layers[0].inputNorm].className == "LayerNorm");
  CHECK(modules.tree.modules[modules.norm].className == "LayerNorm");
  for (const Module& module : modules.tree.modules) CHECK(module.name.find("gate_proj") == std::string::npos);
  FakeEngine engine;
  const DecoderModel model(engine.autograd, dimensions, ElementType::bf16, 0);
  CHECK(engine.ledger.liveBytes() == weightBytes(dimensions, ElementType::bf16));
}
