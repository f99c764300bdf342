#include "engine/profile/profile.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <new>
#include <optional>
#include <system_error>

#include "engine/device/poisoning_device.h"
#include "engine/device/reordering_device.h"
#include "engine/model/decoder_model.h"
#include "engine/profile/container_writer.h"
#include "engine/profile/memory_need.h"
#include "engine/profile/profile_run.h"
#include "engine/profile/result_json.h"
#include "engine/profile/whole_step_request.h"
#include "engine/strategy/strategies.h"

namespace offload {
namespace {

constexpr const char* kOutOfMemory = "DEVICE_OUT_OF_MEMORY";
constexpr std::uint32_t kDefaultSeq = 2048;
constexpr std::uint32_t kDefaultSeqOnCpu = 256;
constexpr auto kProgressInterval = std::chrono::milliseconds(100);

/// Tells progress at most ten times a second.
class ProgressTeller {
 public:
  explicit ProgressTeller(const ProgressCallback& callback) : callback_(callback) {}

  void tell(const char* phase, double fraction, const std::string& message) {
    const auto now = std::chrono::steady_clock::now();
    if (!callback_ || (phase == lastPhase_ && now - last_ < kProgressInterval)) return;
    last_ = now;
    lastPhase_ = phase;
    callback_({phase, fraction, message});
  }

