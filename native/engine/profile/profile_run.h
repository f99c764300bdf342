#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/warning.h"
#include "engine/device/device.h"
#include "engine/profile/step_metrics.h"
#include "engine/strategy/host_pool.h"
#include "engine/strategy/workload.h"
#include "engine/tape/recorder.h"
#include "engine/train/step_phases.h"

namespace offload {

/// One strategy with or without checkpointing.
struct RunSetting {
  std::string strategy;   ///< a name of `strategies()`
  bool isCheckpointed = true;

  friend bool operator==(const RunSetting&, const RunSetting&) = default;
};

/// Warm-up steps among `steps`: two, one if there are at most three, none if there is one.
constexpr std::uint32_t warmupSteps(std::uint32_t steps) { return steps > 3 ? 2 : steps > 1 ? 1 : 0; }

/// What one run found. Bytes after forward, peaks, metrics and timeline describe the measured step nearest the median.
struct RunOutcome {
  RunSetting setting;
  double medianMs = 0;
  std::vector<double> samplesMs;
  std::uint32_t steps = 0;             ///< all of this run, warm-up included
  bool isStable = false;               ///< the median, see `isMedianStable`
  std::uint64_t staticBytes = 0;
  std::uint64_t afterForwardBytes = 0;
  std::uint64_t peakBytes = 0;
  std::uint64_t firstStepPeakBytes = 0;   ///< of the very first step, which makes the optimizer's states
  std::vector<StepPhase> phases;
  std::uint64_t pinnedPeakBytes = 0;   ///< host buffers in flight at once
  std::uint64_t scratchBytes = 0;
  double attentionMs = 0;              ///< of a simulated compute stream
  double hostBoundShare = 0;           ///< of the step, that a simulated compute stream waited for the host to issue work
  std::optional<HostPoolCounters> pool;   ///< of a strategy that has one
  std::uint64_t poolIdleBytes = 0;
  std::uint64_t hostAllocations = 0;
  std::uint64_t hostBytesHeld = 0;
  StepMetrics metrics;
  std::vector<std::uint64_t> checksums;   ///< of all parameter gradients, per step
  RecordedStep timeline;
  std::vector<std::string> waits;         ///< names of the last step's waits of host and streams, in order
  std::vector<Warning> warnings;
};

/// Runs all steps of one setting. `onStep` is told the number of steps done. Throws EngineError.
RunOutcome runSetting(Device& device, const Workload& workload, const RunSetting& setting,
                      const std::atomic<bool>& cancelled, const std::function<void(std::uint32_t stepsDone)>& onStep);

}  // namespace offload
