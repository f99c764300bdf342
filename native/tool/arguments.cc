#include "tool/arguments.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "engine/strategy/strategies.h"

namespace offload {
namespace {

/// Thrown and caught inside this file only.
struct Wrong {
  std::string message;
};

[[noreturn]] void refuse(std::string message) { throw Wrong{std::move(message)}; }

bool isFlag(std::string_view word) { return word.starts_with("--"); }

/// Words still to read. `--flag=value` counts as two.
class Words {
 public:
  explicit Words(const std::vector<std::string_view>& words) : words_(words) {}

  bool atEnd() const { return next_ == words_.size(); }

  std::string_view flag() {
    const std::string_view word = words_[next_++];
    const std::size_t equals = isFlag(word) ? word.find('=') : std::string_view::npos;
    if (equals == std::string_view::npos) return word;
    inlineValue_ = word.substr(equals + 1);
    return word.substr(0, equals);
  }

  std::string value(std::string_view flag) {
    if (inlineValue_) return std::string(*std::exchange(inlineValue_, std::nullopt));
    if (atEnd() || isFlag(words_[next_])) refuse(std::string(flag) + " needs a value.");
    return std::string(words_[next_++]);
  }

  std::vector<std::string> values(std::string_view flag) {
    if (inlineValue_) return {value(flag)};
    std::vector<std::string> all{value(flag)};
    while (!atEnd() && !isFlag(words_[next_])) all.emplace_back(words_[next_++]);
    return all;
  }

  void noValue(std::string_view flag) {
    if (inlineValue_) refuse(std::string(flag) + " takes no value.");
  }

 private:
  const std::vector<std::string_view>& words_;
  std::size_t next_ = 0;
  std::optional<std::string_view> inlineValue_;
};

std::uint32_t wholeNumber(std::string_view flag, std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0) {
    refuse(std::string(flag) + " " + std::string(text) + ": use a whole number from 1.");
  }
  return number;
}

std::vector<std::uint32_t> wholeNumbers(std::string_view flag, std::string_view text) {
  std::vector<std::uint32_t> numbers;
  while (true) {
    const std::size_t comma = text.find(',');
    numbers.push_back(wholeNumber(flag, text.substr(0, comma)));
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

double gibibytes(std::string_view flag, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !(number >= 0)) {
    refuse(std::string(flag) + " " + std::string(text) + ": use a number of GiB, 0 or more.");
  }
  return number;
}

Checkpointing checkpointing(std::string_view text) {
  if (text == "on") return Checkpointing::on;
  if (text == "off") return Checkpointing::off;
  if (text == "both") return Checkpointing::both;
  refuse("--gc " + std::string(text) + ": use on, off or both.");
}

std::string device(std::string text) {
  const bool isSimulated = text.starts_with("sim:") && text.size() > 4;
  if (text == "auto" || text == "cuda" || text == "cpu" || isSimulated) return text;
  refuse("--device " + text + ": use auto, cuda, cpu or sim:NAME.");
}

CopyKey copyKey(std::string_view text) {
  if (text == "layout") return CopyKey::layout;
  if (text == "original") return CopyKey::original;
  refuse("--double-buffer-key " + std::string(text) + ": use layout or original.");
}

std::string path(std::string_view flag, std::string text) {
  if (text.empty()) refuse(std::string(flag) + " needs a path.");
  return text;
}

void addStrategies(std::vector<std::string>& strategies, const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (name != kAllStrategies && findStrategy(name) == nullptr) {
      refuse("--strategy " + name +
             " is not a strategy. Use one of " + strategyNames() + ", or all.");
    }
    if (std::find(strategies.begin(), strategies.end(), name) == strategies.end()) strategies.push_back(name);
  }
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string_view>& words) : words_(words) {}

  ParsedArguments parse() {
    while (!words_.atEnd()) {
      const std::string_view flag = words_.flag();
      if (flag == "--help" || flag == "-h") return HelpAsked{};
      if (flag == "--version") return VersionAsked{};
      if (flag == "--json") {
        // The only output there is; accepted so that a command line of `offload-lens profile` works here.
        words_.noValue(flag);
      } else if (flag == "--strategy") {
        addStrategies(parsed_.request.strategies, words_.values(flag));
      } else if (flag == "--pattern") {
        if (!parsed_.request.patterns) parsed_.request.patterns.emplace();
        for (std::string& pattern : words_.values(flag)) parsed_.request.patterns->push_back(std::move(pattern));
      } else {
        readSingle(flag);
      }
    }
    if (parsed_.modelPath.empty()) refuse("A model is needed: --model DIR or --config-json FILE.");
    return parsed_;
  }

