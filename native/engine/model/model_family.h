#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/layer_form.h"
#include "engine/model/op_model.h"

namespace offload {

/// What config.json does not say about a family.
struct ModelFamily {
  std::string modelType;
  bool isPlainDecoder = false;   ///< layers of the form below, rotary positions, an MLP as in the op model, nothing else
  bool qkNorm = false;
  bool queryKeyValueBias = false;
  bool tiedByDefault = false;
  bool wideMlpByDefault = false; ///< the MLP is four times as wide as the model where the config does not say
  std::string baseName = "model";
  std::string layersName = "layers";
  std::string opModel{kDefaultOpModel};  ///< which tensors the family's code saves
  LayerForm layerForm = LayerForm::before;
  float rotaryShare = 1;         ///< of a head's width that is rotated, where the config does not say
  std::uint32_t fullEvery = 0;   ///< every n-th layer attends to everything, where a window is set and layer_types is absent; 0: none
  bool hasTwoRotaryTables = false; ///< layers with a window have tables of their own
};

/// The family of a model type, from the record that the editor keeps (`src/core/modules/decoderFamilies.json`, embedded by
/// the build); one without claims for unknown types.
ModelFamily familyOf(std::string_view modelType);

/// Reads the text of such a record, one family for each model type. It is part of the program: a mistake in it, such as a
/// member, a form or an op model that does not exist, or a type that stands twice, throws std::logic_error.
std::vector<ModelFamily> parseFamilies(std::string_view json);

}  // namespace offload
