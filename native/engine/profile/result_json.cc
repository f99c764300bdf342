#include "engine/profile/result_json.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/profile/whole_step_request.h"
#include "engine/strategy/strategies.h"

namespace offload {
namespace {

using Json = nlohmann::ordered_json;

std::string hexadecimal(std::uint64_t value) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

/// Mixes the steps' checksums in order, so that the figure stands for the whole run.
std::uint64_t combinedChecksum(const std::vector<std::uint64_t>& steps) {
  std::uint64_t combined = 0xcbf29ce484222325u;
  for (const std::uint64_t step : steps) combined = (combined ^ step) * 0x100000001b3u;
  return combined;
}

Json copyJson(const CopyTotals& copies) {
  return {{"count", copies.count},
          {"bytes", copies.bytes},
          {"busyNs", copies.busyNs},
          {"hiddenNs", copies.hiddenNs},
          {"exposedNs", copies.exposedNs}};
}

Json layerJson(const LayerMetrics& layer) {
  return {{"layer", layer.layer},
          {"d2h", copyJson(layer.d2h)},
          {"h2d", copyJson(layer.h2d)},
          {"hostStallNs", layer.hostStallNs},
          {"streamStallNs", layer.streamStallNs}};
}

Json gradientsJson(const ComparedRun& run) {
  Json gradients = {{"checksum", hexadecimal(combinedChecksum(run.outcome.checksums))}, {"equalToBaseline", nullptr}};
  if (run.gradients.isEqual) gradients["equalToBaseline"] = *run.gradients.isEqual;
  if (!run.gradients.reason.empty()) gradients["reason"] = run.gradients.reason;
  return gradients;
}

Json partsJson(const PartUses& parts) {
  Json json = Json::array();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].bytes == 0) continue;
    json.push_back({{"what", kMemoryPartNames[i]}, {"bytes", parts[i].bytes}, {"count", parts[i].count}});
  }
  return json;
}

/// Phases of the typical step, and what its peak is made of.
void addPhases(Json& json, const RunOutcome& outcome) {
  json["firstStepPeakBytes"] = outcome.firstStepPeakBytes;
  json["phases"] = Json::array();
  const StepPhase* highest = nullptr;
  for (const StepPhase& phase : outcome.phases) {
    json["phases"].push_back({{"phase", phase.name},
                              {"microBatch", phase.microBatch},
                              {"ms", phase.ms},
                              {"peakBytes", phase.peakBytes},
                              {"endBytes", phase.endBytes}});
    if (highest == nullptr || phase.peakBytes > highest->peakBytes) highest = &phase;
  }
  if (highest == nullptr) return;
  json["peak"] = {{"phase", highest->name}, {"microBatch", highest->microBatch}, {"parts", partsJson(highest->peakParts)}};
}

Json runJson(const ComparedRun& run, const Workload& workload) {
  const RunOutcome& outcome = run.outcome;
  const bool hasPool = outcome.pool.has_value();
  Json json;
  json["strategy"] = outcome.setting.strategy;
  json["gradientCheckpointing"] = outcome.setting.isCheckpointed;
  json["patterns"] = hasPool ? Json(workload.patterns) : Json(nullptr);
  json["cacheLimitBytes"] = hasPool ? Json(workload.cacheLimitBytes) : Json(nullptr);
  if (strategyTraits(outcome.setting.strategy).hasCopyKey) {
    json["doubleBufferKey"] = workload.copyKey == CopyKey::layout ? "layout" : "original";
  }
  json["steps"] = outcome.steps;
  json["stepMs"] = {{"median", outcome.medianMs}, {"samples", outcome.samplesMs}, {"stable", outcome.isStable}};
  json["staticBytes"] = outcome.staticBytes;
  json["afterForwardBytes"] = outcome.afterForwardBytes;
  json["peakBytes"] = outcome.peakBytes;
  if (!workload.wholeStep.isStackOnly()) addPhases(json, outcome);
  json["pinnedPeakBytes"] = outcome.pinnedPeakBytes;
  json["scratchBytes"] = outcome.scratchBytes;
  json["pool"] = nullptr;
  json["hostAllocator"] = nullptr;
  if (hasPool) {
    json["pool"] = {{"allocations", outcome.pool->allocations},
                    {"reuses", outcome.pool->reuses},
                    {"evictions", outcome.pool->evictions},
                    {"drops", outcome.pool->drops}};
  }
  if (outcome.setting.strategy != kNoOffload) {
    json["hostAllocator"] = {{"allocations", outcome.hostAllocations}, {"bytesHeld", outcome.hostBytesHeld}};
  }
  json["hostStallMs"] = outcome.metrics.hostStallNs / 1e6;
  json["streamStallMs"] = outcome.metrics.streamStallNs / 1e6;
  json["gradients"] = gradientsJson(run);
  json["copies"] = {{"d2h", copyJson(outcome.metrics.d2h)}, {"h2d", copyJson(outcome.metrics.h2d)}};
  json["layers"] = Json::array();
  for (const LayerMetrics& layer : outcome.metrics.layers) json["layers"].push_back(layerJson(layer));
  return json;
}

