#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "engine/base/problem.h"

namespace offload {

/// A config.json is a few KiB; the largest known ones stay below 1 MiB.
inline constexpr std::size_t kMostConfigBytes = 16U << 20U;

/// Text of a model's config.json: of the file at `path`, or of the one in the directory at `path`. Whether it is JSON, the
/// engine says. Problems: MODEL_DIRECTORY_MISSING, MODEL_CONFIG_MISSING, MODEL_CONFIG_UNREADABLE, MODEL_CONFIG_TOO_LARGE.
std::variant<std::string, Problem> readModelConfig(const std::string& path, bool isDirectory);

}  // namespace offload
