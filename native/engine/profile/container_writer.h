#pragma once

#include <optional>
#include <string>

#include "engine/base/problem.h"
#include "engine/profile/result_json.h"

namespace offload {

/// Writes result and timelines as a saved profile (layout: src/core/profile/container.ts). The file appears whole or not
/// at all: it is written next to its place and renamed. Links are followed; only an empty file or an older profile is
/// replaced. Problem SAVE_FAILED.
std::optional<Problem> writeContainer(const std::string& path, const ProfileReport& report, const std::string& resultJson);

/// What writing would meet, found before a long run: also makes an empty file beside the place, and removes it.
std::optional<Problem> checkContainerPath(const std::string& path);

/// The container's bytes.
std::string containerBytes(const ProfileReport& report, const std::string& resultJson);

}  // namespace offload
