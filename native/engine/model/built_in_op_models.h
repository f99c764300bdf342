#pragma once

#include <string_view>
#include <vector>

namespace offload {

/// Texts of the files in `engine/model/op_models`, in the order of their names; the build embeds them.
std::vector<std::string_view> builtInOpModelTexts();

}  // namespace offload
