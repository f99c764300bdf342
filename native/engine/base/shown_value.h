#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace offload {

/// A value of a file or request as it may appear in a message: at most 64 characters of ASCII, whatever its size or depth.
std::string shownValue(const nlohmann::json& value);

}  // namespace offload
