#include "engine/profile/whole_step_request.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/base/shown_value.h"
#include "engine/head/head_form.h"

namespace offload {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// Bytes that a double, and with it JavaScript, counts exactly.
constexpr std::uint64_t kMostExactBytes = std::uint64_t{1} << 53;
/// Heads hold up to 30 bytes for every pair of token and entry of the vocabulary; the rest of a step may be as much again.
constexpr std::uint64_t kBytesPerPair = 64;

const Words kEntropies{"none", "eager", "chunked", "checkpointed", "compiled"};
const Words kMasters{"bf16", "fp32"};
const Words kShards{"none", "fsdp2"};
const Words kReduces{"each", "last"};
const Words kPasses{"train", "logprob"};

std::string listed(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Problem problem(const char* code, const std::string& what, const std::string& cause, const std::string& next) {
  return {code, what, cause, next};
}

[[noreturn]] void fail(const char* code, const std::string& what, const std::string& cause) {
  throw EngineError(problem(code, what, cause, "Correct the value and start the profile again."));
}

template <typename Enum>
Enum readWord(const Json& value, const std::string& name, const Words& words) {
  const auto found = value.is_string() ? std::find(words.begin(), words.end(), value.get<std::string>()) : words.end();
  if (found == words.end()) fail("REQUEST_INVALID", name + " is " + shownValue(value) + ".",
      "It must be one of " + listed(words) + ".");
  return static_cast<Enum>(found - words.begin());
}

bool readFlag(const Json& value, const std::string& name) {
  if (!value.is_boolean()) fail("REQUEST_INVALID", name + " is neither true nor false.", "");
  return value.get<bool>();
}

std::uint32_t readCount(const Json& value, const std::string& name, std::uint32_t most, const char* code) {
  const bool isWhole = value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 && value.get<std::uint64_t>() <= most;
  if (!isWhole) fail(code, name + " is " + shownValue(value) + ".",
      "It must be a whole number from 1 to " + std::to_string(most) + ".");
  return static_cast<std::uint32_t>(value.get<std::uint64_t>());
}

std::string readHead(const Json& value) {
  const std::string name = value.is_string() ? value.get<std::string>() : std::string();
  if (name == kNoHead || isHead(name)) return name;
  fail("HEAD_UNKNOWN", "head is " + shownValue(value) + ".",
      "It must be one of " + std::string(kNoHead) + ", " + listed(headNames()) + ".");
}

std::optional<Problem> checkChunk(const char* name, std::uint64_t rows, std::uint64_t tokens) {
  if (rows <= tokens) return std::nullopt;
  return problem("CHUNK_TOO_LARGE", std::string(name) + " takes " + std::to_string(rows) + " rows at once.",
                 "A micro-batch has " + std::to_string(tokens) + " tokens.",
                     "Use a chunk of at most the tokens of a micro-batch.");
}

/// What no device with values computes.
std::optional<Problem> checkArithmetic(const WholeStep& step, const std::string& device) {
  const auto refuse = [&](const std::string& what) {
    return problem("HEAD_NOT_ON_DEVICE", what + " is asked for on the device " + shownValue(device) + ".", "It is simulated only.",
                   "Use a simulated device such as sim:h200, or on the CPU --head hf_eager, --head veomni_eager or none.");
  };
  if (step.hasHead() && !hasArithmetic(headForm({step.head, step.entropy, false, false}))) return refuse("The head " + shownValue(step.head));
  if (step.shard == Shard::fsdp2) return refuse("Sharding");
  if (step.master == MasterType::fp32) return refuse("A step with parameters in fp32");
  return std::nullopt;
}

}  // namespace

const Words& optimizerNames() {
  static const Words names{"none", "adamw_fused", "adamw_foreach", "adamw_loop"};
  return names;
}

bool readWholeStepMember(WholeStep& step, const std::string& name, const Json& value) {
  if (name == "head") step.head = readHead(value);
  else if (name == "entropy") step.entropy = readWord<Entropy>(value, name, kEntropies);
  else if (name == "autocast") step.isAutocast = readFlag(value, name);
  else if (name == "lossScaled") step.isLossScaled = readFlag(value, name);
  else if (name == "headChunk") step.headChunk = readCount(value, name, kMaxChunk, "REQUEST_INVALID");
  else if (name == "entropyChunk") step.entropyChunk = readCount(value, name, kMaxChunk, "REQUEST_INVALID");
  else if (name == "optimizer") step.optimizer = readWord<OptimizerKind>(value, name, optimizerNames());
  else if (name == "master") step.master = readWord<MasterType>(value, name, kMasters);
  else if (name == "shard") step.shard = readWord<Shard>(value, name, kShards);
  else if (name == "reduce") step.reduce = readWord<Reduce>(value, name, kReduces);
  else if (name == "accumulation") step.accumulation = readCount(value, name, kMaxAccumulation, "ACCUMULATION_INVALID");
  else if (name == "clip") step.clips = readFlag(value, name);
  else if (name == "pass") step.pass = readWord<Pass>(value, name, kPasses);
  else return false;
  return true;
}

std::optional<Problem> checkWholeStep(const ProfileRequest& request) {
  const WholeStep& step = request.wholeStep;
  if (step == WholeStep{}) return std::nullopt;
  if (auto found = checkEntropy(step.head, step.entropy)) return found;
  if (!request.device.starts_with("sim:")) {
    if (auto found = checkArithmetic(step, request.device)) return found;
  }
  if (step.pass == Pass::logprob && !step.hasHead()) {
    return problem("LOGPROB_NEEDS_HEAD", "The pass logprob is asked for without a head.", "Log-probabilities come from logits.",
                   "Choose a --head such as verl_flash.");
  }
  if (step.headChunk && step.hasHead() && headForm({step.head, step.entropy, false, false}).chunk == 0) {
    return problem("CHUNK_NOT_OF_HEAD", "The head " + shownValue(step.head) + " takes no chunk.",
                   "It computes logits of all tokens, or chooses its rows itself.",
                       "Leave --head-chunk out, or use a chunked head.");
  }
  if (step.shard == Shard::none && request.ranks.worldSize > 1 && !step.isStackOnly()) {
    return problem("WORLD_SIZE_INVALID", "The world size is " + std::to_string(request.ranks.worldSize) + " without sharding.",
                   "Only fsdp2 spreads a step over ranks here.", "Use --shard fsdp2 or --world-size 1.");
  }
  if (step.hasOptimizer() && request.ranks.optimizerBytes > 0) {
    return problem("OPTIMIZER_TWICE", "Both an optimizer and bytes of optimizer state are given.",
                   "The optimizer's states follow from its kind and the parameters.", "Leave --optimizer-bytes out.");
  }
  return std::nullopt;
}

std::optional<Problem> checkWholeStepOn(const DeviceInfo& device, const WholeStep& step) {
  if (device.kind != "cuda" || step == WholeStep{}) return std::nullopt;
  return problem("HEAD_NOT_ON_DEVICE", "The whole step is asked for on " + device.name + ".",
                 "On a GPU the decoder stack runs alone; head, optimizer and micro-batches run on the CPU and simulated.",
                 "Use a simulated device such as sim:h200, --device cpu, or --head none --optimizer none.");
}

std::optional<Problem> checkHeadOfModel(const WholeStep& step, std::string_view architecture) {
  if (!step.hasHead()) return std::nullopt;
  // transformers' endings of classes whose last layer has few outputs.
  constexpr std::array<std::string_view, 6> kOtherHeads{"Classification", "QuestionAnswering", "MultipleChoice", "RewardModel", "ValueHead", "Regression"};
  const bool hasOther = std::any_of(kOtherHeads.begin(), kOtherHeads.end(),
                                    [&](std::string_view other) { return architecture.find(other) != std::string_view::npos; });
  if (!hasOther) return std::nullopt;
  return problem("HEAD_NOT_OF_MODEL", "The model " + std::string(architecture) + " has no head over its vocabulary.",
                 "Its last layer has a few outputs, and the loss holds next to nothing.", "Use --head none.");
}

std::optional<Problem> checkWholeStepSizes(const WholeStep& step, std::uint64_t leastTokens, std::uint64_t mostTokens,
                                           std::uint64_t vocab, std::uint64_t hidden) {
  if (!step.hasHead()) return std::nullopt;
  if (step.headChunk) {
    if (auto found = checkChunk("The head", *step.headChunk, leastTokens)) return found;
  }
  if (step.entropy == Entropy::chunked && step.entropyChunk != kDefaultEntropyChunk) {
    if (auto found = checkChunk("The entropy", step.entropyChunk, leastTokens)) return found;
  }
  const std::uint64_t widest = std::max(mostTokens, hidden);
  if (widest <= kMostExactBytes / kBytesPerPair / std::max<std::uint64_t>(1, vocab)) return std::nullopt;
  return problem("PRODUCT_TOO_LARGE", "Tokens times vocabulary is too large.",
                 std::to_string(mostTokens) + " tokens and " + std::to_string(vocab) + " entries make byte counts beyond 2^53.",
                 "Use a shorter --seq, a smaller --micro-batch, or a model with a smaller vocabulary.");
}

void addWholeStep(nlohmann::ordered_json& workload, const WholeStep& step) {
  const auto word = [](const Words& words, auto value) { return words.at(static_cast<std::size_t>(value)); };
  workload["head"] = step.head;
  workload["entropy"] = word(kEntropies, step.entropy);
  workload["optimizer"] = word(optimizerNames(), step.optimizer);
  workload["master"] = word(kMasters, step.master);
  workload["accumulation"] = step.accumulation;
  workload["reduce"] = word(kReduces, step.reduce);
  workload["pass"] = word(kPasses, step.pass);
}

}  // namespace offload
