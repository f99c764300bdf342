#include "engine/profile/profile_run.h"

#include <algorithm>
#include <cmath>

#include "engine/model/decoder_model.h"
#include "engine/profile/gradient_checksum.h"
#include "engine/profile/repeat_policy.h"
#include "engine/strategy/strategies.h"

namespace offload {
namespace {

/// Recordings kept while the median is not known yet: those nearest to it so far.
constexpr std::size_t kMaxRecordings = 16;

struct MeasuredStep {
  double sampleMs = 0;
  std::uint64_t afterForwardBytes = 0;
  std::uint64_t peakBytes = 0;
  double hostBoundShare = 0;
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
        sharding_(workload.ranks.worldSize > 1
                      ? std::make_unique<ShardedTraining>(autograd_, workload.ranks.worldSize, workload.dimensions.layers)
                      : nullptr),
        model_(autograd_, workload.dimensions, workload.element, workload.seed, sharding_.get()),
        drain_(device) {
    outcome_.setting = setting;
    allocateOptimizerState();
    outcome_.staticBytes = ledger_.liveBytes();
    ledger_.onChange([this](std::uint64_t liveBytes) { recorder_.deviceMemoryChanged(liveBytes); });
    executor_.dropWaits(workload.droppedWaits);
    strategy_ = makeStrategy(setting.strategy, {autograd_, pool_, model_.modules(), workload});
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
    if (device_.computesValues()) outcome_.checksums.push_back(gradientChecksum(executor_, model_.parameters()));
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
    optimizerState_ = executor_.allocate(Layout::contiguous(TensorType::f32, {own * workload_.ranks.optimizerBytes / 4}));
  }

  MeasuredStep runStep(std::uint32_t number) {
    const std::uint32_t seq = workload_.seqLens[number % workload_.seqLens.size()] / workload_.ranks.sequenceParallel;
    model_.clearGradients();
    const Tensor ids = executor_.allocate(Layout::contiguous(TensorType::i32, {workload_.microBatch, seq}), Account::batch);
    executor_.launch("token ids", FillTokens{ids.address(), ids.layout.elementCount(), workload_.seed * 7919 + number,
                                             workload_.dimensions.vocab});
    device_.synchronize();
    device_.forgetTickets();
    executor_.beginStep();
    recorder_.beginStep(ledger_.liveBytes(), pool_.inUseBytes());
    ledger_.resetPeak();

    MeasuredStep measured;
    const double startNs = device_.nowNs();
    const double hostBoundNs = device_.hostBoundNs();
    Tensor loss = model_.loss(ids, *strategy_, outcome_.setting.isCheckpointed);
    measured.afterForwardBytes = ledger_.liveBytes();
    recorder_.markForwardEnd();
    autograd_.backward(loss);
    loss = {};
    if (sharding_) sharding_->finishBackward();
    device_.synchronize();
    measured.sampleMs = (device_.nowNs() - startNs) / 1e6;
    measured.peakBytes = ledger_.peakBytes();
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
  std::unique_ptr<ShardedTraining> sharding_;
  DecoderModel model_;
  Tensor optimizerState_;
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
