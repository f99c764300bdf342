#include "engine/profile/memory_need.h"

#include <doctest/doctest.h>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

MemoryNeed needOf(const std::string& strategy, bool isCheckpointed, std::vector<std::string> patterns = {"model.layers.{*}"}) {
  Workload workload;
  workload.dimensions = std::get<ModelDimensions>(readModelDimensions(smallConfig().dump(), std::nullopt));
  workload.seqLens = {64, 256, 128};
  workload.steps = 7;
  workload.warmup = 2;
  workload.patterns = std::move(patterns);
  workload.cacheLimitBytes = 1u << 30;
  const std::atomic<bool> cancelled{false};
  return memoryNeed(workload, {strategy, isCheckpointed}, cancelled);
}

constexpr std::uint64_t kLayerInput = 256 * 64 * 2;

}  // namespace

TEST_CASE("the need is the peak of the longest step, with the host buffers as the allocator rounds them") {
  const MemoryNeed none = needOf("none", true);
  CHECK(none.hostBytes == 0);
  const MemoryNeed offload = needOf("veomni_async", true);
  CHECK(offload.hostBytes == 3 * kLayerInput);
  CHECK(offload.deviceBytes <= none.deviceBytes);
  CHECK(needOf("none", false).deviceBytes > none.deviceBytes);
}

TEST_CASE("what hooks inside a checkpointed layer keep is counted") {
  const MemoryNeed layers = needOf("veomni_async", true);
  const MemoryNeed inside = needOf("veomni_async", true, {"model.layers.*.mlp"});
  // Gate, silu, up and product of an MLP: what the other layers keep at the peak is more than one set of them.
  CHECK(inside.deviceBytes > layers.deviceBytes + 4 * 256 * 96 * 2);
}

TEST_CASE("a run that needs more than is there is refused for that pattern alone") {
  const MemoryNeed layers = needOf("veomni_async", true);
  const DeviceFactory between = [&](const std::string&, const std::atomic<bool>&) -> std::variant<std::unique_ptr<Device>, Problem> {
    auto device = std::make_unique<FakeDevice>();
    device->available = layers.deviceBytes + 3 * kLayerInput;
    return device;
  };
  ProfileRequest request;
  request.configJson = smallConfig().dump();
  request.seqLens = {256};
  request.steps = 1;
  request.strategies = {"veomni_async"};
  CHECK(profileJson(request, between).contains("runs"));
  request.patterns = {"model.layers.*.mlp"};
  CHECK(profileJson(request, between)["problem"] == "DEVICE_OUT_OF_MEMORY");
}

TEST_CASE("counting a run of the largest recorded size takes no memory") {
  const Json config = recordedLargerConfig();
  Workload workload;
  workload.dimensions = std::get<ModelDimensions>(readModelDimensions(config.dump(), std::nullopt));
  workload.seqLens = {8192};
  const std::atomic<bool> cancelled{false};
  // Recorded: 80.8 GB.
  CHECK(memoryNeed(workload, {"none", false}, cancelled).deviceBytes == doctest::Approx(80'832'612'864.0).epsilon(0.02));
}