 private:
  const ProgressCallback& callback_;
  std::chrono::steady_clock::time_point last_{};
  std::string lastPhase_;
};

/// Runs in the order of the result: as asked, checkpointing on before off; a repeated strategy runs once.
std::vector<RunSetting> askedSettings(const ProfileRequest& request) {
  std::vector<std::string> strategies;
  for (const std::string& strategy : request.strategies) {
    if (strategy == kAllStrategies) {
      for (const StrategyTraits& traits : offload::strategies()) strategies.push_back(traits.name);
    } else {
      strategies.push_back(strategy);
    }
  }
  if (strategies.empty()) {
    for (const StrategyTraits& traits : offload::strategies()) {
      if (traits.runsByDefault) strategies.push_back(traits.name);
    }
  }
  std::vector<RunSetting> settings;
  for (const std::string& strategy : strategies) {
    for (const bool isCheckpointed : {true, false}) {
      const Checkpointing other = isCheckpointed ? Checkpointing::off : Checkpointing::on;
      const RunSetting setting{strategy, isCheckpointed};
      if (request.gradientCheckpointing == other) continue;
      if (std::find(settings.begin(), settings.end(), setting) == settings.end()) settings.push_back(setting);
    }
  }
  return settings;
}

/// Baselines that nobody asked for; they run first and are not listed.
std::vector<RunSetting> impliedBaselines(const std::vector<RunSetting>& asked) {
  std::vector<RunSetting> implied;
  for (const RunSetting& setting : asked) {
    const RunSetting baseline{std::string(kNoOffload), setting.isCheckpointed};
    const bool isKnown = std::find(asked.begin(), asked.end(), baseline) != asked.end() ||
                         std::find(implied.begin(), implied.end(), baseline) != implied.end();
    if (!isKnown) implied.push_back(baseline);
  }
  return implied;
}

Workload makeWorkload(const ProfileRequest& request, ModelDimensions dimensions, const Device& device) {
  Workload workload;
  workload.element = request.element;
  workload.seqLens = request.seqLens;
  if (workload.seqLens.empty()) workload.seqLens = {device.info().kind == "cpu" ? kDefaultSeqOnCpu : kDefaultSeq};
  workload.microBatch = request.microBatch;
  workload.packedTokens = request.packedTokens;
  workload.steps = request.steps.value_or(kDefaultSteps);
  // The first step lacks the optimizer's states: it is never the only one.
  if (request.wholeStep.hasOptimizer()) workload.steps = std::max(workload.steps, 2u);
  workload.warmup = warmupSteps(workload.steps);
  // Elsewhere the noise is the machine's, or there is none.
  workload.mayRepeat = !request.steps && device.info().kind == "cuda";
  workload.copyKey = request.doubleBufferKey;
  workload.isPoisoned = request.poison;
  workload.droppedWaits = request.dropWaits;
  workload.seed = request.seed;
  workload.ranks = request.ranks;
  workload.wholeStep = request.wholeStep;
  workload.patterns = request.patterns.value_or(
      std::vector<std::string>{dimensions.baseName + "." + dimensions.layersName + ".{*}"});
  workload.cacheLimitBytes = static_cast<std::uint64_t>(request.cacheLimitGb * 1073741824.0);
  workload.dimensions = std::move(dimensions);
  return workload;
}

std::string gibibytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes + (std::uint64_t{1} << 30) / 20) / ((std::uint64_t{1} << 30) / 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

/// Refuses a run that cannot fit before it starts.
void requireMemory(const Device& device, const Workload& workload, const RunSetting& setting,
                   const std::atomic<bool>& cancelled) {
  // A simulated run that is too large for the real device is an answer, not a failure.
  if (device.info().simulated) return;
  const MemoryNeed need = memoryNeed(workload, setting, cancelled);
  // The CPU device's memory and its host buffers are the same machine's.
  const bool sharesMemory = device.info().kind == "cpu";
  const std::uint64_t needed = need.deviceBytes + (sharesMemory ? need.hostBytes : 0);
  const std::uint64_t available = device.availableBytes();
  if (needed <= available) return;
  const std::string limit = device.memoryLimit();
  throw EngineError({kOutOfMemory, "The model does not fit the device.",
                     setting.strategy + (setting.isCheckpointed ? " with" : " without") + " checkpointing needs about " +
                         gibibytes(needed) + " (" + std::to_string(needed) + " bytes), " + gibibytes(available) + " (" +
                         std::to_string(available) + " bytes) are available." + (limit.empty() ? "" : " " + limit),
                     "Use fewer --layers, a shorter --seq or a smaller --micro-batch."});
}

Problem outOfHostMemory() {
  return {"HOST_OUT_OF_MEMORY", "The machine ran out of memory during the profile.", "",
          "Use fewer --layers, a shorter --seq or a smaller --micro-batch."};
}

Problem threadRefused() {
  return {"THREAD_REFUSED", "The system refused another thread.", "The limit on processes and threads is reached.",
          "End other programs, or raise the limit (ulimit -u, pids.max of a container), and profile again."};
}

GradientComparison compare(const RunOutcome& run, const RunOutcome& baseline) {
  if (run.checksums.empty()) return {std::nullopt, "A simulated device computes no gradients."};
  // Bit by bit over the steps that both have.
  const std::size_t common = std::min(run.checksums.size(), baseline.checksums.size());
  const auto end = run.checksums.begin() + static_cast<std::ptrdiff_t>(common);
  const auto first = std::mismatch(run.checksums.begin(), end, baseline.checksums.begin()).first;
  if (first == end) return {true, ""};
  return {false, "The gradients differ from step " + std::to_string(first - run.checksums.begin() + 1) + " on."};
}

class Profile {
 public:
  Profile(const ProfileRequest& request, const ProgressCallback& onProgress, const std::atomic<bool>& cancelled)
      : request_(request), cancelled_(cancelled), progress_(onProgress) {}

  ProfileOutcome run(const DeviceFactory& openDevice) {
    progress_.tell("prepare", 0, "Reading the model");
    auto dimensions = readModelDimensions(request_.configJson, request_.layers, request_.device.starts_with("sim:"),
        request_.opModel);
    if (auto* problem = std::get_if<Problem>(&dimensions)) throw EngineError(*problem);
    if (request_.outPath) {
      if (const auto problem = checkContainerPath(*request_.outPath)) throw EngineError(*problem);
    }
    auto opened = openDevice(request_.device, cancelled_);
    if (auto* problem = std::get_if<Problem>(&opened)) throw EngineError(*problem);
    const std::unique_ptr<Device> device = std::move(std::get<std::unique_ptr<Device>>(opened));

    report_.device = device->info();
    if (const auto problem = checkWholeStepOn(report_.device, request_.wholeStep)) throw EngineError(*problem);
    report_.workload = makeWorkload(request_, std::get<ModelDimensions>(std::move(dimensions)), *device);
    report_.warnings = report_.workload.dimensions.warnings;
    checkSizes();
    layOutRows(*device);
    device->useOperatorCosts(report_.workload.dimensions.opModel->costs);
    asked_ = askedSettings(request_);
    implied_ = impliedBaselines(asked_);
    checkPoison(*device);
    for (const RunSetting& setting : asked_) {
      if (const auto problem = checkStrategy(setting.strategy, report_.workload)) throw EngineError(*problem);
    }
    for (const RunSetting& setting : asked_) requireMemory(*device, report_.workload, setting, cancelled_);
    runAll(*device);
    for (Warning& warning : device->warnings()) report_.warnings.push_back(std::move(warning));
    return save();
  }

 private:
  void checkSizes() const {
    const Workload& workload = report_.workload;
    if (const auto problem = checkHeadOfModel(workload.wholeStep, workload.dimensions.architecture)) throw EngineError(*problem);
    const auto [least, most] = std::minmax_element(workload.seqLens.begin(), workload.seqLens.end());
    const auto tokens = [&](std::uint32_t seq) { return std::uint64_t{seq} * workload.microBatch / workload.ranks.sequenceParallel; };
    const auto problem = checkWholeStepSizes(workload.wholeStep, tokens(*least), tokens(*most), workload.dimensions.vocab,
        workload.dimensions.hidden);
    if (problem) throw EngineError(*problem);
  }

  void layOutRows(Device& device) {
    const RowLayout layout{report_.workload.ranks.sequenceParallel, report_.workload.packedTokens};
    if (layout == RowLayout{}) return;
    if (layout.ranks > 1) checkSharing(layout.ranks);
    device.layOutRows(layout);
  }

  void checkSharing(std::uint32_t sharing) const {
    const auto refuse = [&](const std::string& what, std::uint64_t value) {
      throw EngineError({"REQUEST_INVALID", "The sequence-parallel size does not fit the model.",
                         what + " (" + std::to_string(value) + ") must be a multiple of it (" + std::to_string(sharing) + ").",
                         "Choose a size that divides it."});
    };
    if (report_.workload.dimensions.heads % sharing != 0) refuse("The number of heads", report_.workload.dimensions.heads);
    for (const std::uint32_t seq : report_.workload.seqLens) {
      if (seq % sharing != 0) refuse("A sequence length", seq);
    }
  }

  void checkPoison(const Device& device) {
    if (!request_.poison && request_.dropWaits.empty()) return;
    if (device.info().kind == "sim" && !request_.poison) {
      throw EngineError({"DROP_WAIT_UNAVAILABLE",
          "Leaving waits out is tested on a device with memory; a simulated one has none.",
                         "", "Use --device cpu or a GPU, with --poison."});
    }
    if (device.info().kind == "sim") {
      throw EngineError({"POISON_UNAVAILABLE", "A simulated device has no memory that could be overwritten.", "",
                         "Use --device cpu or a GPU."});
    }
    report_.warnings.push_back({"POISONED", "Free memory was overwritten to make missing waits visible: times say nothing."});
  }

  void tellStep(const RunSetting& setting, std::uint32_t done) {
    const std::uint32_t asked = report_.workload.steps;
    const double runs = static_cast<double>(asked_.size() + implied_.size());
    // Steps beyond the asked ones come until the median is stable; nobody knows how many.
    const double share = std::min(1.0, static_cast<double>(done) / asked);
    const std::string step = std::to_string(done + 1) + (done < asked ? " of " + std::to_string(asked) : std::string());
    progress_.tell("run", (runsDone_ + share) / runs,
                   setting.strategy + ", checkpointing " + (setting.isCheckpointed ? "on" : "off") + ", step " + step);
  }

  RunOutcome runOn(Device& device, const RunSetting& setting) {
    const auto onStep = [&](std::uint32_t done) { tellStep(setting, done); };
    if (!request_.poison) return runSetting(device, report_.workload, setting, cancelled_, onStep);
    PoisoningDevice poisoning(device);
    return runSetting(poisoning, report_.workload, setting, cancelled_, onStep);
  }

  RunOutcome runOne(Device& device, const RunSetting& setting) {
    RunOutcome outcome = request_.dropWaits.empty() ? runOn(device, setting) : runInAllOrders(device, setting);
    runsDone_ += 1;
    return outcome;
  }

  /// The first order's run, with the checksums of all.
  RunOutcome runInAllOrders(Device& device, const RunSetting& setting) {
    std::optional<RunOutcome> first;
    for (const LateStreams late : kAllOrders) {
      ReorderingDevice reordering(device, late);
      RunOutcome outcome = runOn(reordering, setting);
      if (first) {
        first->checksums.insert(first->checksums.end(), outcome.checksums.begin(), outcome.checksums.end());
      } else {
        first = std::move(outcome);
      }
    }
    return std::move(*first);
  }

  void runAll(Device& device) {
    std::map<bool, RunOutcome> baselines;
    std::map<bool, std::string> whyNoBaseline;
    for (const RunSetting& setting : implied_) {
      try {
        requireMemory(device, report_.workload, setting, cancelled_);
        RunOutcome outcome = runOne(device, setting);
        outcome.timeline = {};
        baselines.emplace(setting.isCheckpointed, std::move(outcome));
      } catch (const EngineError& error) {
        // A baseline that nobody asked for may be too large where the asked run is not.
        if (error.problem().code != kOutOfMemory) throw;
        whyNoBaseline.emplace(setting.isCheckpointed, "The baseline does not fit the device.");
      }
    }
    for (const RunSetting& setting : asked_) {
      RunOutcome outcome = runOne(device, setting);
      for (Warning& warning : outcome.warnings) report_.warnings.push_back(std::move(warning));
      noteMemory(outcome);
      report_.runs.push_back({std::move(outcome), {}});
    }
    for (ComparedRun& run : report_.runs) {
      const bool isCheckpointed = run.outcome.setting.isCheckpointed;
      const RunOutcome* baseline = findBaseline(isCheckpointed, baselines);
      run.gradients = baseline != nullptr ? compare(run.outcome, *baseline)
                                          : GradientComparison{std::nullopt, whyNoBaseline[isCheckpointed]};
      if (baseline != nullptr) noteCost(run.outcome, *baseline);
    }
  }

  void noteMemory(const RunOutcome& run) {
    const auto& simulated = report_.device.simulated;
    if (!simulated || run.peakBytes <= simulated->memoryBytes) return;
    report_.warnings.push_back({"DEVICE_MEMORY_EXCEEDED",
                                run.setting.strategy + (run.setting.isCheckpointed ? " with" : " without") +
                                    " checkpointing would need " + gibibytes(run.peakBytes) + "; " + report_.device.name +
                                    " has " + gibibytes(simulated->memoryBytes) + ". Training would end out of memory."});
  }

  /// Offload is there to save memory: say so where it does the opposite.
  void noteCost(const RunOutcome& run, const RunOutcome& baseline) {
    if (run.afterForwardBytes <= baseline.afterForwardBytes || workloadVaries()) return;
    report_.warnings.push_back(
        {"OFFLOAD_COSTS_MEMORY",
         run.setting.strategy + (run.setting.isCheckpointed ? " with" : " without") + " checkpointing keeps " +
             std::to_string(run.afterForwardBytes - baseline.afterForwardBytes) +
             " bytes more on the device after forward than the same run without offload. Hooks inside a checkpointed layer "
             "keep what checkpointing would drop: select whole layers."});
  }

  /// Steps of different lengths: the steps nearest the medians need not be of one length.
  bool workloadVaries() const {
    const auto& lengths = report_.workload.seqLens;
    return std::adjacent_find(lengths.begin(), lengths.end(), std::not_equal_to<>()) != lengths.end();
  }

  const RunOutcome* findBaseline(bool isCheckpointed, const std::map<bool, RunOutcome>& implied) const {
    for (const ComparedRun& run : report_.runs) {
      if (run.outcome.setting == RunSetting{std::string(kNoOffload), isCheckpointed}) return &run.outcome;
    }
    const auto found = implied.find(isCheckpointed);
    return found == implied.end() ? nullptr : &found->second;
  }

  ProfileOutcome save() {
    progress_.tell("save", 1, "Writing the result");
    ProfileOutcome outcome{resultJson(report_), std::nullopt};
    if (request_.outPath) {
      outcome.saveProblem = writeContainer(*request_.outPath, report_, outcome.resultJson);
    }
    return outcome;
  }

  const ProfileRequest& request_;
  const std::atomic<bool>& cancelled_;
  ProgressTeller progress_;
  ProfileReport report_;
  std::vector<RunSetting> asked_;
  std::vector<RunSetting> implied_;
  double runsDone_ = 0;
};

}  // namespace

std::variant<ProfileOutcome, Problem> runProfile(const ProfileRequest& request, const DeviceFactory& openDevice,
                                                 const ProgressCallback& onProgress, const std::atomic<bool>& cancelled) {
  if (const auto problem = checkRequest(request)) return *problem;
  try {
    return Profile(request, onProgress, cancelled).run(openDevice);
  } catch (const EngineError& error) {
    return error.problem();
  } catch (const std::bad_alloc&) {
    return outOfHostMemory();
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    return threadRefused();
  }
}

}  // namespace offload
