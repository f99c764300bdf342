#include "engine/profile/profile_run.h"

#include <algorithm>
#include <cmath>

#include "engine/model/decoder_model.h"
#include "engine/model/fsdp2_sharding.h"
#include "engine/model/sharded_training.h"
#include "engine/profile/repeat_policy.h"
#include "engine/profile/step_checksum.h"
#include "engine/strategy/strategies.h"
#include "engine/train/phase_spans.h"
#include "engine/train/training_step.h"

namespace offload {
namespace {

/// Recordings kept while the median is not known yet: those nearest to it so far.
constexpr std::size_t kMaxRecordings = 16;
/// Workspaces that the framework's libraries of matrix products allocate once: 32 MiB each, for two handles.
constexpr std::uint64_t kProductWorkspaceBytes = std::uint64_t{64} << 20;

std::unique_ptr<Sharding> makeSharding(Autograd& autograd, const Workload& workload) {
  const WholeStep& step = workload.wholeStep;
  const std::uint32_t ranks = workload.ranks.worldSize;
  if (step.shard.value_or(Shard::none) == Shard::fsdp2 || (!step.isStackOnly() && ranks > 1)) {
    return std::make_unique<Fsdp2Sharding>(autograd, step, ranks, workload.dimensions.layers);
  }
  if (ranks > 1) return std::make_unique<ShardedTraining>(autograd, ranks, workload.dimensions.layers);
  return nullptr;
}

/// Phases with the times that the recording found for their ends.
std::vector<StepPhase> timed(std::vector<StepPhase> phases, const std::vector<double>& endsNs) {
  double beforeNs = 0;
  for (std::size_t i = 0; i < phases.size() && i < endsNs.size(); ++i) {
    phases[i].ms = (endsNs[i] - beforeNs) / 1e6;
    beforeNs = endsNs[i];
  }
  return phases;
}

std::uint64_t highestOf(const std::vector<StepPhase>& phases) {
  std::uint64_t peakBytes = 0;
  for (const StepPhase& phase : phases) peakBytes = std::max(peakBytes, phase.peakBytes);
  return peakBytes;
}

struct MeasuredStep {
  double sampleMs = 0;
  std::uint64_t afterForwardBytes = 0;
  std::uint64_t peakBytes = 0;
  double attentionMs = 0;
  double hostBoundShare = 0;
  std::vector<StepPhase> phases;
  RecordedStep recording;
};

auto distanceTo(double medianMs) {
  return [medianMs](const MeasuredStep& a, const MeasuredStep& b) {
    return std::abs(a.sampleMs - medianMs) < std::abs(b.sampleMs - medianMs);
  };
}

/// Empties the device before anything that its queues could still touch is freed.
class DrainOnExit {
 public:
  explicit DrainOnExit(Device& device) : device_(device) {}
  ~DrainOnExit() {
    try {
      device_.synchronize();
    } catch (...) {
      // What failed has been reported by the step, or the run was cancelled: nothing is queued any more.
    }
  }
  DrainOnExit(const DrainOnExit&) = delete;
  DrainOnExit& operator=(const DrainOnExit&) = delete;

 private:
  Device& device_;
};

/// One run: the parts that live from its first step to its last.
class ProfileRun {
 public:
  ProfileRun(Device& device, const Workload& workload, const RunSetting& setting, const std::atomic<bool>& cancelled)
      : device_(device),
        workload_(workload),
        recorder_(device),
        executor_(device, ledger_, recorder_, cancelled),
        autograd_(executor_),
        allocator_(executor_, poison()),
        pool_(executor_, allocator_, workload.cacheLimitBytes, poison()),
        phases_(ledger_, recorder_),
        sharding_(makeSharding(autograd_, workload)),
        model_(autograd_, workload.dimensions, workload.element, workload.seed, sharding_.get(),
               workload.wholeStep.isStackOnly() ? ModelUse::stack : ModelUse::wholeStep),
        drain_(device) {
    outcome_.setting = setting;
    allocateOptimizerState();
    if (!workload.wholeStep.isStackOnly()) workspace_ = executor_.transient(kProductWorkspaceBytes);
    outcome_.staticBytes = ledger_.liveBytes();
    ledger_.onChange([this](const MemoryChange& change) { recorder_.deviceMemoryChanged(change); });
    executor_.dropWaits(workload.droppedWaits);
    strategy_ = makeStrategy(setting.strategy, {autograd_, pool_, model_.modules(), workload});
    training_.emplace(autograd_, model_, sharding_.get(), *strategy_, workload, setting.isCheckpointed);
  }

