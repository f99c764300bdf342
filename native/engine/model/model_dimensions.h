#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/problem.h"
#include "engine/base/warning.h"
#include "engine/model/layer_form.h"
#include "engine/model/mixture.h"
#include "engine/model/op_model.h"

namespace offload {

/// What the decoder model needs to know, as read from config.json.
struct ModelDimensions {
  std::string modelType;
  std::string architecture;
  std::uint32_t hidden = 0;
  std::uint32_t residualStreams = 1;  ///< a layer's input is so many times as wide as the model
  std::uint32_t intermediate = 0;
  std::uint32_t layers = 0;
  std::uint32_t heads = 0;
  std::uint32_t keyValueHeads = 0;
  std::uint32_t headDim = 0;
  std::uint32_t vocab = 0;
  float normEpsilon = 1e-6f;
  float ropeTheta = 10000.0f;
  bool qkNorm = false;
  bool queryKeyValueBias = false;
  bool outputBias = false;
  bool tiedEmbeddings = false;
  /// Dotted name of the module that is called with token ids, and of the layer list below it.
  std::string baseName = "model";
  std::string layersName = "layers";
  const OpModel* opModel = &defaultOpModel();  ///< one of `opModels`
  LayerForm layerForm = LayerForm::before;  ///< on simulated devices the family's; elsewhere every layer runs as `before`
  std::uint32_t rotaryDim = 0;  ///< of a head's width that tables of rotary positions hold; 0: all
  std::uint32_t slidingWindow = 0;         ///< of layers that attend to so many tokens only; simulated devices only, 0: none
  std::set<std::uint32_t> slidingLayers;
  bool hasTwoRotaryTables = false;
  Mixture mixture;   ///< run as such on simulated devices only, elsewhere as a dense MLP
  std::vector<Warning> warnings;
};

/// Largest values taken. They keep every byte count of the engine inside 64 bits.
inline constexpr std::uint32_t kMaxWidth = 1u << 17;
inline constexpr std::uint32_t kMaxIntermediate = 1u << 20;
inline constexpr std::uint32_t kMaxLayers = 1024;
inline constexpr std::uint32_t kMaxHeads = 1024;
inline constexpr std::uint32_t kMaxExperts = 4096;
inline constexpr std::uint32_t kMaxHeadDim = 1024;
inline constexpr std::uint32_t kMaxVocab = 1u << 22;

/// Reads config.json; a nested `text_config` wins. `layers` keeps only the first N. `opModel` takes the place of the family's
/// own set of saved tensors; empty: that one, or the default where kernels cannot compute it. Families that are no plain dense
/// decoder come back as the nearest one, with a warning MODEL_APPROXIMATED.
/// Problems: MODEL_CONFIG_INVALID (not JSON, no object), MODEL_DIMENSIONS (absent, out of range, contradictory),
/// OP_MODEL_UNKNOWN, OP_MODEL_SIMULATED_ONLY (kernels cannot compute it).
std::variant<ModelDimensions, Problem> readModelDimensions(std::string_view configJson, std::optional<std::uint32_t> layers,
                                                           bool isSimulated = false, std::string_view opModel = {});

}  // namespace offload
