#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/base/problem.h"
#include "engine/device/device_factory.h"
#include "engine/profile/request.h"

namespace offload {

/// Progress of a running profile, as `ProfileProgress` in src/core/profile/request.ts.
struct Progress {
  std::string phase;      ///< "prepare", "run" or "save"
  double fraction = 0;    ///< 0 … 1 over the whole request
  std::string message;    ///< e.g. "veomni_async, checkpointing on, step 3 of 5"
};

/// The result of a profile: JSON of schema `offload-profile/1` (src/core/profile/result.ts).
struct ProfileOutcome {
  std::string resultJson;
  /// The result stands, but not in the file that the request named: SAVE_FAILED.
  std::optional<Problem> saveProblem;
};

/// Called on the thread that runs the profile, several times a second at most.
using ProgressCallback = std::function<void(const Progress&)>;

/// Runs the whole request on the calling thread: every asked strategy with and without checkpointing, and its baseline.
/// Writes the container if the request has an `outPath`; one that can never be written there is a problem before the run, one
/// that could not be written after it stands beside the result. Problems: REQUEST_INVALID, STRATEGY_UNAVAILABLE,
/// MODEL_CONFIG_INVALID, MODEL_DIMENSIONS, SELECTION_EMPTY, SELECTION_TYPE_ERROR, TOO_FEW_LAYERS, POISON_UNAVAILABLE,
/// DROP_WAIT_UNAVAILABLE, those of the factory, DEVICE_OUT_OF_MEMORY, HOST_OUT_OF_MEMORY, SAVE_FAILED, CANCELLED.
std::variant<ProfileOutcome, Problem> runProfile(const ProfileRequest& request, const DeviceFactory& openDevice,
                                                 const ProgressCallback& onProgress, const std::atomic<bool>& cancelled);

}  // namespace offload
