// Whatever fails at whatever moment, a run ends with a coded problem and gives everything back.
#include <doctest/doctest.h>

#include <memory>
#include <thread>

#include "cpu/cpu_device.h"
#include "engine/profile/profile_run.h"
#include "engine_fixture.h"
#include "fault_device.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr const char* kOffloading[] = {"veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"};

Workload smallWorkload() {
  Workload workload;
  workload.dimensions = std::get<ModelDimensions>(readModelDimensions(smallConfig().dump(), 3));
  workload.seqLens = {8, 6};
  workload.steps = 2;
  workload.patterns = {"model.layers.{*}"};
  workload.cacheLimitBytes = 4096;
  return workload;
}

/// The code with which the run ended, empty for a good end.
std::string codeOf(Device& device, const RunSetting& setting, const std::atomic<bool>& cancelled, const Workload& workload) {
  try {
    runSetting(device, workload, setting, cancelled, [](std::uint32_t) {});
    return "";
  } catch (const EngineError& error) {
    CHECK_FALSE(error.problem().nextStep.empty());
    return error.problem().code;
  }
}

void checkNothingLeft(const FakeDevice& device) {
  CHECK(device.blocks.empty());
  CHECK(device.deviceBytes == 0);
  CHECK(device.pinned.empty());
  CHECK(device.liveEvents == 0);
  CHECK(device.liveStreams == 0);
}

EngineError injected() { return EngineError({"INJECTED", "A call failed.", "The test made it fail.", "Try again."}); }

}  // namespace

TEST_CASE("a failure of any call at any moment is the run's problem, and nothing is left") {
  constexpr Fault kFaults[] = {Fault::allocate, Fault::launch,     Fault::copyToHost, Fault::copyToDevice, Fault::record,
                               Fault::streamWait, Fault::hostWait, Fault::createStream, Fault::synchronize};
  const Workload workload = smallWorkload();
  const std::atomic<bool> cancelled{false};
  for (const char* strategy : kOffloading) {
    for (const bool isCheckpointed : {true, false}) {
      for (const Fault fault : kFaults) {
        std::uint64_t call = 1;
        for (bool struck = true; struck; ++call) {
          FakeDevice device;
          FaultDevice faulty(device, fault, call, [] { throw injected(); });
          const std::string code = codeOf(faulty, {strategy, isCheckpointed}, cancelled, workload);
          struck = faulty.hasStruck();
          // The last synchronisation only empties the queues of a run that is over: its failure has nobody to tell.
          const bool isGoodEnd = !struck || fault == Fault::synchronize;
          CAPTURE(std::string(strategy));
          CAPTURE(call);
          CHECK((code == "INJECTED" || (isGoodEnd && code.empty())));
          checkNothingLeft(device);
        }
      }
    }
  }
}

TEST_CASE("memory that cannot be pinned is pageable, from any allocation on") {
  const Workload workload = smallWorkload();
  const std::atomic<bool> cancelled{false};
  for (const char* strategy : kOffloading) {
    for (std::uint64_t limit = 0; limit < 40'000; limit += 1024) {
      FakeDevice device;
      device.pinnedLimit = limit;
      // Copies that are never over: pageable memory must wait for them.
      device.areEventsReady = false;
      CHECK(codeOf(device, {strategy, false}, cancelled, workload).empty());
      CHECK(codeOf(device, {strategy, true}, cancelled, workload).empty());
      checkNothingLeft(device);
    }
  }
}

TEST_CASE("a cancel at any moment ends the run as cancelled, and nothing is left") {
  const Workload workload = smallWorkload();
  for (const char* strategy : kOffloading) {
    for (const Fault moment : {Fault::launch, Fault::record, Fault::hostWait, Fault::synchronize}) {
      for (std::uint64_t call = 1;; ++call) {
        FakeDevice device;
        std::atomic<bool> cancelled{false};
        FaultDevice cancelling(device, moment, call, [&cancelled] { cancelled = true; });
        const std::string code = codeOf(cancelling, {strategy, true}, cancelled, workload);
        CHECK((code.empty() || code == "CANCELLED"));
        checkNothingLeft(device);
        if (!cancelling.hasStruck()) break;
      }
    }
  }
}