 private:
  void readSingle(std::string_view flag) {
    if (std::find(seen_.begin(), seen_.end(), flag) != seen_.end()) refuse(std::string(flag) + " is given twice.");
    seen_.push_back(flag);
    ProfileRequest& request = parsed_.request;
    if (flag == "--model" || flag == "--config-json") {
      if (!parsed_.modelPath.empty()) refuse("--model and --config-json exclude each other.");
      parsed_.modelPath = path(flag, words_.value(flag));
      parsed_.isDirectory = flag == "--model";
    } else if (flag == "--config") {
      refuse("--config is not for this executable: reading a verl config needs Node, use `offload-lens profile`. "
             "Or give its values here: --strategy, --pattern, --gc, --cache-limit-gb.");
    } else if (flag == "--device") {
      request.device = device(words_.value(flag));
    } else if (flag == "--gc") {
      request.gradientCheckpointing = checkpointing(words_.value(flag));
    } else if (flag == "--seq") {
      request.seqLens = wholeNumbers(flag, words_.value(flag));
    } else if (flag == "--micro-batch") {
      request.microBatch = wholeNumber(flag, words_.value(flag));
    } else if (flag == "--world-size") {
      request.ranks.worldSize = wholeNumber(flag, words_.value(flag));
    } else if (flag == "--sp") {
      request.ranks.sequenceParallel = wholeNumber(flag, words_.value(flag));
    } else if (flag == "--optimizer-bytes") {
      request.ranks.optimizerBytes = wholeNumber(flag, words_.value(flag));
    } else if (flag == "--layers") {
      request.layers = wholeNumber(flag, words_.value(flag));
    } else if (flag == "--cache-limit-gb") {
      request.cacheLimitGb = gibibytes(flag, words_.value(flag));
    } else if (flag == "--steps") {
      request.steps = wholeNumber(flag, words_.value(flag));
    } else if (flag == "--op-model") {
      request.opModel = words_.value(flag);
    } else if (flag == "--double-buffer-key") {
      request.doubleBufferKey = copyKey(words_.value(flag));
    } else if (flag == "--poison") {
      words_.noValue(flag);
      request.poison = true;
    } else if (flag == "--drop-wait") {
      request.dropWaits = wholeNumbers(flag, words_.value(flag));
    } else if (flag == "--out") {
      request.outPath = path(flag, words_.value(flag));
    } else if (isFlag(flag)) {
      refuse(std::string(flag) + " is not a flag of this executable.");
    } else {
      refuse("\"" + std::string(flag) + "\" is not expected here; every value follows a flag.");
    }
  }

  Words words_;
  ToolArguments parsed_;
  std::vector<std::string_view> seen_;
};

}  // namespace

ParsedArguments parseArguments(const std::vector<std::string_view>& arguments) {
  const bool hasCommand = !arguments.empty() && arguments.front() == "profile";
  const std::vector<std::string_view> words(arguments.begin() + (hasCommand ? 1 : 0), arguments.end());
  try {
    return Parser(words).parse();
  } catch (Wrong& wrong) {
    return WrongUsage{std::move(wrong.message)};
  }
}

std::string_view helpText() {
  return R"(offload-lens-engine: run the offload engine and print what it measured as JSON (schema offload-profile/1).

Usage: offload-lens-engine [profile] (--model DIR | --config-json FILE) [options]

  --model DIR            checkpoint directory; only its config.json is read
  --config-json FILE     the config.json itself
  --device D             auto, cuda, cpu or sim:NAME (default auto: the first GPU that can be used, else the CPU)
  --strategy S...        none, veomni_async, verl_sync, verl_double_buffer, save_on_cpu, or all of them as `all`
                         (default none and veomni_async)
  --gc on|off|both       gradient checkpointing (default on)
  --seq N[,N...]         tokens per sequence; several lengths take turns over the steps (default 2048, on the CPU 256)
  --micro-batch N        sequences per step (default 1)
  --layers N             only the first N layers of the model
  --world-size N         on a simulated device: ranks of FSDP2 that share parameters and gradients (default 1)
  --sp N                 of them, ranks that share one sequence (default 1)
  --optimizer-bytes N    optimizer state per trained parameter, e.g. 8 for AdamW in fp32 (default none)
  --op-model NAME        which tensors a layer saves: hf-eager, or on a simulated device fused, hf-eager-fused, gemma-eager,
                         olmo2-eager, cohere-eager, layernorm-gelu, layernorm-gelu-new, layernorm-relu or
                         fused-layernorm-gelu (default that of the model's family)
  --pattern P...         activation_offload_modules (default all decoder layers)
  --cache-limit-gb X     limit of the idle host pool in GiB, 0 keeps nothing (default 4)
  --double-buffer-key K  which saved tensors verl_double_buffer copies once: layout (same storage, shape and strides), or
                         original for verl's own key, which mixes up layouts (default layout)
  --steps N              all steps; the first two are warm-up, one if N <= 3, none if N = 1 (default 5; a GPU takes more
                         until the median is stable to 0.5 %, at most 50 or 20 s of them)
  --poison               overwrite free device and host memory, so that a missing wait changes the gradients; times say nothing
  --drop-wait N[,N...]   a test of the schedules: leave these waits of each step out, and run the streams in unusual orders;
                         with --poison the gradients then differ where a wait matters
  --out FILE.offload     save result and timeline; the editor opens it
  --json                 accepted and without effect: JSON is the only output
  --version, --help

Needs no Node. Reading a verl config (--config) does: use `offload-lens profile` for that.
Exit: 0 fine, 1 the run failed or was cancelled, 2 wrong usage.
)";
}

}  // namespace offload
