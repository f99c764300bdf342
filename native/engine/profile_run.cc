#include "engine/profile_run.h"

#include <algorithm>
#include <cmath>

#include "engine/decoder_model.h"
#include "engine/gradient_checksum.h"
#include "engine/selection.h"
#include "engine/veomni_async.h"

namespace offload {
namespace {

/// Recordings kept while the median is not known yet: those nearest to it so far.
constexpr std::size_t kMaxRecordings = 16;

struct MeasuredStep {
  double sampleMs = 0;
  std::uint64_t afterForwardBytes = 0;
  std::uint64_t peakBytes = 0;
  RecordedStep recording;
};

double medianOf(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

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
        allocator_(executor_),
        pool_(executor_, allocator_, workload.cacheLimitBytes),
        model_(autograd_, workload.dimensions, workload.element, workload.seed),
        drain_(device) {
    outcome_.setting = setting;
    outcome_.staticBytes = ledger_.liveBytes();
    ledger_.onChange([this](std::uint64_t liveBytes) { recorder_.deviceMemoryChanged(liveBytes); });
    makeStrategy();
  }

  void step(std::uint32_t number) {
    MeasuredStep measured = runStep(number);
    if (device_.computesValues()) outcome_.checksums.push_back(gradientChecksum(executor_, model_.parameters()));
    if (number < workload_.warmup) return;
    outcome_.samplesMs.push_back(measured.sampleMs);
    measuredSteps_.push_back(std::move(measured));
    if (measuredSteps_.size() > kMaxRecordings) {
      const double medianMs = medianOf(outcome_.samplesMs);
      measuredSteps_.erase(std::max_element(measuredSteps_.begin(), measuredSteps_.end(), distanceTo(medianMs)));
    }
  }

  RunOutcome finish() {
    outcome_.medianMs = medianOf(outcome_.samplesMs);
    MeasuredStep& typical =
        *std::min_element(measuredSteps_.begin(), measuredSteps_.end(), distanceTo(outcome_.medianMs));
    outcome_.afterForwardBytes = typical.afterForwardBytes;
    outcome_.peakBytes = typical.peakBytes;
    for (const MemoryPoint& point : typical.recording.pinnedMemory) {
      outcome_.pinnedPeakBytes = std::max(outcome_.pinnedPeakBytes, point.bytes);
    }
    outcome_.metrics = measure(typical.recording);
    outcome_.timeline = std::move(typical.recording);
    outcome_.scratchBytes = ledger_.scratchPeakBytes();
    if (outcome_.setting.strategy == "veomni_async") {
      outcome_.pool = pool_.counters();
      outcome_.poolIdleBytes = pool_.idleBytes();
      outcome_.hostAllocations = allocator_.driverAllocations();
      outcome_.hostBytesHeld = allocator_.bytesHeld();
      noteWarnings();
    }
    return std::move(outcome_);
  }

 private:
  void makeStrategy() {
    if (outcome_.setting.strategy == "none") {
      strategy_ = std::make_unique<NoOffload>();
      return;
    }
    auto selected = selectModules(model_.modules().tree, workload_.patterns);
    if (auto* problem = std::get_if<Problem>(&selected)) throw EngineError(*problem);
    strategy_ = std::make_unique<VeomniAsync>(autograd_, pool_, std::get<Selection>(selected),
                                              model_.modules().tree.modules.size());
  }

  MeasuredStep runStep(std::uint32_t number) {
    const std::uint32_t seq = workload_.seqLens[number % workload_.seqLens.size()];
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
    Tensor loss = model_.loss(ids, *strategy_, outcome_.setting.isCheckpointed);
    measured.afterForwardBytes = ledger_.liveBytes();
    recorder_.markForwardEnd();
    autograd_.backward(loss);
    loss = {};
    device_.synchronize();
    measured.sampleMs = (device_.nowNs() - startNs) / 1e6;
    measured.peakBytes = ledger_.peakBytes();
    if (number >= workload_.warmup) measured.recording = recorder_.finishStep("step " + std::to_string(number + 1));
    return measured;
  }

  void noteWarnings() {
    if (pool_.pageableAllocations() > 0) {
      outcome_.warnings.push_back({"PINNING_FAILED", std::to_string(pool_.pageableAllocations()) +
                                                         " host buffers could not be pinned and are pageable: their "
                                                         "copies are slower than they would be in training."});
    }
    if (outcome_.pool->allocations + outcome_.pool->reuses == 0) {
      outcome_.warnings.push_back({"NOTHING_OFFLOADED",
                                   std::string("veomni_async ") +
                                       (outcome_.setting.isCheckpointed ? "with" : "without") +
                                       " checkpointing moved no tensor: no selected module is called and saves its own input."});
    }
    if (strategy_->aliveKeys() > 0) {
      outcome_.warnings.push_back({"OFFLOADED_NOT_READ", std::to_string(strategy_->aliveKeys()) +
                                                             " offloaded tensors were never read in backward."});
    }
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
  DecoderModel model_;
  RunOutcome outcome_;
  std::vector<MeasuredStep> measuredSteps_;
  DrainOnExit drain_;   ///< last: nothing above goes before the queues are empty
};

}  // namespace

RunOutcome runSetting(Device& device, const Workload& workload, const RunSetting& setting,
                      const std::atomic<bool>& cancelled, const std::function<void(std::uint32_t)>& onStep) {
  ProfileRun run(device, workload, setting, cancelled);
  for (std::uint32_t number = 0; number < workload.steps; ++number) {
    onStep(number);
    run.step(number);
  }
  return run.finish();
}

}  // namespace offload