/// Which figures of a simulated run are exact, and how far off the others may be. Times of a step that the host bounds are
/// surer of the GPU than of the host, whose pace differs by a third from one recorded process to the next. Recorded whole steps lie
/// within a quarter of the simulated ones even where the host bounds them.
void addExactness(Json& json, const RunOutcome& outcome, const SimulatedDevice& device, const Workload& workload,
    bool isApproximated) {
  const OpModel& opModel = *workload.dimensions.opModel;
  const double widest = workload.wholeStep.isStackOnly() ? 0.9 : 0.25;
  const double share = std::min(widest, device.timeUncertainty + opModel.timeUncertainty + 0.7 * outcome.hostBoundShare);
  // Sequences of a packed row may be as short as data is: then next to nothing is left of attention.
  const double leastMs = workload.packedTokens == 0 ? outcome.medianMs : std::max(0.0, outcome.medianMs - outcome.attentionMs);
  json["stepMs"]["range"] = {leastMs * (1 - share), outcome.medianMs * (1 + share)};
  const char* counted = isApproximated ? "estimated" : "exact";
  json["exactness"] = {{"bytes", counted}, {"counters", counted}, {"times", "estimated"}, {"timeShare", share}};
  json["fitsDevice"] = outcome.peakBytes <= device.memoryBytes;
}

/// 10^9 bytes per second of all copies of a direction while they were under way; bytes per ns are the same number.
Json bandwidth(const std::vector<ComparedRun>& runs, CopyTotals StepMetrics::* direction) {
  double bytes = 0;
  double busyNs = 0;
  for (const ComparedRun& run : runs) {
    const CopyTotals& copies = run.outcome.metrics.*direction;
    bytes += static_cast<double>(copies.bytes);
    busyNs += copies.busyNs;
  }
  return busyNs > 0 ? Json(bytes / busyNs) : Json(nullptr);
}

Json modelJson(const Workload& workload) {
  const ModelDimensions& model = workload.dimensions;
  Json json = {{"modelType", model.modelType},
               {"architecture", model.architecture},
               {"hiddenSize", model.hidden},
               {"intermediateSize", model.intermediate},
               {"layers", model.layers},
               {"heads", model.heads},
               {"keyValueHeads", model.keyValueHeads},
               {"headDim", model.headDim},
               {"vocabSize", model.vocab},
               {"qkNorm", model.qkNorm},
               {"attentionBias", model.queryKeyValueBias},
               {"tiedEmbeddings", model.tiedEmbeddings},
               {"bytesPerElement", bytesPerElement(workload.element)},
               {"opModel", model.opModel->name}};
  if (model.residualStreams > 1) json["residualStreams"] = model.residualStreams;
  return json;
}

}  // namespace

std::string resultJson(const ProfileReport& report) {
  const DeviceInfo& device = report.device;
  const Workload& workload = report.workload;
  Json json;
  json["schema"] = "offload-profile/1";
  json["device"] = {{"kind", device.kind},
                    {"name", device.name},
                    {"driver", device.driver ? Json(*device.driver) : Json(nullptr)},
                    {"d2hGBps", bandwidth(report.runs, &StepMetrics::d2h)},
                    {"h2dGBps", bandwidth(report.runs, &StepMetrics::h2d)},
                    {"matmul", device.matmul}};
  if (device.numaNode) json["device"]["numaNode"] = *device.numaNode;
  json["model"] = modelJson(workload);
  json["workload"] = {{"seqLens", workload.seqLens},
                      {"microBatch", workload.microBatch},
                      {"steps", workload.steps},
                      {"warmup", workload.warmup},
                      {"seed", workload.seed}};
  if (workload.packedTokens > 0) json["workload"]["packedTokens"] = workload.packedTokens;
  json["runs"] = Json::array();
  const bool isApproximated = std::any_of(workload.dimensions.warnings.begin(), workload.dimensions.warnings.end(),
                                          [](const Warning& warning) { return warning.code == "MODEL_APPROXIMATED"; });
  for (const ComparedRun& run : report.runs) {
    json["runs"].push_back(runJson(run, workload));
    if (device.simulated) {
      addExactness(json["runs"].back(), run.outcome, *device.simulated, workload, isApproximated);
    }
  }
  if (device.simulated) {
    json["device"]["source"] = device.simulated->source;
    json["device"]["memoryBytes"] = device.simulated->memoryBytes;
  }
  if (!workload.wholeStep.isStackOnly()) addWholeStep(json["workload"], workload.wholeStep);
  if (workload.ranks != TrainingRanks{}) {
    json["workload"]["worldSize"] = workload.ranks.worldSize;
    json["workload"]["sequenceParallel"] = workload.ranks.sequenceParallel;
    json["workload"]["optimizerBytes"] = workload.ranks.optimizerBytes;
  }
  json["warnings"] = Json::array();
  for (const Warning& warning : report.warnings) {
    json["warnings"].push_back({{"code", warning.code}, {"message", warning.message}});
  }
  // Names come from config.json: bytes that are no UTF-8 must not fail the whole result.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace offload
