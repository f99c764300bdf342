#include "engine/profile/request.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/shown_value.h"
#include "engine/profile/whole_step_request.h"
#include "engine/strategy/strategies.h"

namespace offload {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxListLength = 1024;
constexpr std::size_t kMaxTextBytes = 4096;

Problem invalid(const std::string& what, const std::string& range) {
  return {"REQUEST_INVALID", what, range, "Correct the value and start the profile again."};
}

[[noreturn]] void fail(const std::string& what, const std::string& range) { throw EngineError(invalid(what, range)); }

std::uint64_t readWhole(const Json& value, const std::string& name, std::uint64_t least, std::uint64_t most) {
  const std::string range = "It must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ".";
  // Numbers above 2^63 and negative ones differ in JSON's type; JavaScript writes 1e3 for none of these.
  if (!value.is_number_unsigned()) fail(name + " is " + shownValue(value) + ".", range);
  const auto number = value.get<std::uint64_t>();
  if (number < least || number > most) fail(name + " is " + std::to_string(number) + ".", range);
  return number;
}

std::string readText(const Json& value, const std::string& name, std::size_t mostBytes) {
  if (!value.is_string()) fail(name + " is no text.", "");
  std::string text = value.get<std::string>();
  if (text.size() > mostBytes) fail(name + " is too long.", "At most " + std::to_string(mostBytes) + " bytes are taken.");
  return text;
}

const Json& readList(const Json& value, const std::string& name) {
  if (!value.is_array()) fail(name + " is no list.", "It must be a list, even for one entry.");
  if (value.size() > kMaxListLength) {
    fail(name + " is too long.", "At most " + std::to_string(kMaxListLength) + " entries are taken.");
  }
  return value;
}

Checkpointing readCheckpointing(const Json& value) {
  const std::string text = readText(value, "gradientCheckpointing", kMaxTextBytes);
  if (text == "on") return Checkpointing::on;
  if (text == "off") return Checkpointing::off;
  if (text == "both") return Checkpointing::both;
  fail("gradientCheckpointing is " + shownValue(value) + ".", "It must be on, off or both.");
}

CopyKey readCopyKey(const Json& value) {
  const std::string text = readText(value, "doubleBufferKey", kMaxTextBytes);
  if (text == "layout") return CopyKey::layout;
  if (text == "original") return CopyKey::original;
  fail("doubleBufferKey is " + shownValue(value) + ".", "It must be layout or original.");
}

void readMember(ProfileRequest& request, const std::string& name, const Json& value) {
  constexpr std::uint64_t kMost32 = 0xffffffffu;
  if (name == "configJson") {
    request.configJson = readText(value, name, kMaxRequestBytes);
  } else if (name == "device") {
    request.device = readText(value, name, kMaxTextBytes);
  } else if (name == "strategies") {
    for (const Json& entry : readList(value, name)) request.strategies.push_back(readText(entry, "a strategy", kMaxTextBytes));
  } else if (name == "gradientCheckpointing") {
    request.gradientCheckpointing = readCheckpointing(value);
  } else if (name == "seqLens") {
    for (const Json& entry : readList(value, name)) {
      request.seqLens.push_back(static_cast<std::uint32_t>(readWhole(entry, "a sequence length", 1, kMaxSequenceLength)));
    }
  } else if (name == "microBatch") {
    request.microBatch = static_cast<std::uint32_t>(readWhole(value, name, 1, kMaxMicroBatch));
  } else if (name == "packedTokens") {
    request.packedTokens = static_cast<std::uint32_t>(readWhole(value, name, 1, kMaxSequenceLength));
  } else if (name == "layers") {
    request.layers = static_cast<std::uint32_t>(readWhole(value, name, 1, kMost32));
  } else if (name == "patterns") {
    request.patterns.emplace();
    for (const Json& entry : readList(value, name)) request.patterns->push_back(readText(entry, "a pattern", kMaxTextBytes));
  } else if (name == "cacheLimitGb") {
    if (!value.is_number()) fail("cacheLimitGb is no number.", "It must be a number of GiB, 0 or more.");
    request.cacheLimitGb = value.get<double>();
  } else if (name == "steps") {
    request.steps = static_cast<std::uint32_t>(readWhole(value, name, 1, kMaxSteps));
  } else if (name == "worldSize") {
    request.ranks.worldSize = static_cast<std::uint32_t>(readWhole(value, name, 1, kMaxWorldSize));
  } else if (name == "sequenceParallel") {
    request.ranks.sequenceParallel = static_cast<std::uint32_t>(readWhole(value, name, 1, kMaxWorldSize));
  } else if (name == "optimizerBytes") {
    request.ranks.optimizerBytes = static_cast<std::uint32_t>(readWhole(value, name, 0, kMaxOptimizerBytes));
  } else if (name == "seed") {
    request.seed = readWhole(value, name, 0, std::uint64_t{1} << 53);
  } else if (name == "outPath") {
    request.outPath = readText(value, name, kMaxTextBytes);
  } else if (name == "opModel") {
    request.opModel = readText(value, name, kMaxTextBytes);
  } else if (name == "doubleBufferKey") {
    request.doubleBufferKey = readCopyKey(value);
  } else if (name == "poison") {
    if (!value.is_boolean()) fail("poison is neither true nor false.", "");
    request.poison = value.get<bool>();
  } else if (readWholeStepMember(request.wholeStep, name, value)) {
    return;
  } else {
    fail("The request has an unknown member " + shownValue(name) + ".", "");
  }
}

std::optional<Problem> checkRanks(const ProfileRequest& request) {
  const TrainingRanks& ranks = request.ranks;
  const auto whole = [](std::uint32_t value) { return std::to_string(value); };
  if (ranks.worldSize < 1 || ranks.worldSize > kMaxWorldSize) {
    return invalid("The world size is " + whole(ranks.worldSize) + ".", "It must be from 1 to " + whole(kMaxWorldSize) + ".");
  }
  if (ranks.sequenceParallel < 1 || ranks.worldSize % ranks.sequenceParallel != 0) {
    return invalid("The sequence-parallel size is " + whole(ranks.sequenceParallel) + ".",
                   "It must divide the world size, " + whole(ranks.worldSize) + ".");
  }
  if (ranks.optimizerBytes > kMaxOptimizerBytes) {
    return invalid("The optimizer state is " + whole(ranks.optimizerBytes) + " bytes per parameter.",
                   "It must be from 0 to " + whole(kMaxOptimizerBytes) + ".");
  }
  for (const std::uint32_t seq : request.seqLens) {
    if (seq % ranks.sequenceParallel == 0) continue;
    return invalid("A sequence length is " + whole(seq) + ".",
                   "It must be a multiple of the sequence-parallel size, " + whole(ranks.sequenceParallel) + ".");
  }
  const bool isSimulated = request.device.starts_with("sim:");
  if (!isSimulated && request.packedTokens > 0) {
    return invalid("Packed rows are asked for on the device " + shownValue(request.device) + ".",
                   "Attention within the sequences of a row is simulated only: the device must be sim:NAME.");
  }
  if (isSimulated || ranks == TrainingRanks{}) return std::nullopt;
  return invalid("Several ranks are asked for on the device " + shownValue(request.device) + ".",
                 "World size, sequence parallelism and optimizer state are simulated only: the device must be sim:NAME.");
}

}  // namespace