TEST_CASE("a cancel while real kernels and copies run ends the run, at several moments") {
  const Workload workload = smallWorkload();
  for (const char* strategy : kOffloading) {
    for (std::uint64_t call = 1; call < 400; call += 37) {
      std::atomic<bool> cancelled{false};
      CpuDevice device(cancelled, {.kernelThreads = 1});
      FaultDevice cancelling(device, Fault::launch, call, [&cancelled] { cancelled = true; });
      const std::string code = codeOf(cancelling, {strategy, true}, cancelled, workload);
      CHECK(code == (cancelling.hasStruck() ? "CANCELLED" : ""));
    }
  }
}

TEST_CASE("a copy that fails on the device is the run's problem") {
  const Workload workload = smallWorkload();
  for (const char* strategy : kOffloading) {
    const std::atomic<bool> cancelled{false};
    CpuDevice device(cancelled, {.kernelThreads = 1});
    // A kernel that fails when it runs, after it was queued: its only token is outside the table.
    static const std::int32_t token = 5;
    const auto address = static_cast<DeviceAddress>(reinterpret_cast<std::uintptr_t>(&token));
    FaultDevice faulty(device, Fault::copyToHost, 2, [&] {
      device.launch(kComputeStream, EmbeddingForward{ElementType::f32, address, address, address, 1, 1, 2});
    });
    CHECK(codeOf(faulty, {strategy, true}, cancelled, workload) == "DEVICE_FAILED");
    // The device recovers.
    CHECK(codeOf(device, {strategy, true}, cancelled, workload).empty());
  }
}

TEST_CASE("a thousand steps hold no more than ten") {
  Workload workload = smallWorkload();
  workload.warmup = 2;
  const std::atomic<bool> cancelled{false};
  for (const char* strategy : kOffloading) {
    std::vector<std::uint64_t> live;
    for (const std::uint32_t steps : {10u, 1000u}) {
      workload.steps = steps;
      FakeDevice device;
      std::uint64_t blocks = 0, events = 0, pinned = 0;
      runSetting(device, workload, {strategy, true}, cancelled, [&](std::uint32_t) {
        blocks = device.blocks.size();
        events = device.liveEvents;
        pinned = device.pinnedBytes;
        device.calls.clear();
      });
      live.insert(live.end(), {blocks, events, pinned});
      checkNothingLeft(device);
    }
    CHECK(std::vector(live.begin(), live.begin() + 3) == std::vector(live.begin() + 3, live.end()));
  }
}

TEST_CASE("two profiles at once do not disturb each other") {
  ProfileRequest request;
  request.configJson = smallConfig().dump();
  request.seqLens = {16};
  request.steps = 3;
  request.strategies = {"all"};
  const DeviceFactory cpu = [](const std::string&, const std::atomic<bool>& cancelled) -> std::variant<std::unique_ptr<Device>, Problem> {
    return std::make_unique<CpuDevice>(cancelled, CpuDeviceOptions{.kernelThreads = 1});
  };
  const Json alone = profileJson(request, cpu);
  Json results[2];
  {
    std::thread first([&] { results[0] = profileJson(request, cpu); });
    std::thread second([&] { results[1] = profileJson(request, cpu); });
    first.join();
    second.join();
  }
  for (const Json& result : results) {
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    for (std::size_t run = 0; run < alone["runs"].size(); ++run) {
      CHECK(result["runs"][run]["gradients"] == alone["runs"][run]["gradients"]);
      CHECK(result["runs"][run]["afterForwardBytes"] == alone["runs"][run]["afterForwardBytes"]);
    }
  }
}
