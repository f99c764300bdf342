#pragma once

#include <string_view>

namespace offload {

/// Text of `src/core/modules/decoderFamilies.json`; the build embeds it.
std::string_view decoderFamiliesText();

}  // namespace offload
