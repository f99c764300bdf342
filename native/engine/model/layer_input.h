#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace offload {

/// What a decoder layer is called with, beside the model's width.
struct LayerInput {
  std::uint32_t streams = 1;  ///< residual streams, each as wide as the model
  std::string difference;     ///< what the engine does otherwise than the family's code; empty: nothing
};

/// Largest number of residual streams taken.
inline constexpr std::uint32_t kMaxStreams = 64;

/// From the record that module trees use, too (`src/core/modules/layerInputs.json`, embedded by the build) and the
/// text model's configuration. Throws EngineError MODEL_DIMENSIONS where the number of streams is no number from 1 to
/// `kMaxStreams`.
LayerInput layerInputOf(std::string_view modelType, const nlohmann::json& config);

}  // namespace offload
