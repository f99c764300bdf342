#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/problem.h"
#include "engine/device/device.h"
#include "engine/profile/request.h"

namespace offload {

inline constexpr std::uint32_t kMaxChunk = 1u << 26;
inline constexpr std::uint32_t kMaxAccumulation = 4096;

/// Reads one member of a request that is about the whole step; false where the name is none of them. Throws EngineError with
/// REQUEST_INVALID, ACCUMULATION_INVALID or HEAD_UNKNOWN.
bool readWholeStepMember(WholeStep& step, const std::string& name, const nlohmann::json& value);

/// What does not go together (HEAD_NOT_ON_DEVICE, ENTROPY_NOT_OF_HEAD, LOGPROB_NEEDS_HEAD, WORLD_SIZE_INVALID and others), or
/// nothing.
std::optional<Problem> checkWholeStep(const ProfileRequest& request);

/// HEAD_NOT_ON_DEVICE where the device that was opened runs the stack alone, or nothing.
std::optional<Problem> checkWholeStepOn(const DeviceInfo& device, const WholeStep& step);

/// HEAD_NOT_OF_MODEL where the architecture that a config.json names ends in something else than logits over a vocabulary (a
/// classifier, a critic, a reward model), or nothing.
std::optional<Problem> checkHeadOfModel(const WholeStep& step, std::string_view architecture);

/// Problems that only the lengths show: CHUNK_TOO_LARGE, PRODUCT_TOO_LARGE.
std::optional<Problem> checkWholeStepSizes(const WholeStep& step, std::uint64_t leastTokens, std::uint64_t mostTokens,
                                           std::uint64_t vocab, std::uint64_t hidden);

/// The words of a request's member, in the order of the enum.
const std::vector<std::string>& optimizerNames();

/// Adds the members that the request could have had to a result's workload.
void addWholeStep(nlohmann::ordered_json& workload, const WholeStep& step);

}  // namespace offload
