#include "tool/arguments.h"

#include <algorithm>
#include <utility>

#include "engine/model/op_model.h"
#include "engine/strategy/strategies.h"
#include "tool/whole_step_flags.h"

namespace offload {
namespace {

constexpr std::string_view kProgram = "this executable";

void readModel(ToolArguments& parsed, const GivenFlag& given) {
  if (!parsed.modelPath.empty()) refuse("--model and --config-json exclude each other.");
  parsed.modelPath = path(given);
  parsed.isDirectory = given.name == "--model";
}

void readStrategies(ToolArguments& parsed, const GivenFlag& given) {
  auto& asked = parsed.request.strategies;
  for (const std::string& name : given.values) {
    if (name != kAllStrategies && findStrategy(name) == nullptr) {
      refuse("--strategy " + name + " is not a strategy. Use one of " + strategyNames() + ", or all.");
    }
    if (std::find(asked.begin(), asked.end(), name) == asked.end()) asked.push_back(name);
  }
}

void readPatterns(ToolArguments& parsed, const GivenFlag& given) {
  auto& patterns = parsed.request.patterns;
  if (!patterns) patterns.emplace();
  patterns->insert(patterns->end(), given.values.begin(), given.values.end());
}

void readCheckpointing(ToolArguments& parsed, const GivenFlag& given) {
  const std::string& text = given.value();
  if (text != "on" && text != "off" && text != "both") refuse("--gc " + text + ": use on, off or both.");
  parsed.request.gradientCheckpointing =
      text == "on" ? Checkpointing::on : text == "off" ? Checkpointing::off : Checkpointing::both;
}

void readCopyKey(ToolArguments& parsed, const GivenFlag& given) {
  const std::string& text = given.value();
  if (text != "layout" && text != "original") refuse("--double-buffer-key " + text + ": use layout or original.");
  parsed.request.doubleBufferKey = text == "layout" ? CopyKey::layout : CopyKey::original;
}

/// Names of the op models that kernels can compute, or of the others.
std::string opModelNames(bool areComputable) {
  std::string names;
  for (const OpModel& model : opModels()) {
    if (model.isComputable == areComputable) names += (names.empty() ? "" : ", ") + model.name;
  }
  return names;
}

std::string defaultStrategies() {
  std::string names;
  for (const StrategyTraits& traits : strategies()) {
    if (traits.runsByDefault) names += (names.empty() ? "" : " and ") + traits.name;
  }
  return names;
}

/// Every flag of `profile`, in the order of the help text.
const std::vector<Flag<ToolArguments>>& flags() {
  using Arguments = ToolArguments;
  using Given = GivenFlag;
  static const std::vector<Flag<ToolArguments>> table = [] {
    std::vector<Flag<ToolArguments>> all = {
        {"--model", "DIR", Takes::value, "checkpoint directory; only its config.json is read", readModel},
        {"--config-json", "FILE", Takes::value, "the config.json itself", readModel},
        {"--config", "FILE", Takes::refused,
         "--config is not for this executable: reading a verl config needs Node, use `offload-lens profile`. "
         "Or give its values here: --strategy, --pattern, --gc, --cache-limit-gb."},
        {"--device", "D", Takes::value, "auto, cuda, cpu or sim:NAME (default auto: the first GPU that can be used, else the CPU)",
         [](Arguments& to, const Given& given) { to.request.device = deviceName(given); }},
        {"--strategy", "S...", Takes::values,
         strategyNames() + ", or all of them as `all` (default " + defaultStrategies() + ")", readStrategies},
        {"--gc", "on|off|both", Takes::value, "gradient checkpointing (default on)", readCheckpointing},
        {"--seq", "N[,N...]", Takes::value,
         "tokens per sequence; several lengths take turns over the steps (default 2048, on the CPU 256)",
         [](Arguments& to, const Given& given) { to.request.seqLens = wholeNumbers(given); }},
        {"--micro-batch", "N", Takes::value, "sequences per step (default 1)",
         [](Arguments& to, const Given& given) { to.request.microBatch = wholeNumber(given); }},
        {"--packed", "N", Takes::value,
         "on a simulated device: a row holds sequences of at most N tokens, and attention stays within them",
         [](Arguments& to, const Given& given) { to.request.packedTokens = wholeNumber(given); }},
        {"--layers", "N", Takes::value, "only the first N layers of the model",
         [](Arguments& to, const Given& given) { to.request.layers = wholeNumber(given); }},
        {"--world-size", "N", Takes::value,
         "on a simulated device: ranks of FSDP2 that share parameters and gradients (default 1)",
         [](Arguments& to, const Given& given) { to.request.ranks.worldSize = wholeNumber(given); }},
        {"--sp", "N", Takes::value, "of them, ranks that share one sequence (default 1)",
         [](Arguments& to, const Given& given) { to.request.ranks.sequenceParallel = wholeNumber(given); }},
        {"--optimizer-bytes", "N", Takes::value,
         "optimizer state per trained parameter, e.g. 8 for AdamW in fp32 (default none)",
         [](Arguments& to, const Given& given) { to.request.ranks.optimizerBytes = wholeNumber(given); }},
        {"--op-model", "NAME", Takes::value,
         "which tensors a layer saves: " + opModelNames(true) + ", or on a simulated device " + opModelNames(false) +
             " (default that of the model's family)",
         [](Arguments& to, const Given& given) { to.request.opModel = given.value(); }},
        {"--pattern", "P...", Takes::values, "activation_offload_modules (default all decoder layers)", readPatterns},
        {"--cache-limit-gb", "X", Takes::value, "limit of the idle host pool in GiB, 0 keeps nothing (default 4)",
         [](Arguments& to, const Given& given) { to.request.cacheLimitGb = gibibytes(given); }},
        {"--double-buffer-key", "K", Takes::value,
         "which saved tensors verl_double_buffer copies once: layout (same storage, shape and strides), or original for "
         "verl's own key, which mixes up layouts (default layout)",
         readCopyKey},
        {"--steps", "N", Takes::value,
         "all steps; the first two are warm-up, one if N <= 3, none if N = 1 (default 5; a GPU takes more until the median is "
         "stable to 0.5 %, at most 50 or 20 s of them)",
         [](Arguments& to, const Given& given) { to.request.steps = wholeNumber(given); }},
        {"--poison", "", Takes::nothing,
         "overwrite free device and host memory, so that a missing wait changes the gradients; times say nothing",
         [](Arguments& to, const Given&) { to.request.poison = true; }},
        {"--drop-wait", "N[,N...]", Takes::value,
         "a test of the schedules: leave these waits of each step out, and run the streams in unusual orders; with --poison "
         "the gradients then differ where a wait matters",
         [](Arguments& to, const Given& given) { to.request.dropWaits = wholeNumbers(given); }},
        {"--out", "FILE.offload", Takes::value, "save result and timeline; the editor opens it",
         [](Arguments& to, const Given& given) { to.request.outPath = path(given); }},
        // A command line of `offload-lens profile` works here, too.
        {"--json", "", Takes::nothing, "accepted and without effect: JSON is the only output"},
    };
    const std::vector<Flag<ToolArguments>> step = wholeStepFlags();
    all.insert(all.end() - 2, step.begin(), step.end());
    return all;
  }();
  return table;
}

}  // namespace

ParsedArguments parseArguments(const std::vector<std::string_view>& arguments) {
  const bool hasCommand = !arguments.empty() && arguments.front() == "profile";
  const std::vector<std::string_view> words(arguments.begin() + (hasCommand ? 1 : 0), arguments.end());
  ToolArguments parsed;
  const auto read = readFlags(words, flags(), kProgram, true, parsed);
  if (std::holds_alternative<HelpAsked>(read)) return HelpAsked{};
  if (std::holds_alternative<VersionAsked>(read)) return VersionAsked{};
  if (const auto* wrong = std::get_if<WrongUsage>(&read)) return *wrong;
  if (parsed.modelPath.empty()) return WrongUsage{"A model is needed: --model DIR or --config-json FILE."};
  return parsed;
}

std::string helpText() {
  return R"(offload-lens-engine: run the offload engine and print what it measured as JSON (schema offload-profile/1).

Usage: offload-lens-engine [profile] (--model DIR | --config-json FILE) [options]
       offload-lens-engine link [options]: measure the link between host and device, see link --help

)" + flagList(flags()) +
         R"(  --version, --help

A value that begins with -- is given as --flag=value.
Needs no Node. Reading a verl config (--config) does: use `offload-lens profile` for that.
Exit: 0 fine, 1 the run failed or was cancelled, 2 wrong usage.
)";
}

}  // namespace offload
