// Which waits of each strategy carry weight. Free memory is overwritten, the streams run in their two most unusual orders, and
// one wait is left out: where it matters, the gradients change, every time.
#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <string>

#include "cpu/cpu_device.h"
#include "engine/poisoning_device.h"
#include "engine/profile_run.h"
#include "engine/reordering_device.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

DeviceFactory cpuFactory() {
  return [](const std::string&, const std::atomic<bool>& cancelled) -> std::variant<std::unique_ptr<Device>, Problem> {
    return std::make_unique<CpuDevice>(cancelled, CpuDeviceOptions{.kernelThreads = 1});
  };
}

constexpr std::uint32_t kNoWait = 100'000;

Json runWithout(const std::string& strategy, bool isCheckpointed, std::vector<std::uint32_t> waits) {
  ProfileRequest request;
  Json config = smallConfig();
  config["vocab_size"] = 32;
  config["hidden_size"] = 32;
  config["intermediate_size"] = 48;
  config["head_dim"] = 8;
  request.configJson = config.dump();
  request.seqLens = {16};
  request.steps = 2;
  request.strategies = {strategy};
  request.gradientCheckpointing = isCheckpointed ? Checkpointing::on : Checkpointing::off;
  request.poison = true;
  request.dropWaits = std::move(waits);
  const Json result = profileJson(request, cpuFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  return result;
}

bool isEqual(const Json& result) { return result["runs"][0]["gradients"]["equalToBaseline"].get<bool>(); }

std::string warningOf(const Json& result) {
  for (const Json& warning : result["warnings"]) {
    if (warning["code"] == "WAIT_DROPPED") return warning["message"];
  }
  return "";
}

}  // namespace

TEST_CASE("every strategy is right in every order of the streams") {
  for (const char* strategy : {"veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"}) {
    for (const bool isCheckpointed : {true, false}) {
      CAPTURE(std::string(strategy));
      CAPTURE(isCheckpointed);
      CHECK(isEqual(runWithout(strategy, isCheckpointed, {kNoWait})));
    }
  }
}

TEST_CASE("verl's own key is wrong in the same way in every order: the fault is the key's, not a race") {
  Workload workload;
  workload.dimensions = std::get<ModelDimensions>(readModelDimensions(smallConfig().dump(), std::nullopt));
  workload.seqLens = {16};
  workload.steps = 2;
  workload.copyKey = CopyKey::original;
  workload.isPoisoned = true;
  const std::atomic<bool> cancelled{false};
  const auto checksums = [&](const char* strategy, LateStreams late) {
    CpuDevice device(cancelled, {.kernelThreads = 1});
    ReorderingDevice reordering(device, late);
    PoisoningDevice poisoning(reordering);
    return runSetting(poisoning, workload, {strategy, false}, cancelled, [](std::uint32_t) {}).checksums;
  };
  const auto wrong = checksums("verl_double_buffer", LateStreams::others);
  CHECK(wrong != checksums("none", LateStreams::others));
  CHECK(checksums("verl_double_buffer", LateStreams::compute) == wrong);
  CHECK(checksums("verl_double_buffer", LateStreams::all) == wrong);
}

namespace {

/// For each name of a wait, in the order in which it occurs: `X` if leaving it out changes the gradients, `.` if not.
std::map<std::string, std::string> weightOfWaits(const std::string& strategy, bool isCheckpointed) {
  std::map<std::string, std::string> weights;
  for (std::uint32_t number = 1;; ++number) {
    const Json result = runWithout(strategy, isCheckpointed, {number});
    const std::string warning = warningOf(result);
    if (warning.find("none was number") != std::string::npos) return weights;
    const std::size_t open = warning.find('(') + 1;
    weights[warning.substr(open, warning.find(')') - open)] += isEqual(result) ? '.' : 'X';
  }
}

using Weights = std::map<std::string, std::string>;

}  // namespace

TEST_CASE("veomni_async: which waits matter") {
  CHECK(weightOfWaits("veomni_async", true) ==
        Weights{
            // Before each copy to the host, and before the copies back. The fifth is redundant: the first prefetch follows a
            // copy that has just waited for the same point of the compute stream.
            {"wait for compute", "XXXX.X"},
            // Either of these two suffices: memory is let go when the host has seen the copy, or behind it in the compute stream.
            {"pack: wait for copy to host", "..."},
            {"wait for copy to host", "..."},
            // The host has waited for the same copy before it queues what reads it, ...
            {"wait for copy to device", "..."},
            // ... and it must have, since the buffer goes back to a pool whose idle buffers nobody guards.
            {"unpack: wait for copy", "XXX"},
        });
}

TEST_CASE("veomni_async: letting memory go with neither of the two waits for the copy shows") {
  // The second layer's pack is the first to wait: waits 2 and 3 of the step.
  CHECK_FALSE(isEqual(runWithout("veomni_async", true, {2, 3})));
  CHECK(isEqual(runWithout("veomni_async", true, {2, 6})));
}

TEST_CASE("verl_double_buffer: which waits matter") {
  // The copies back of the first group to come find a stream with nothing on it: the compute stream has nothing to wait for.
  const char* copiesBack = ".XXX";
  CHECK(weightOfWaits("verl_double_buffer", false) ==
        Weights{
            // Four of the d2h stream, three of the h2d stream. After the last commit of forward no copy follows.
            {"wait for compute", "XXX.XXX"},
            {"wait for copies to host", "XXX"},
            {"wait for copies to device", copiesBack},
        });
  CHECK(weightOfWaits("verl_double_buffer", true) ==
        Weights{
            // A layer's input, all that is saved, was ready at the commit before, for which the stream has waited.
            {"wait for compute", "X...XXX"},
            {"wait for copies to host", "XXX"},
            {"wait for copies to device", copiesBack},
        });
}

TEST_CASE("save_on_cpu: the host's waits are PyTorch's manner, not needed: everything runs on one stream") {
  for (const bool isCheckpointed : {true, false}) {
    std::vector<std::uint32_t> all(208);
    std::iota(all.begin(), all.end(), 1);
    CHECK(isEqual(runWithout("save_on_cpu", isCheckpointed, all)));
  }
}

TEST_CASE("verl_sync never waits") {
  const std::string warning = warningOf(runWithout("verl_sync", false, {kNoWait}));
  CHECK(warning.find(" has 0 waits a step") != std::string::npos);
}