std::optional<Problem> checkRequest(const ProfileRequest& request) {
  for (const std::string& strategy : request.strategies) {
    if (strategy == kAllStrategies || findStrategy(strategy) != nullptr) continue;
    return Problem{"STRATEGY_UNAVAILABLE", "The strategy " + shownValue(strategy) + " is not available.",
                   "This engine runs " + strategyNames(" and ") + ".",
                   "Choose some of these, or all."};
  }
  for (const std::uint32_t seq : request.seqLens) {
    if (seq >= 1 && seq <= kMaxSequenceLength && std::uint64_t{seq} * request.microBatch <= kMaxTokens) continue;
    if (seq >= 1 && seq <= kMaxSequenceLength) {
      return invalid("A micro-batch has " + std::to_string(std::uint64_t{seq} * request.microBatch) + " tokens.",
                     "Sequence length times micro-batch must be at most " + std::to_string(kMaxTokens) + ".");
    }
    return invalid("A sequence length is " + std::to_string(seq) + ".",
                   "It must be from 1 to " + std::to_string(kMaxSequenceLength) + ".");
  }
  if (request.microBatch < 1 || request.microBatch > kMaxMicroBatch) {
    return invalid("The micro-batch is " + std::to_string(request.microBatch) + ".",
                   "It must be from 1 to " + std::to_string(kMaxMicroBatch) + ".");
  }
  if (request.steps && (*request.steps < 1 || *request.steps > kMaxSteps)) {
    return invalid("The number of steps is " + std::to_string(*request.steps) + ".",
                   "It must be from 1 to " + std::to_string(kMaxSteps) + ".");
  }
  if (const auto problem = checkRanks(request)) return problem;
  if (const auto problem = checkWholeStep(request)) return problem;
  // The byte count must fit 63 bits, as the framework demands.
  if (!std::isfinite(request.cacheLimitGb) || request.cacheLimitGb < 0 || request.cacheLimitGb >= 8589934592.0) {
    return invalid("activation_offload_host_cache_limit_gb is " + shownValue(request.cacheLimitGb) + ".",
                   "It must be a number of GiB from 0 to below 8589934592.");
  }
  return std::nullopt;
}

std::variant<ProfileRequest, Problem> parseRequest(std::string_view json) {
  if (json.size() > kMaxRequestBytes) return invalid("The request is too long.", "");
  const Json document = Json::parse(json.begin(), json.end(), nullptr, false);
  if (document.is_discarded() || !document.is_object()) return invalid("The request is no JSON object.", "");
  try {
    ProfileRequest request;
    for (const auto& [name, value] : document.items()) readMember(request, name, value);
    if (const auto problem = checkRequest(request)) return *problem;
    return request;
  } catch (const EngineError& error) {
    return error.problem();
  }
}

}  // namespace offload
