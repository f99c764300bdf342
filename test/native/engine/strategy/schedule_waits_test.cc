// Which waits of each strategy carry weight. Free memory is overwritten, the streams run in their two most unusual orders, and
// one wait is left out: where it matters, the gradients change, every time.
#include <doctest/doctest.h>

#include <numeric>
#include <string>

#include "cpu/cpu_device.h"
#include "dropped_waits.h"
#include "engine/device/poisoning_device.h"
#include "engine/device/reordering_device.h"
#include "engine/profile/profile_run.h"

using namespace offload;
using namespace offload::testing;

namespace {

DeviceFactory cpuFactory() {
  return [](const std::string&, const std::atomic<bool>& cancelled) -> std::variant<std::unique_ptr<Device>, Problem> {
    return std::make_unique<CpuDevice>(cancelled, CpuDeviceOptions{.kernelThreads = 1});
  };
}

}  // namespace

TEST_CASE("every strategy is right in every order of the streams") {
  for (const char* strategy : {"veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"}) {
    for (const bool isCheckpointed : {true, false}) {
      CAPTURE(std::string(strategy));
      CAPTURE(isCheckpointed);
      CHECK(isEqual(runWithout(cpuFactory(), strategy, isCheckpointed, {kNoWait})));
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

TEST_CASE("veomni_async: which waits matter") { CHECK(weightOfWaits(cpuFactory(), "veomni_async", true) == waitsOfVeomniAsync()); }

TEST_CASE("veomni_async: letting memory go with neither of the two waits for the copy shows") {
  // The second layer's pack is the first to wait: waits 2 and 3 of the step.
  CHECK_FALSE(isEqual(runWithout(cpuFactory(), "veomni_async", true, {2, 3})));
  CHECK(isEqual(runWithout(cpuFactory(), "veomni_async", true, {2, 6})));
}

TEST_CASE("verl_double_buffer: which waits matter") {
  for (const bool isCheckpointed : {true, false}) {
    CHECK(weightOfWaits(cpuFactory(), "verl_double_buffer", isCheckpointed) == waitsOfDoubleBuffer(isCheckpointed));
  }
}

TEST_CASE("save_on_cpu: the host's waits are PyTorch's manner, not needed: everything runs on one stream") {
  for (const bool isCheckpointed : {true, false}) {
    std::vector<std::uint32_t> all(208);
    std::iota(all.begin(), all.end(), 1);
    CHECK(isEqual(runWithout(cpuFactory(), "save_on_cpu", isCheckpointed, all)));
  }
}

TEST_CASE("verl_sync never waits") {
  const std::string warning = warningOf(runWithout(cpuFactory(), "verl_sync", false, {kNoWait}));
  CHECK(warning.find(" has 0 waits a step") != std::string::npos);
}
