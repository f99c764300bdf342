#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/profile/profile_run.h"

namespace offload {

/// Whether a run's gradients equal those of its baseline, bit by bit in every step; `reason` where that is unknown or false.
struct GradientComparison {
  std::optional<bool> isEqual;
  std::string reason;
};

struct ComparedRun {
  RunOutcome outcome;
  GradientComparison gradients;
};

/// A whole result, before it is text.
struct ProfileReport {
  DeviceInfo device;
  Workload workload;
  std::vector<ComparedRun> runs;
  std::vector<Warning> warnings;
};

/// JSON of schema `offload-profile/1` (src/core/profile/result.ts), one line.
std::string resultJson(const ProfileReport& report);

}  // namespace offload
