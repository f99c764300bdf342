#pragma once

#include <optional>
#include <string>

#include "engine/base/problem.h"

namespace offload {

/// Writes the `profile` of a measurement's JSON into a new file, or over an earlier profile. Problems: SAVE_FAILED.
std::optional<Problem> writeCalibration(const std::string& path, const std::string& linkJson);

}  // namespace offload
