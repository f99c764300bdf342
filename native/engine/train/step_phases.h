#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/tape/memory_ledger.h"
#include "engine/tape/recorder.h"

namespace offload {

/// One part of a step, as it was queued. `ms` is the compute stream's time between the ends of two phases.
struct StepPhase {
  std::string name;                ///< stackForward, headForward, headBackward, stackBackward, clip or optimizer
  std::uint32_t microBatch = 0;
  double ms = 0;
  std::uint64_t peakBytes = 0;
  std::uint64_t endBytes = 0;
  PartUses peakParts{};            ///< add up to `peakBytes`
};

/// Notes the phases of a step one after the other.
class StepPhases {
 public:
  StepPhases(MemoryLedger& ledger, Recorder& recorder) : ledger_(ledger), recorder_(recorder) {}

  void begin() {
    phases_.clear();
    ledger_.resetPeak();
  }
  /// What ran since the last end was the phase `name`.
  void end(std::string name, std::uint32_t microBatch) {
    phases_.push_back({std::move(name), microBatch, 0, ledger_.peakBytes(), ledger_.liveBytes(), ledger_.peakParts()});
    recorder_.markPhaseEnd();
    ledger_.resetPeak();
  }
  const std::vector<StepPhase>& phases() const { return phases_; }

 private:
  MemoryLedger& ledger_;
  Recorder& recorder_;
  std::vector<StepPhase> phases_;
};

}  // namespace offload