  /// Whether the asked steps are done, and those that a stable median takes beside them.
  bool isDone() const {
    if (outcome_.steps < workload_.steps) return false;
    return !workload_.mayRepeat || outcome_.steps >= kMostRepeatedSteps || measuredMs_ >= kMostRepeatedMs ||
           isMedianStable(outcome_.samplesMs);
  }
  std::uint32_t stepsDone() const { return outcome_.steps; }

  void step() {
    const std::uint32_t number = outcome_.steps++;
    MeasuredStep measured = runStep(number);
    if (number == 0) {
      outcome_.firstStepPeakBytes = measured.peakBytes;
      // The optimizer's states are there from now on.
      if (workload_.wholeStep.hasOptimizer()) outcome_.staticBytes = ledger_.liveBytes();
    }
    if (device_.computesValues()) outcome_.checksums.push_back(stepChecksum(executor_, training_->results()));
    if (number < workload_.warmup) return;
    outcome_.samplesMs.push_back(measured.sampleMs);
    measuredMs_ += measured.sampleMs;
    measuredSteps_.push_back(std::move(measured));
    if (measuredSteps_.size() > kMaxRecordings) {
      const double medianMs = medianOf(outcome_.samplesMs);
      measuredSteps_.erase(std::max_element(measuredSteps_.begin(), measuredSteps_.end(), distanceTo(medianMs)));
    }
  }

  RunOutcome finish() {
    outcome_.medianMs = medianOf(outcome_.samplesMs);
    outcome_.isStable = isMedianStable(outcome_.samplesMs);
    MeasuredStep& typical =
        *std::min_element(measuredSteps_.begin(), measuredSteps_.end(), distanceTo(outcome_.medianMs));
    outcome_.afterForwardBytes = typical.afterForwardBytes;
    outcome_.peakBytes = typical.peakBytes;
    outcome_.phases = timed(std::move(typical.phases), typical.recording.phaseEndsNs);
    addPhaseSpans(typical.recording, outcome_.phases,
                  workload_.wholeStep.isStackOnly() ? SpanDetail::passes : SpanDetail::phases);
    outcome_.attentionMs = typical.attentionMs;
    outcome_.hostBoundShare = typical.hostBoundShare;
    for (const MemoryPoint& point : typical.recording.pinnedMemory) {
      outcome_.pinnedPeakBytes = std::max(outcome_.pinnedPeakBytes, point.bytes);
    }
    outcome_.metrics = measure(typical.recording);
    outcome_.timeline = std::move(typical.recording);
    outcome_.scratchBytes = ledger_.scratchPeakBytes();
    outcome_.waits = executor_.waits();
    if (strategyTraits(outcome_.setting.strategy).selectsModules) {
      outcome_.pool = pool_.counters();
      outcome_.poolIdleBytes = pool_.idleBytes();
    }
    outcome_.hostAllocations = allocator_.driverAllocations();
    outcome_.hostBytesHeld = allocator_.bytesHeld();
    noteWarnings();
    return std::move(outcome_);
  }

 private:
  HostPoison poison() const { return workload_.isPoisoned ? HostPoison::on : HostPoison::off; }

  void allocateOptimizerState() {
    if (workload_.ranks.optimizerBytes == 0) return;
    std::uint64_t parameters = 0;
    for (const Parameter& parameter : model_.parameters()) parameters += parameter.value.layout.elementCount();
    const std::uint64_t own = (parameters + workload_.ranks.worldSize - 1) / workload_.ranks.worldSize;
    const PartScope part(executor_, MemoryPart::optimizerStates);
    optimizerState_ = executor_.allocate(Layout::contiguous(TensorType::f32, {own * workload_.ranks.optimizerBytes / 4}));
  }

  /// Token ids of one micro-batch; those of a step are numbered through over all steps.
  Tensor tokenIds(std::uint64_t number) {
    const std::uint32_t seq = workload_.seqLens[number % workload_.seqLens.size()] / workload_.ranks.sequenceParallel;
    Tensor ids = executor_.allocate(Layout::contiguous(TensorType::i32, {workload_.microBatch, seq}), Account::batch);
    executor_.launch("token ids", FillTokens{ids.address(), ids.layout.elementCount(), workload_.seed * 7919 + number,
                                             workload_.dimensions.vocab});
    return ids;
  }

