#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "engine_fixture.h"
#include "sim/open_sim_device.h"

namespace offload::testing {

/// Opens simulated devices by name, without the `sim:` in front.
inline DeviceFactory simFactory() {
  return [](const std::string& name, const std::atomic<bool>& cancelled) {
    return openSimDevice(name.starts_with("sim:") ? name.substr(4) : name, cancelled);
  };
}

inline Json readFixture(const std::string& name) {
  std::ifstream file(std::string(OFFLOAD_FIXTURES) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return Json::parse(text.str());
}

/// config.json of the recorded Qwen3 shapes: the large one is 8B's, the small one 0.6B's.
inline Json qwen3Config(bool isLarge, std::uint32_t layers) {
  return {{"architectures", {"Qwen3ForCausalLM"}},
          {"model_type", "qwen3"},
          {"hidden_size", isLarge ? 4096 : 1024},
          {"intermediate_size", isLarge ? 12288 : 3072},
          {"num_hidden_layers", layers},
          {"num_attention_heads", isLarge ? 32 : 16},
          {"num_key_value_heads", 8},
          {"head_dim", 128},
          {"vocab_size", 151936},
          {"tie_word_embeddings", false}};
}

inline ProfileRequest simRequest(const Json& config, std::vector<std::uint32_t> seqLens) {
  ProfileRequest request;
  request.configJson = config.dump();
  request.device = "sim:H200";
  request.seqLens = std::move(seqLens);
  request.steps = 7;
  request.strategies = {"none"};
  return request;
}

}  // namespace offload::testing
