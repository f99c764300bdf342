#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "sim_fixture.h"

/// A small decoder of any family, simulated under an op model.
namespace offload::testing {

inline constexpr std::uint64_t kSeq = 512;
inline constexpr std::uint64_t kHidden = 256;
inline constexpr std::uint64_t kIntermediate = 768;
inline constexpr std::uint64_t kHeads = 4;
inline constexpr std::uint64_t kKeyValueHeads = 2;
inline constexpr std::uint64_t kHeadDim = 64;

inline Json familyConfig(const char* family, std::uint32_t layers) {
  return {{"model_type", family},           {"hidden_size", kHidden},
          {"intermediate_size", kIntermediate}, {"num_hidden_layers", layers},
          {"num_attention_heads", kHeads},  {"num_key_value_heads", kKeyValueHeads},
          {"head_dim", kHeadDim},           {"vocab_size", 1024},
          {"tie_word_embeddings", true}};
}

inline Json resultOf(const Json& configJson, const std::string& opModel = "", const std::string& device = "sim:H200") {
  ProfileRequest request = simRequest(configJson, {kSeq});
  request.gradientCheckpointing = Checkpointing::off;
  request.steps = 2;
  request.device = device;
  request.opModel = opModel;
  return profileJson(request, device.starts_with("sim:") ? simFactory() : fakeFactory());
}

inline std::uint64_t afterForward(const Json& result) {
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  return overStatic(result["runs"][0]);
}

inline std::string modelOf(const Json& result) { return result["model"]["opModel"]; }

inline const Json* approximation(const Json& result) {
  for (const Json& warning : result["warnings"]) {
    if (warning["code"] == "MODEL_APPROXIMATED") return &warning;
  }
  return nullptr;
}

}  // namespace offload::testing
