#include "tool/arguments.h"

#include <doctest/doctest.h>

using namespace offload;

namespace {

ToolArguments good(const std::vector<std::string_view>& words) {
  const ParsedArguments parsed = parseArguments(words);
  REQUIRE(std::holds_alternative<ToolArguments>(parsed));
  return std::get<ToolArguments>(parsed);
}

std::string wrong(const std::vector<std::string_view>& words) {
  const ParsedArguments parsed = parseArguments(words);
  const auto* usage = std::get_if<WrongUsage>(&parsed);
  return usage == nullptr ? "" : usage->message;
}

}  // namespace

TEST_CASE("every flag of profile lands in the request") {
  const ToolArguments parsed =
      good({"profile", "--model", "dir", "--device", "cpu", "--strategy", "none", "veomni_async", "none", "--gc", "both", "--seq", "256,128",
            "--micro-batch", "2", "--layers", "3", "--pattern", "model.layers.{*}", "x.*", "--cache-limit-gb", "0.25", "--steps", "7", "--out",
            "a.offload", "--json"});
  CHECK(parsed.modelPath == "dir");
  CHECK(parsed.isDirectory);
  CHECK(parsed.request.device == "cpu");
  CHECK(parsed.request.strategies == std::vector<std::string>{"none", "veomni_async"});
  CHECK(parsed.request.gradientCheckpointing == Checkpointing::both);
  CHECK(parsed.request.seqLens == std::vector<std::uint32_t>{256, 128});
  CHECK(parsed.request.microBatch == 2);
  CHECK(parsed.request.layers == 3U);
  CHECK(parsed.request.patterns == std::vector<std::string>{"model.layers.{*}", "x.*"});
  CHECK(parsed.request.cacheLimitGb == 0.25);
  CHECK(parsed.request.steps == 7);
  CHECK(parsed.request.outPath == "a.offload");
}

TEST_CASE("an op model's name is handed on; the engine knows which there are") {
  CHECK(good({"--model", "m", "--op-model", "fused"}).request.opModel == "fused");
  CHECK(good({"--model", "m"}).request.opModel.empty());
  CHECK(wrong({"--model", "m", "--op-model"}) == "--op-model needs a value.");
  CHECK(helpText().find("--op-model NAME") != std::string_view::npos);
}

TEST_CASE("the word profile may be left out, flags may carry their value, repeated flags add up") {
  const ToolArguments parsed = good({"--config-json=c.json", "--strategy=veomni_async", "--pattern=a=b", "--pattern", "c", "d"});
  CHECK(parsed.modelPath == "c.json");
  CHECK_FALSE(parsed.isDirectory);
  CHECK(parsed.request.strategies == std::vector<std::string>{"veomni_async"});
  CHECK(parsed.request.patterns == std::vector<std::string>{"a=b", "c", "d"});
}

TEST_CASE("all strategies, the double buffer's key and the flags for tests of schedules") {
  const ProfileRequest request = good({"--model", "m", "--strategy", "all", "--double-buffer-key", "original", "--poison",
                                       "--drop-wait", "3,7"})
                                     .request;
  CHECK(request.strategies == std::vector<std::string>{"all"});
  CHECK(request.doubleBufferKey == CopyKey::original);
  CHECK(request.poison);
  CHECK(request.dropWaits == std::vector<std::uint32_t>{3, 7});
  CHECK(wrong({"--model", "m", "--double-buffer-key", "shape"}) == "--double-buffer-key shape: use layout or original.");
  CHECK(wrong({"--model", "m", "--poison=1"}) == "--poison takes no value.");
}

TEST_CASE("what is not given keeps the request's default") {
  const ProfileRequest request = good({"--model", "m"}).request;
  CHECK(request.strategies.empty());
  CHECK(request.seqLens.empty());
  CHECK_FALSE(request.patterns);
  CHECK_FALSE(request.layers);
  CHECK_FALSE(request.steps);
  CHECK(request.doubleBufferKey == CopyKey::layout);
  CHECK_FALSE(request.poison);
  CHECK(request.dropWaits.empty());
}

TEST_CASE("help and version win over what stands behind them") {
  CHECK(std::holds_alternative<HelpAsked>(parseArguments({"--help"})));
  CHECK(std::holds_alternative<HelpAsked>(parseArguments({"profile", "-h", "--nonsense"})));
  CHECK(std::holds_alternative<VersionAsked>(parseArguments({"--version"})));
}

TEST_CASE("wrong usage is named") {
  CHECK(wrong({}) == "A model is needed: --model DIR or --config-json FILE.");
  CHECK(wrong({"--model"}) == "--model needs a value.");
  CHECK(wrong({"--model", "--json"}) == "--model needs a value.");
  CHECK(wrong({"--model="}) == "--model needs a path.");
  CHECK(wrong({"--model", "a", "--model", "b"}) == "--model is given twice.");
  CHECK(wrong({"--model", "a", "--config-json", "b"}) == "--model and --config-json exclude each other.");
  CHECK(wrong({"--model", "a", "--steps", "0"}) == "--steps 0: use a whole number from 1.");
  CHECK(wrong({"--model", "a", "--steps", "99999999999"}) != "");
  CHECK(wrong({"--model", "a", "--steps", "3x"}) != "");
  CHECK(wrong({"--model", "a", "--seq", "256,"}) == "--seq : use a whole number from 1.");
  CHECK(wrong({"--model", "a", "--cache-limit-gb", "-1"}) == "--cache-limit-gb -1: use a number of GiB, 0 or more.");
  CHECK(wrong({"--model", "a", "--cache-limit-gb", "nan"}) != "");
  CHECK(wrong({"--model", "a", "--gc", "maybe"}) == "--gc maybe: use on, off or both.");
  CHECK(wrong({"--model", "a", "--device", "sim:"}) == "--device sim:: use auto, cuda, cpu or sim:NAME.");
  CHECK(wrong({"--model", "a", "--strategy", "nothing"}).find("is not a strategy") != std::string::npos);
  CHECK(wrong({"--model", "a", "--config", "c.yaml"}).find("needs Node") != std::string::npos);
  CHECK(wrong({"--model", "a", "--json=1"}) == "--json takes no value.");
  CHECK(wrong({"--model", "a", "--nonsense"}) == "--nonsense is not a flag of this executable.");
  CHECK(wrong({"match"}) == "\"match\" is not expected here; every value follows a flag.");
}

TEST_CASE("flags of the whole step land in the request, or are refused with what they may be") {
  const WholeStep step = good({"--model", "m", "--head", "verl_torch", "--entropy", "chunked", "--autocast", "off", "--loss-scaled", "on",
                               "--entropy-chunk", "64", "--optimizer", "adamw_loop", "--master", "fp32", "--shard", "fsdp2", "--reduce",
                               "last", "--accumulation", "4", "--clip", "off", "--pass", "train"})
                             .request.wholeStep;
  CHECK(step.head == "verl_torch");
  CHECK(step.entropy == Entropy::chunked);
  CHECK(step.isAutocast == false);
  CHECK(step.isLossScaled == true);
  CHECK(step.entropyChunk == 64);
  CHECK(step.optimizer == OptimizerKind::adamwLoop);
  CHECK(step.master == MasterType::fp32);
  CHECK(step.shard == Shard::fsdp2);
  CHECK(step.reduce == Reduce::last);
  CHECK(step.accumulation == 4);
  CHECK_FALSE(step.clips);
  CHECK(wrong({"--model", "m", "--head", "critic"}).find("hf_eager") != std::string::npos);
  CHECK(wrong({"--model", "m", "--clip", "yes"}).find("on or off") != std::string::npos);
}
