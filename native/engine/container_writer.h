#pragma once

#include <optional>
#include <string>

#include "engine/problem.h"
#include "engine/result_json.h"

namespace offload {

/// Writes result and timelines as a saved profile (layout: src/core/profile/container.ts). The file appears whole or not
/// at all: it is written next to its place and renamed. Problem SAVE_FAILED.
std::optional<Problem> writeContainer(const std::string& path, const ProfileReport& report, const std::string& resultJson);

/// The same check that writing starts with, so that a long run does not end at a folder that never existed.
std::optional<Problem> checkContainerPath(const std::string& path);

/// The container's bytes.
std::string containerBytes(const ProfileReport& report, const std::string& resultJson);

}  // namespace offload
