#pragma once

#include <string>
#include <string_view>

#include "engine/model/model_family.h"
#include "engine/model/op_model.h"

namespace offload {

/// What config.json says about saved tensors.
struct ConfigTraits {
  std::string activation;      ///< as transformers names it; empty where absent
  bool hasLayerNorms = false;  ///< it has the epsilon of layer norms, and none of RMS norms
};

struct ChosenOpModel {
  const OpModel* model = nullptr;
  std::string difference;  ///< in which way it is not what the family's code saves; empty if it is, or if nobody knows
};

/// `asked` where a name is given; else the family's, refined by the activation. A family without one of its own whose config
/// has layer norms gets a set with these. Devices that compute get the default where kernels cannot compute the family's.
/// Throws EngineError: OP_MODEL_UNKNOWN, and OP_MODEL_SIMULATED_ONLY where `asked` cannot be computed.
ChosenOpModel chooseOpModel(std::string_view asked, const ModelFamily& family, const ConfigTraits& traits, bool isSimulated);

}  // namespace offload
