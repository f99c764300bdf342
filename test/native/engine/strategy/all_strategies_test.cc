// Every strategy with real kernels, real copies and streams that are threads: the gradients are those of the baseline.
#include <doctest/doctest.h>

#include "cpu/cpu_device.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

DeviceFactory cpuFactory(CpuDeviceOptions options = {}) {
  return [options](const std::string&, const std::atomic<bool>& cancelled) -> std::variant<std::unique_ptr<Device>, Problem> {
    return std::make_unique<CpuDevice>(cancelled, options);
  };
}

ProfileRequest requestFor(std::vector<std::string> strategies) {
  ProfileRequest request;
  request.configJson = smallConfig().dump();
  request.seqLens = {64, 48};
  request.microBatch = 2;
  request.steps = 4;
  request.strategies = std::move(strategies);
  request.gradientCheckpointing = Checkpointing::both;
  return request;
}

/// Two micro-batches of two short rows in each of two steps, under poison.
Json wholeStep(std::vector<std::string> strategies, OptimizerKind optimizer, bool isTied) {
  ProfileRequest request = requestFor(std::move(strategies));
  Json config = smallConfig();
  config["tie_word_embeddings"] = isTied;
  request.configJson = config.dump();
  request.seqLens = {16};
  request.steps = 2;
  request.poison = true;
  request.wholeStep.head = isTied ? "veomni_eager" : "hf_eager";
  request.wholeStep.optimizer = optimizer;
  request.wholeStep.accumulation = 2;
  return profileJson(request, cpuFactory());
}

}  // namespace

TEST_CASE("all strategies, with and without checkpointing, give the same bits") {
  for (const bool isPoisoned : {false, true}) {
    ProfileRequest request = requestFor({"all"});
    request.poison = isPoisoned;
    const Json result = profileJson(request, cpuFactory());
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    REQUIRE(result["runs"].size() == 10);
    const Json checksum = result["runs"][0]["gradients"]["checksum"];
    for (const Json& run : result["runs"]) {
      CAPTURE(run.dump());
      CHECK(run["gradients"]["equalToBaseline"] == true);
      CHECK(run["gradients"]["checksum"] == checksum);
      const bool isMoving = run["strategy"] != "none" && !(run["strategy"] == "veomni_async" && !run["gradientCheckpointing"]);
      CHECK((run["copies"]["d2h"]["count"].get<int>() > 0) == isMoving);
      CHECK(run["copies"]["d2h"]["bytes"].get<double>() == run["copies"]["h2d"]["bytes"].get<double>());
      CHECK(run["hostAllocator"].is_null() == (run["strategy"] == "none"));
      CHECK(run["pool"].is_null() == (run["strategy"] != "veomni_async"));
    }
  }
}

TEST_CASE("so they do in whole steps: head, two micro-batches, clip and AdamW, tied embeddings and own ones") {
  for (const bool isTied : {false, true}) {
    const Json result = wholeStep({"all"}, OptimizerKind::adamwFused, isTied);
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    REQUIRE(result["runs"].size() == 10);
    const Json checksum = result["runs"][0]["gradients"]["checksum"];
    for (const Json& run : result["runs"]) {
      CAPTURE(run["strategy"]);
      CHECK(run["gradients"]["equalToBaseline"] == true);
      CHECK(run["gradients"]["checksum"] == checksum);
      CHECK(run["phases"].size() == 10);
      std::uint64_t parts = 0;
      for (const Json& part : run["peak"]["parts"]) parts += part["bytes"].get<std::uint64_t>();
      CHECK(parts == run["peakBytes"].get<std::uint64_t>());
    }
  }
}

TEST_CASE("the kinds of AdamW differ in kernels and temporaries, not in what they compute") {
  const auto checksumOf = [](OptimizerKind kind) { return wholeStep({"none"}, kind, false)["runs"][0]["gradients"]["checksum"]; };
  const Json fused = checksumOf(OptimizerKind::adamwFused);
  CHECK(checksumOf(OptimizerKind::adamwForeach) == fused);
  CHECK(checksumOf(OptimizerKind::adamwLoop) == fused);
}

