// Whole profiles on the CPU device: real kernels, real copies, streams that are threads.
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

ProfileRequest smallRequest() {
  ProfileRequest request;
  request.configJson = smallConfig().dump();
  request.seqLens = {256};
  request.microBatch = 2;
  request.steps = 3;
  return request;
}

constexpr std::uint64_t kLayerInput = 2 * 256 * 64 * 2;

}  // namespace

TEST_CASE("the small checkpoint: bytes by the table, three copies each way, equal gradients, pool 3/6/0/0") {
  ProfileRequest request = smallRequest();
  request.gradientCheckpointing = Checkpointing::both;
  const Json result = profileJson(request, cpuFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  const Json& kept = result["runs"][0];
  const Json& moved = result["runs"][2];
  CHECK(overStatic(kept) == 624'640u);
  CHECK(overStatic(result["runs"][1]) == 6'096'896u);
  CHECK(overStatic(kept) - overStatic(moved) == 3 * kLayerInput);
  for (const char* direction : {"d2h", "h2d"}) {
    const Json& copies = moved["copies"][direction];
    CHECK(copies["count"] == 3);
    CHECK(copies["bytes"] == 3 * kLayerInput);
    CHECK(copies["busyNs"].get<double>() > 0);
    CHECK(copies["hiddenNs"].get<double>() + copies["exposedNs"].get<double>() == doctest::Approx(copies["busyNs"].get<double>()));
  }
  CHECK(moved["pool"] == Json{{"allocations", 3}, {"reuses", 6}, {"evictions", 0}, {"drops", 0}});
  for (const Json& run : result["runs"]) {
    CHECK(run["gradients"]["equalToBaseline"] == true);
    // Recomputation repeats the same bits, so checkpointing changes nothing either.
    CHECK(run["gradients"]["checksum"] == kept["gradients"]["checksum"]);
    CHECK(run["staticBytes"] == kept["staticBytes"]);
  }
  CHECK(result["device"]["d2hGBps"].get<double>() > 0);
}

TEST_CASE("another seed gives other gradients: the checksum sees them") {
  ProfileRequest request = smallRequest();
  request.strategies = {"none"};
  const Json first = profileJson(request, cpuFactory())["runs"][0]["gradients"]["checksum"];
  CHECK(profileJson(request, cpuFactory())["runs"][0]["gradients"]["checksum"] == first);
  request.seed = 1;
  CHECK(profileJson(request, cpuFactory())["runs"][0]["gradients"]["checksum"] != first);
}

TEST_CASE("trap: a pattern inside the checkpointed layer costs memory, and the gradients stay equal") {
  ProfileRequest request = smallRequest();
  request.patterns = {"model.layers.*.mlp"};
  const Json result = profileJson(request, cpuFactory());
  CHECK(overStatic(result["runs"][1]) > 3 * overStatic(result["runs"][0]));
  CHECK(result["runs"][1]["copies"]["d2h"]["count"] == 6);
  REQUIRE(result["warnings"].size() == 1);
  CHECK(result["warnings"][0]["code"] == "OFFLOAD_COSTS_MEMORY");
  CHECK(result["runs"][1]["gradients"]["equalToBaseline"] == true);
}

TEST_CASE("trap: a limit of 0 never reuses") {
  ProfileRequest request = smallRequest();
  request.cacheLimitGb = 0;
  const Json run = profileJson(request, cpuFactory())["runs"][1];
  CHECK(run["pool"] == Json{{"allocations", 9}, {"reuses", 0}, {"evictions", 0}, {"drops", 9}});
  CHECK(run["hostAllocator"]["allocations"] == 3);
  CHECK(run["gradients"]["equalToBaseline"] == true);
}

TEST_CASE("a limit below one buffer keeps nothing either") {
  ProfileRequest request = smallRequest();
  request.cacheLimitGb = static_cast<double>(kLayerInput - 1) / 1073741824.0;
  const Json run = profileJson(request, cpuFactory())["runs"][1];
  CHECK(run["pool"] == Json{{"allocations", 9}, {"reuses", 0}, {"evictions", 0}, {"drops", 9}});
  request.cacheLimitGb = static_cast<double>(kLayerInput) / 1073741824.0;
  // One buffer stays idle: of three returned per step the last, of three taken the first is that one.
  const Json one = profileJson(request, cpuFactory())["runs"][1];
  CHECK(one["pool"] == Json{{"allocations", 7}, {"reuses", 2}, {"evictions", 6}, {"drops", 0}});
  CHECK(one["hostAllocator"]["allocations"] == 3);
}

TEST_CASE("part of the layers: all selected ones but the last are copied") {
  for (const auto& [patterns, copies] : std::vector<std::pair<std::vector<std::string>, int>>{
           {{"model.layers.1"}, 0}, {{"model.layers.[02]"}, 1}, {{"model.layers.0", "model.layers.1", "model.layers.3"}, 2}}) {
    ProfileRequest request = smallRequest();
    request.patterns = patterns;
    const Json result = profileJson(request, cpuFactory());
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    CHECK(result["runs"][1]["copies"]["d2h"]["count"] == copies);
    CHECK(overStatic(result["runs"][0]) - overStatic(result["runs"][1]) == static_cast<std::uint64_t>(copies) * kLayerInput);
    CHECK(result["runs"][1]["gradients"]["equalToBaseline"] == true);
  }
}

TEST_CASE("a model of one layer runs; its layer is the last and stays") {
  ProfileRequest request = smallRequest();
  request.layers = 1;
  request.strategies = {"none", "veomni_async", "save_on_cpu"};
  const Json result = profileJson(request, cpuFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  CHECK(result["runs"][1]["copies"]["d2h"]["count"] == 0);
  CHECK(result["warnings"][0]["code"] == "NOTHING_OFFLOADED");
  CHECK(result["runs"][2]["gradients"]["equalToBaseline"] == true);
}

TEST_CASE("trap: varying lengths never reuse") {
  ProfileRequest request = smallRequest();
  request.seqLens = {256, 192, 224};
  const Json run = profileJson(request, cpuFactory())["runs"][1];
  CHECK(run["pool"] == Json{{"allocations", 9}, {"reuses", 0}, {"evictions", 0}, {"drops", 0}});
  CHECK(run["gradients"]["equalToBaseline"] == true);
}

TEST_CASE("gradients are equal for every kind of selected module") {
  const std::vector<std::vector<std::string>> selections = {
      {},
      {"*"},
      {"model.*"},
      {"model.layers.*.self_attn"},
      {"model.layers.*.self_attn.*"},
      {"model.layers.*.mlp.*"},
      {"model.layers.{*}", "model.layers.*.mlp"},
      {"model.layers.{*}", "model.embed_tokens"},
      {"model.layers.{*}", "model.layers.{*}"},
  };
  for (const auto& patterns : selections) {
    ProfileRequest request = smallRequest();
    request.seqLens = {32};
    request.strategies = {"veomni_async"};
    request.gradientCheckpointing = Checkpointing::both;
    request.patterns = patterns;
    const Json result = profileJson(request, cpuFactory());
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    CAPTURE(Json(patterns).dump());
    CHECK(result["runs"][0]["gradients"]["equalToBaseline"] == true);
    CHECK(result["runs"][1]["gradients"]["equalToBaseline"] == true);
  }
}

TEST_CASE("biases, tied embeddings and absent query norms run as well") {
  Json config = smallConfig();
  config["model_type"] = "qwen2";
  config["tie_word_embeddings"] = true;
  ProfileRequest request = smallRequest();
  request.configJson = config.dump();
  const Json result = profileJson(request, cpuFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  CHECK(result["model"]["attentionBias"] == true);
  CHECK(result["model"]["qkNorm"] == false);
  CHECK(result["runs"][1]["gradients"]["equalToBaseline"] == true);
}

TEST_CASE("failures of the device come back as problems") {
  CHECK(profileJson(smallRequest(), cpuFactory({.failAllocation = 100}))["problem"] == "DEVICE_OUT_OF_MEMORY");
  CHECK(profileJson(smallRequest(), cpuFactory({.memoryLimitBytes = 1'000'000}))["problem"] == "DEVICE_OUT_OF_MEMORY");
  const Json unpinned = profileJson(smallRequest(), cpuFactory({.failPinning = 2}));
  REQUIRE_MESSAGE(unpinned.contains("runs"), unpinned.dump());
  CHECK(unpinned["warnings"][0]["code"] == "PINNING_FAILED");
  CHECK(unpinned["runs"][1]["gradients"]["equalToBaseline"] == true);
}

TEST_CASE("a profile that is cancelled while kernels run ends as cancelled") {
  std::atomic<bool> cancelled{false};
  ProfileRequest request = smallRequest();
  const auto outcome = runProfile(request, cpuFactory(),
                                  [&](const Progress& progress) { cancelled = progress.phase == "run"; }, cancelled);
  REQUIRE(std::holds_alternative<Problem>(outcome));
  CHECK(std::get<Problem>(outcome).code == "CANCELLED");
}
