#include "engine/profile/profile.h"

#include <doctest/doctest.h>

#include <system_error>

#include "engine/device/device_decorator.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

ProfileRequest requestOf(const Json& config) {
  ProfileRequest request;
  request.configJson = config.dump();
  return request;
}

Json counters(std::uint64_t allocations, std::uint64_t reuses, std::uint64_t evictions, std::uint64_t drops) {
  return {{"allocations", allocations}, {"reuses", reuses}, {"evictions", evictions}, {"drops", drops}};
}

}  // namespace

TEST_CASE("bytes after forward are those of the recorded PyTorch runs") {
  ProfileRequest request = requestOf(recordedConfig());
  request.steps = 1;
  request.seqLens = {4096};
  request.gradientCheckpointing = Checkpointing::both;
  const Json result = profileJson(request, fakeFactory());
  REQUIRE(result["runs"].size() == 4);
  // By the table of saved tensors; PyTorch recorded 8,284,189,696 and 278,971,392 with its rounding to 512 bytes.
  CHECK(overStatic(result["runs"][1]) == 8'284'160'000u);
  CHECK(overStatic(result["runs"][0]) == 278'937'600u);
  // veomni_async with checkpointing leaves one layer input; without it moves nothing.
  CHECK(overStatic(result["runs"][2]) == 278'937'600u - 27u * 4096 * 1024 * 2);
  CHECK(overStatic(result["runs"][3]) == 8'284'160'000u);
  CHECK(result["runs"][3]["pool"] == counters(0, 0, 0, 0));
  CHECK(result["warnings"][0]["code"] == "NOTHING_OFFLOADED");
}

TEST_CASE("a larger model gives the recorded bytes too") {
  ProfileRequest request = requestOf(recordedLargerConfig());
  request.steps = 1;
  request.seqLens = {8192};
  request.gradientCheckpointing = Checkpointing::both;
  const Json result = profileJson(request, fakeFactory());
  CHECK(overStatic(result["runs"][1]) == 63'844'941'824u);
  CHECK(overStatic(result["runs"][0]) == 2'755'690'496u);
  CHECK(overStatic(result["runs"][2]) == 406'880'256u);
}

TEST_CASE("hooks inside the checkpointed layer keep what checkpointing would drop") {
  ProfileRequest request = requestOf(recordedConfig());
  request.steps = 7;
  request.seqLens = {16384};
  request.strategies = {"veomni_async"};
  request.patterns = {"model.layers.*.mlp"};
  const Json run = profileJson(request, fakeFactory())["runs"][0];
  // PyTorch recorded 12,457,280,512, of which 132,096 are its token ids and scalars; counters to the letter.
  CHECK(overStatic(run) == 12'457'148'416u);
  CHECK(run["pool"] == counters(54, 324, 0, 0));
}

TEST_CASE("a list given as a text selects the root and takes everything that can be taken") {
  ProfileRequest request = requestOf(recordedConfig());
  request.steps = 1;
  request.seqLens = {4096};
  request.patterns = std::vector<std::string>{"m", "*"};
  const Json result = profileJson(request, fakeFactory());
  // Recorded: 34 copies per step, nothing freed.
  CHECK(result["runs"][1]["copies"]["d2h"]["count"] == 34);
  CHECK(overStatic(result["runs"][1]) == overStatic(result["runs"][0]));
}

TEST_CASE("pool and pinned allocator count as recorded over seven steps") {
  const auto run = [](std::vector<std::uint32_t> seqLens, double limitGb, std::uint32_t steps) {
    ProfileRequest request = requestOf(recordedConfig());
    request.steps = steps;
    request.seqLens = std::move(seqLens);
    request.strategies = {"veomni_async"};
    request.cacheLimitGb = limitGb;
    return profileJson(request, fakeFactory())["runs"][0];
  };
  const Json fixed = run({16384}, 4, 7);
  CHECK(fixed["pool"] == counters(27, 162, 0, 0));
  CHECK(fixed["hostAllocator"] == Json{{"allocations", 27}, {"bytesHeld", 905'969'664u}});
  CHECK(overStatic(fixed) == 209'780'736u);
  CHECK(fixed["pinnedPeakBytes"] == 905'969'664u);

  const Json none = run({16384}, 0, 7);
  CHECK(none["pool"] == counters(189, 0, 0, 189));
  CHECK(none["hostAllocator"] == Json{{"allocations", 27}, {"bytesHeld", 905'969'664u}});

  const Json quarter = run({16384}, 0.25, 7);
  CHECK(quarter["pool"] == counters(141, 48, 133, 0));
  CHECK(quarter["hostAllocator"]["allocations"] == 27);

  CHECK(run({17000}, 4, 7)["hostAllocator"] == Json{{"allocations", 27}, {"bytesHeld", 1'811'939'328u}});

  const std::vector<std::uint32_t> varying = {10393, 9225,  12371, 10123, 16309, 15556, 15929,
                                              14411, 11631, 9729,  16185, 8656,  14578, 15282};
  const Json varied = run(varying, 4, 14);
  CHECK(varied["pool"] == counters(378, 0, 213, 0));
  CHECK(varied["hostAllocator"] == Json{{"allocations", 193}, {"bytesHeld", 6'476'005'376u}});
}

TEST_CASE("a layer that is listed twice behaves as if listed once") {
  ProfileRequest request = requestOf(recordedConfig());
  request.steps = 7;
  request.seqLens = {16384};
  request.strategies = {"veomni_async"};
  request.patterns = {"model.layers.*", "model.layers.{*}"};
  const Json run = profileJson(request, fakeFactory())["runs"][0];
  CHECK(run["pool"] == counters(27, 162, 0, 0));
  CHECK(overStatic(run) == 209'780'736u);
}

TEST_CASE("an early module with the last index keeps its tensor and shifts what is freed") {
  ProfileRequest request = requestOf(smallConfig());
  request.steps = 1;
  request.seqLens = {256};
  request.strategies = {"veomni_async"};
  request.patterns = {"model.layers.{*}"};
  const std::uint64_t straight = overStatic(profileJson(request, fakeFactory())["runs"][0]);
  request.patterns = {"model.layers.{*}", "model.embed_tokens"};
  const Json run = profileJson(request, fakeFactory())["runs"][0];
  // All four layers are copied now, and the last of them has not been freed when forward ends.
  CHECK(run["copies"]["d2h"]["count"] == 4);
  CHECK(overStatic(run) == straight);
}

TEST_CASE("runs come as asked, checkpointing on before off, and compare with a baseline that is not listed") {
  ProfileRequest request = requestOf(smallConfig());
  request.steps = 4;
  request.seqLens = {64, 32};
  request.strategies = {"veomni_async", "none", "veomni_async"};
  request.gradientCheckpointing = Checkpointing::both;
  const Json result = profileJson(request, fakeFactory());
  REQUIRE(result["runs"].size() == 4);
  CHECK(result["runs"][0]["strategy"] == "veomni_async");
  CHECK(result["runs"][0]["gradientCheckpointing"] == true);
  CHECK(result["runs"][1]["gradientCheckpointing"] == false);
  CHECK(result["runs"][2]["strategy"] == "none");
  CHECK(result["runs"][2]["pool"].is_null());
  CHECK(result["runs"][2]["patterns"].is_null());
  CHECK(result["runs"][0]["patterns"] == Json{"model.layers.{*}"});
  CHECK(result["runs"][0]["stepMs"]["samples"].size() == 2);
  CHECK(result["workload"] == Json{{"seqLens", {64, 32}}, {"microBatch", 1}, {"steps", 4}, {"warmup", 2}, {"seed", 0}});
  CHECK(result["runs"][0]["gradients"]["equalToBaseline"] == true);

  request.strategies = {"veomni_async"};
  request.gradientCheckpointing = Checkpointing::on;
  const Json alone = profileJson(request, fakeFactory());
  REQUIRE(alone["runs"].size() == 1);
  CHECK(alone["runs"][0]["gradients"]["equalToBaseline"] == true);
}

TEST_CASE("what cannot run is a problem with a code") {
  ProfileRequest request = requestOf(smallConfig());
  const auto code = [&] { return profileJson(request, fakeFactory())["problem"]; };

  request.strategies = {"verl_async"};
  CHECK(code() == "STRATEGY_UNAVAILABLE");
  request.strategies = {"verl_sync"};
  request.layers = 2;
  CHECK(code() == "TOO_FEW_LAYERS");
  request.strategies = {"all"};
  CHECK(code() == "TOO_FEW_LAYERS");
  request.layers.reset();
  request.strategies = {};
  request.patterns = {"transformer.h.{*}"};
  CHECK(code() == "SELECTION_EMPTY");
  request.patterns = {"model.{*}"};
  CHECK(code() == "SELECTION_TYPE_ERROR");
  request.patterns.reset();
  request.layers = 5;
  CHECK(code() == "LAYERS_OUT_OF_RANGE");
  request.layers.reset();
  request.outPath = "/nowhere/at/all/x.offload";
  CHECK(code() == "SAVE_FAILED");
  request.outPath.reset();
  request.configJson = "{";
  CHECK(code() == "MODEL_CONFIG_INVALID");
}

TEST_CASE("a finished result stays when it cannot be saved") {
  const auto folder = std::filesystem::temp_directory_path() / ("offload-unsaved-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  ProfileRequest request = requestOf(smallConfig());
  request.outPath = (folder / "x.offload").string();
  const std::atomic<bool> cancelled{false};
  // Its place goes while the run is under way.
  const auto onProgress = [&](const Progress& progress) {
    if (progress.phase == "save") std::filesystem::remove_all(folder);
  };
  const auto outcome = runProfile(request, fakeFactory(), onProgress, cancelled);
  REQUIRE(std::holds_alternative<ProfileOutcome>(outcome));
  const auto& finished = std::get<ProfileOutcome>(outcome);
  REQUIRE(finished.saveProblem);
  CHECK(finished.saveProblem->code == "SAVE_FAILED");
  CHECK(finished.saveProblem->cause == "The folder does not exist.");
  CHECK(Json::parse(finished.resultJson)["schema"] == "offload-profile/1");
}

TEST_CASE("too little memory is refused before the start, with both figures") {
  const DeviceFactory small = [](const std::string&, const std::atomic<bool>&) -> std::variant<std::unique_ptr<Device>, Problem> {
    auto device = std::make_unique<FakeDevice>();
    device->available = 1'000'000;
    return device;
  };
  const Json result = profileJson(requestOf(smallConfig()), small);
  CHECK(result["problem"] == "DEVICE_OUT_OF_MEMORY");
  CHECK(result["cause"].get<std::string>().find("1000000 bytes") != std::string::npos);
}

TEST_CASE("memory that runs out in the middle of a step is a problem and leaves nothing behind") {
  const DeviceFactory full = [](const std::string&, const std::atomic<bool>&) -> std::variant<std::unique_ptr<Device>, Problem> {
    auto device = std::make_unique<FakeDevice>();
    device->deviceLimit = 2'000'000;
    return device;
  };
  CHECK(profileJson(requestOf(smallConfig()), full)["problem"] == "DEVICE_OUT_OF_MEMORY");
}

TEST_CASE("a refused pinning is pageable memory and a warning") {
  const DeviceFactory refusing = [](const std::string&, const std::atomic<bool>&) -> std::variant<std::unique_ptr<Device>, Problem> {
    auto device = std::make_unique<FakeDevice>();
    device->pinnedLimit = 0;
    return device;
  };
  ProfileRequest request = requestOf(smallConfig());
  request.strategies = {"veomni_async"};
  const Json result = profileJson(request, refusing);
  CHECK(result["runs"][0]["pool"] == counters(3, 12, 0, 0));
  CHECK(result["runs"][0]["hostAllocator"] == Json{{"allocations", 0}, {"bytesHeld", 0}});
  CHECK(result["warnings"][0]["code"] == "PINNING_FAILED");
}

TEST_CASE("a profile that is cancelled in the middle says so") {
  std::atomic<bool> cancelled{false};
  const auto outcome = runProfile(requestOf(smallConfig()), fakeFactory(),
                                  [&](const Progress& progress) { cancelled = progress.phase == "run"; }, cancelled);
  REQUIRE(std::holds_alternative<Problem>(outcome));
  CHECK(std::get<Problem>(outcome).code == "CANCELLED");
}

TEST_CASE("warm-up is two steps, one of up to three, none of one") {
  const auto samples = [](std::uint32_t steps) {
    ProfileRequest request = requestOf(smallConfig());
    request.steps = steps;
    request.seqLens = {8};
    request.strategies = {"none"};
    return profileJson(request, fakeFactory())["runs"][0]["stepMs"]["samples"].size();
  };
  CHECK(samples(1) == 1);
  CHECK(samples(2) == 1);
  CHECK(samples(3) == 2);
  CHECK(samples(4) == 2);
  CHECK(samples(20) == 18);
}

namespace {

/// Says that it is a GPU, and takes longer from step to step if asked.
class GpuClock final : public DeviceDecorator {
 public:
  explicit GpuClock(double growth) : DeviceDecorator(fake_), growth_(growth) {}

  DeviceInfo info() const override { return {"cuda", "fake", "1.0", "none"}; }
  void synchronize() override {
    lateNs_ += stepNs_;
    stepNs_ *= growth_;
    inner().synchronize();
  }
  double nowNs() override { return inner().nowNs() + lateNs_; }

 private:
  FakeDevice fake_;
  double growth_;
  double stepNs_ = 1e6;
  double lateNs_ = 0;
};

Json timesOf(double growth, std::optional<std::uint32_t> steps) {
  ProfileRequest request = requestOf(smallConfig());
  request.seqLens = {8};
  request.strategies = {"none"};
  request.steps = steps;
  const Json result = profileJson(request, [&](const std::string&, const std::atomic<bool>&) -> std::variant<std::unique_ptr<Device>, Problem> {
    return std::make_unique<GpuClock>(growth);
  });
  const Json& run = result["runs"][0];
  return {run["steps"], run["stepMs"]["samples"].size(), run["stepMs"]["stable"]};
}

}  // namespace

TEST_CASE("a GPU measures until the median is stable or the limit is reached, unless the steps are given") {
  CHECK(timesOf(1, std::nullopt) == Json{5, 3, true});
  CHECK(timesOf(1.05, std::nullopt) == Json{50, 48, false});
  CHECK(timesOf(1.05, 7) == Json{7, 5, false});
  CHECK(timesOf(1, 4) == Json{4, 2, false});
}

TEST_CASE("steps that take too long end the repetition early") {
  const Json times = timesOf(1.5, std::nullopt);
  CHECK(times[0] > 5);
  CHECK(times[0] < 50);
  CHECK(times[2] == false);
}

TEST_CASE("other devices take five steps") {
  ProfileRequest request = requestOf(smallConfig());
  request.seqLens = {8};
  const Json result = profileJson(request, fakeFactory());
  for (const Json& run : result["runs"]) CHECK(run["steps"] == 5);
}

TEST_CASE("a refused thread is a problem, any other system error a bug") {
  const ProfileRequest request = requestOf(smallConfig());
  const auto refusing = [](std::errc code) -> DeviceFactory {
    return [code](const std::string&, const std::atomic<bool>&) -> std::variant<std::unique_ptr<Device>, Problem> {
      throw std::system_error(std::make_error_code(code));
    };
  };
  CHECK(profileJson(request, refusing(std::errc::resource_unavailable_try_again))["problem"] == "THREAD_REFUSED");
  CHECK_THROWS_AS(profileJson(request, refusing(std::errc::invalid_argument)), std::system_error);
}