TEST_CASE("a whole step's result depends on the head, the clip and the number of micro-batches") {
  const auto checksumOf = [](const WholeStep& step) {
    ProfileRequest request = requestFor({"none"});
    request.gradientCheckpointing = Checkpointing::on;
    request.seqLens = {16};
    request.steps = 2;
    request.wholeStep = step;
    return profileJson(request, cpuFactory())["runs"][0]["gradients"]["checksum"];
  };
  WholeStep step;
  step.head = "hf_eager";
  step.optimizer = OptimizerKind::adamwFused;
  const Json whole = checksumOf(step);
  WholeStep other = step;
  other.head = kNoHead;
  CHECK(checksumOf(other) != whole);
  other = step;
  other.clips = false;
  CHECK(checksumOf(other) != whole);
  other = step;
  other.accumulation = 2;
  CHECK(checksumOf(other) != whole);
  CHECK(checksumOf(step) == whole);
}

TEST_CASE("so they do with several residual streams, whose copies have all of them") {
  ProfileRequest request = requestFor({"all"});
  Json config = smallConfig();
  config["model_type"] = "deepseek_v4";
  config["hc_mult"] = 4;
  request.configJson = config.dump();
  request.seqLens = {64};
  const Json result = profileJson(request, cpuFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  for (const Json& run : result["runs"]) {
    CAPTURE(run.dump());
    CHECK(run["gradients"]["equalToBaseline"] == true);
    const bool movesInputs = run["strategy"] == "veomni_async" && run["gradientCheckpointing"] == true;
    if (movesInputs) CHECK(run["copies"]["d2h"]["bytes"] == 3 * 2 * 64 * 4 * 64 * 2);
  }
}

TEST_CASE("the double buffer with verl's own key gives other gradients without checkpointing, and the same with it") {
  ProfileRequest request = requestFor({"verl_double_buffer"});
  request.doubleBufferKey = CopyKey::original;
  const Json result = profileJson(request, cpuFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  // Only layer inputs are saved with checkpointing: nothing is saved under two layouts.
  CHECK(result["runs"][0]["gradients"]["equalToBaseline"] == true);
  CHECK(result["runs"][1]["gradients"]["equalToBaseline"] == false);
  CHECK(result["runs"][1]["gradients"]["reason"] == "The gradients differ from step 1 on.");
  CHECK(result["runs"][1]["doubleBufferKey"] == "original");
}

TEST_CASE("verl's key copies less: the attention output goes once instead of twice") {
  ProfileRequest request = requestFor({"verl_double_buffer"});
  request.seqLens = {64};
  request.gradientCheckpointing = Checkpointing::off;
  const auto copies = [&](CopyKey key) {
    request.doubleBufferKey = key;
    return profileJson(request, cpuFactory())["runs"][0]["copies"]["d2h"]["count"].get<int>();
  };
  // Three offloaded layers.
  CHECK(copies(CopyKey::layout) - copies(CopyKey::original) == 3);
}

TEST_CASE("what fails to be pinned is pageable for every strategy, with a warning and the same gradients") {
  for (const char* strategy : {"veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"}) {
    ProfileRequest request = requestFor({strategy});
    const Json result = profileJson(request, cpuFactory({.failPinning = 2}));
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    CAPTURE(std::string(strategy));
    CHECK(result.dump().find("PINNING_FAILED") != std::string::npos);
    for (const Json& run : result["runs"]) CHECK(run["gradients"]["equalToBaseline"] == true);
  }
}

TEST_CASE("copies and standstills add up over the layers") {
  ProfileRequest request = requestFor({"veomni_async", "verl_double_buffer"});
  request.gradientCheckpointing = Checkpointing::on;
  const Json result = profileJson(request, cpuFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  for (const Json& run : result["runs"]) {
    double bytes = 0, hostStallNs = 0, streamStallNs = 0;
    std::vector<int> layersWithCopies;
    for (const Json& layer : run["layers"]) {
      bytes += layer["h2d"]["bytes"].get<double>();
      hostStallNs += layer["hostStallNs"].get<double>();
      streamStallNs += layer["streamStallNs"].get<double>();
      if (layer["h2d"]["count"] == 1) layersWithCopies.push_back(layer["layer"]);
    }
    CHECK(layersWithCopies == std::vector<int>{0, 1, 2});
    CHECK(bytes == run["copies"]["h2d"]["bytes"].get<double>());
    CHECK(hostStallNs / 1e6 == doctest::Approx(run["hostStallMs"].get<double>()));
    CHECK(streamStallNs / 1e6 == doctest::Approx(run["streamStallMs"].get<double>()));
  }
}
