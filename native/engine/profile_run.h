#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/copy_key.h"
#include "engine/device.h"
#include "engine/host_pool.h"
#include "engine/model_dimensions.h"
#include "engine/recorder.h"
#include "engine/request.h"
#include "engine/step_metrics.h"
#include "engine/warning.h"

namespace offload {

/// One strategy with or without checkpointing.
struct RunSetting {
  std::string strategy;   ///< one of `kStrategies`
  bool isCheckpointed = true;

  friend bool operator==(const RunSetting&, const RunSetting&) = default;
};

/// What all runs of a profile share.
struct Workload {
  ModelDimensions dimensions;
  ElementType element = ElementType::bf16;
  std::vector<std::uint32_t> seqLens;
  std::uint32_t microBatch = 1;
  std::uint32_t steps = 1;
  std::uint32_t warmup = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> patterns;
  std::uint64_t cacheLimitBytes = 0;
  TrainingRanks ranks;
  CopyKey copyKey = CopyKey::layout;
  bool mayRepeat = false;                  ///< take more than `steps` until the median is stable
  bool isPoisoned = false;                 ///< host memory is overwritten; the device is made to do so by the caller
  std::vector<std::uint32_t> droppedWaits;
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
  std::uint64_t pinnedPeakBytes = 0;   ///< host buffers in flight at once
  std::uint64_t scratchBytes = 0;
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
