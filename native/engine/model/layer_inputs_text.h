#pragma once

#include <string_view>

namespace offload {

/// Text of `src/core/modules/layerInputs.json`; the build embeds it.
std::string_view layerInputsText();

}  // namespace offload
