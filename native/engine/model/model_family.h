#pragma once

#include <string_view>

#include "engine/model/layer_form.h"
#include "engine/model/op_model.h"

namespace offload {

/// What config.json does not say about a family.
struct ModelFamily {
  std::string_view modelType;
  bool isPlainDecoder = false;   ///< layers of the form below, rotary positions, an MLP as in the op model, nothing else
  bool qkNorm = false;
  bool queryKeyValueBias = false;
  bool tiedByDefault = false;
  bool wideMlpByDefault = false; ///< the MLP is four times as wide as the model where the config does not say
  std::string_view baseName = "model";
  std::string_view layersName = "layers";
  std::string_view opModel = kDefaultOpModel;  ///< which tensors the family's code saves
  LayerForm layerForm = LayerForm::before;
  float rotaryShare = 1;         ///< of a head's width that is rotated, where the config does not say
  std::uint32_t fullEvery = 0;   ///< every n-th layer attends to everything, where a window is set and layer_types is absent; 0: none
  bool hasTwoRotaryTables = false; ///< layers with a window have tables of their own
};

/// The row of a model type; a row without claims for unknown ones.
ModelFamily familyOf(std::string_view modelType);

}  // namespace offload
