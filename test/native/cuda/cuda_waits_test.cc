// The waits of every strategy on a GPU: free memory is overwritten, and one wait at a time is left out.
#include <doctest/doctest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cuda/open_cuda_device.h"
#include "dropped_waits.h"
#include "engine/strategy/strategies.h"
#include "gpu.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Keeps the GPU's context, so that opening the device for a run costs little; null without a GPU.
CudaDevice* gpu() {
  static const std::unique_ptr<CudaDevice> device = openGpu("Waits");
  return device.get();
}

DeviceFactory gpuFactory() {
  return [](const std::string&, const std::atomic<bool>& cancelled) { return openCudaDevice(cancelled); };
}

}  // namespace

TEST_CASE("under poison the gradients of every strategy are those of the baseline, streams side by side as they are") {
  if (gpu() == nullptr) return;
  ProfileRequest request;
  Json config = smallConfig();
  config["hidden_size"] = 512;
  config["intermediate_size"] = 1024;
  config["head_dim"] = 64;
  request.configJson = config.dump();
  request.seqLens = {512, 300};
  request.steps = 4;
  request.strategies = {"all"};
  request.gradientCheckpointing = Checkpointing::both;
  request.poison = true;
  const Json result = profileJson(request, gpuFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  REQUIRE(result["runs"].size() == 10);
  for (const Json& run : result["runs"]) {
    CAPTURE(run["strategy"].get<std::string>());
    CAPTURE(run["gradientCheckpointing"].get<bool>());
    CHECK(run["gradients"]["equalToBaseline"] == true);
  }
}

TEST_CASE("every strategy is right on a GPU in every order of the streams") {
  if (gpu() == nullptr) return;
  for (const char* strategy : {"veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"}) {
    for (const bool isCheckpointed : {true, false}) {
      CAPTURE(std::string(strategy));
      CAPTURE(isCheckpointed);
      CHECK(isEqual(runWithout(gpuFactory(), strategy, isCheckpointed, {kNoWait})));
    }
  }
}

TEST_CASE("the waits that matter on the CPU device matter on a GPU, and no others") {
  if (gpu() == nullptr) return;
  CHECK(weightOfWaits(gpuFactory(), "veomni_async", true) == waitsOfVeomniAsync());
  CHECK(weightOfWaits(gpuFactory(), "verl_double_buffer", false) == waitsOfDoubleBuffer(false));
  CHECK(weightOfWaits(gpuFactory(), "verl_double_buffer", true) == waitsOfDoubleBuffer(true));
  std::vector<std::uint32_t> all(208);
  std::iota(all.begin(), all.end(), 1);
  CHECK(isEqual(runWithout(gpuFactory(), "save_on_cpu", true, all)));
}

TEST_CASE("with verl's own key the gradients of the double buffer differ on a GPU too") {
  if (gpu() == nullptr) return;
  ProfileRequest request;
  request.configJson = smallConfig().dump();
  request.seqLens = {64};
  request.steps = 2;
  request.strategies = {"verl_double_buffer"};
  request.gradientCheckpointing = Checkpointing::off;
  request.doubleBufferKey = CopyKey::original;
  const Json result = profileJson(request, gpuFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  CHECK(result["runs"][0]["gradients"]["equalToBaseline"] == false);
}
