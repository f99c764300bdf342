#pragma once

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/profile/profile.h"
#include "engine/tape/autograd.h"
#include "fake_device.h"

namespace offload::testing {

using Json = nlohmann::json;

/// The schedule's parts on a device that computes nothing.
struct FakeEngine {
  FakeDevice device;
  MemoryLedger ledger;
  Recorder recorder{device};
  std::atomic<bool> cancelled{false};
  Executor executor{device, ledger, recorder, cancelled};
  Autograd autograd{executor};
};

/// config.json of a small qwen3 checkpoint.
inline Json smallConfig() {
  return {{"architectures", {"Qwen3ForCausalLM"}},
          {"model_type", "qwen3"},
          {"hidden_size", 64},
          {"intermediate_size", 96},
          {"num_hidden_layers", 4},
          {"num_attention_heads", 4},
          {"num_key_value_heads", 2},
          {"head_dim", 16},
          {"vocab_size", 128},
          {"rms_norm_eps", 1e-6},
          {"rope_parameters", {{"rope_theta", 10000.0}, {"rope_type", "default"}}},
          {"attention_bias", false},
          {"tie_word_embeddings", false}};
}

/// Qwen3-0.6B's dimensions (the recorded q06 shapes).
inline Json recordedConfig() {
  Json config = smallConfig();
  config["hidden_size"] = 1024;
  config["intermediate_size"] = 3072;
  config["num_hidden_layers"] = 28;
  config["num_attention_heads"] = 16;
  config["num_key_value_heads"] = 8;
  config["head_dim"] = 128;
  config["vocab_size"] = 151936;
  config["tie_word_embeddings"] = true;
  return config;
}

/// Qwen3-8B's (q8).
inline Json recordedLargerConfig() {
  Json config = recordedConfig();
  config["hidden_size"] = 4096;
  config["intermediate_size"] = 12288;
  config["num_hidden_layers"] = 36;
  config["num_attention_heads"] = 32;
  config["tie_word_embeddings"] = false;
  return config;
}

/// Opens a FakeDevice, whatever the name.
inline DeviceFactory fakeFactory() {
  return [](const std::string&, const std::atomic<bool>&) -> std::variant<std::unique_ptr<Device>, Problem> {
    return std::make_unique<FakeDevice>();
  };
}

/// Runs a request and returns its result, or {"problem": code}.
inline Json profileJson(const ProfileRequest& request, const DeviceFactory& factory) {
  const std::atomic<bool> cancelled{false};
  const auto outcome = runProfile(request, factory, {}, cancelled);
  if (const auto* problem = std::get_if<Problem>(&outcome)) {
    return {{"problem", problem->code}, {"message", problem->message}, {"cause", problem->cause}};
  }
  return Json::parse(std::get<ProfileOutcome>(outcome).resultJson);
}

inline std::uint64_t overStatic(const Json& run) {
  return run["afterForwardBytes"].get<std::uint64_t>() - run["staticBytes"].get<std::uint64_t>();
}

}  // namespace offload::testing