  MeasuredStep runStep(std::uint32_t number) {
    model_.clearGradients();
    if (sharding_) sharding_->clearGradients();
    std::vector<Tensor> ids;
    const std::uint32_t microBatches = workload_.wholeStep.accumulation;
    for (std::uint32_t i = 0; i < microBatches; ++i) ids.push_back(tokenIds(std::uint64_t{number} * microBatches + i));
    device_.synchronize();
    device_.forgetTickets();
    executor_.beginStep();
    recorder_.beginStep(ledger_, pool_.inUseBytes());

    MeasuredStep measured;
    const double startNs = device_.nowNs();
    const double hostBoundNs = device_.hostBoundNs();
    const double attentionNs = device_.attentionNs();
    measured.afterForwardBytes = training_->run([&](std::uint32_t microBatch) { return ids[microBatch]; }, phases_);
    device_.synchronize();
    measured.sampleMs = (device_.nowNs() - startNs) / 1e6;
    measured.phases = phases_.phases();
    measured.peakBytes = highestOf(measured.phases);
    measured.attentionMs = (device_.attentionNs() - attentionNs) / 1e6;
    if (measured.sampleMs > 0) measured.hostBoundShare = (device_.hostBoundNs() - hostBoundNs) / 1e6 / measured.sampleMs;
    if (number >= workload_.warmup) measured.recording = recorder_.finishStep("step " + std::to_string(number + 1));
    return measured;
  }

  void noteWarnings() {
    if (pool_.pageableAllocations() > 0) {
      outcome_.warnings.push_back({"PINNING_FAILED", std::to_string(pool_.pageableAllocations()) +
                                                         " host buffers could not be pinned and are pageable: their "
                                                         "copies are slower than they would be in training."});
    }
    if (outcome_.pool && outcome_.pool->allocations + outcome_.pool->reuses == 0) {
      outcome_.warnings.push_back({"NOTHING_OFFLOADED",
                                   std::string("veomni_async ") +
                                       (outcome_.setting.isCheckpointed ? "with" : "without") +
                                       " checkpointing moved no tensor: no selected module is called and saves its own input."});
    }
    if (strategy_->aliveKeys() > 0) {
      outcome_.warnings.push_back({"OFFLOADED_NOT_READ", std::to_string(strategy_->aliveKeys()) +
                                                             " offloaded tensors were never read in backward."});
    }
    for (const std::uint32_t number : workload_.droppedWaits) noteDroppedWait(number);
  }

  void noteDroppedWait(std::uint32_t number) {
    const bool isKnown = number >= 1 && number <= outcome_.waits.size();
    const std::string run = outcome_.setting.strategy + (outcome_.setting.isCheckpointed ? " with" : " without") + " checkpointing";
    outcome_.warnings.push_back(
        {"WAIT_DROPPED", isKnown ? run + " ran without wait " + std::to_string(number) + " of each step (" +
                                       outcome_.waits[number - 1] + "), as asked."
                                 : run + " has " + std::to_string(outcome_.waits.size()) + " waits a step: none was number " +
                                       std::to_string(number) + "."});
  }

  Device& device_;
  const Workload& workload_;
  MemoryLedger ledger_;
  Recorder recorder_;
  Executor executor_;
  Autograd autograd_;
  PinnedAllocator allocator_;
  HostPool pool_;
  std::unique_ptr<Strategy> strategy_;
  StepPhases phases_;
  std::unique_ptr<Sharding> sharding_;
  DecoderModel model_;
  Tensor optimizerState_;
  Tensor workspace_;
  std::optional<TrainingStep> training_;
  RunOutcome outcome_;
  std::vector<MeasuredStep> measuredSteps_;
  double measuredMs_ = 0;
  DrainOnExit drain_;   ///< last: nothing above goes before the queues are empty
};

}  // namespace

RunOutcome runSetting(Device& device, const Workload& workload, const RunSetting& setting,
                      const std::atomic<bool>& cancelled, const std::function<void(std::uint32_t)>& onStep) {
  ProfileRun run(device, workload, setting, cancelled);
  while (!run.isDone()) {
    onStep(run.stepsDone());
    run.step();
  }
  return run.finish();
}

}  // namespace offload
