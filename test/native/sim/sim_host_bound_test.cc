// Steps of small models, which the simulated host bounds.
#include <doctest/doctest.h>

#include "sim/sim_device.h"
#include "sim_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Simulates an H200 whose host takes other times.
DeviceFactory withHost(void (*change)(HostCosts&)) {
  return [change](const std::string&, const std::atomic<bool>& cancelled) -> std::variant<std::unique_ptr<Device>, Problem> {
    DeviceProfile profile = std::get<DeviceProfile>(findDeviceProfile("H200"));
    change(profile.host);
    return std::make_unique<SimDevice>(std::move(profile), cancelled);
  };
}

struct Steps {
  double noneMs;
  double verlMs;
};

Steps tinySteps(const DeviceFactory& factory) {
  Json config = qwen3Config(false, 4);
  config["hidden_size"] = 64;
  config["intermediate_size"] = 128;
  ProfileRequest request = simRequest(config, {128});
  request.strategies = {"none", "verl_sync"};
  const Json result = profileJson(request, factory);
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  return {result["runs"][0]["stepMs"]["median"], result["runs"][1]["stepMs"]["median"]};
}

}  // namespace

// Checkpointing as transformers applies it calls a Python hook for every tensor that a layer saves, twice forward and once
// backward. verl's strategies put the reentrant form in its place, which saves the layer's input and calls no hook when it
// recomputes. Where only the host counts, verl's runs are the shorter ones, although they copy.
TEST_CASE("a tiny checkpointed model is slower without offload than with verl's, because of hooks and of nothing else") {
  const Steps usual = tinySteps(withHost([](HostCosts&) {}));
  CHECK(usual.noneMs > usual.verlMs);
  const Steps withoutHooks = tinySteps(withHost([](HostCosts& host) { host.packHookNs = host.unpackHookNs = 0; }));
  CHECK(withoutHooks.noneMs < withoutHooks.verlMs);
}
