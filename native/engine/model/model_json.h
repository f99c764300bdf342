#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace offload {

/// Parses the text of a config.json; discarded if it is no JSON. Python's `json` also writes NaN and Infinity, which JSON does
/// not have: they are read as null, as src/core/modules/utf8.ts does.
nlohmann::json parseModelJson(std::string_view text);

}  // namespace offload
