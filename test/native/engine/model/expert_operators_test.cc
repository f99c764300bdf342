// Operators of experts against a recorded step: two layers of Qwen3-30B-A3B, 2,048 tokens, checkpointing, on an H200.
#include "engine/model/expert_operators.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <initializer_list>
#include <variant>
#include <vector>

#include "engine/device/device_decorator.h"
#include "engine_fixture.h"
#include "sim/kernel_cost.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr std::uint64_t kTokens = 2048;
constexpr std::uint32_t kHidden = 2048;
constexpr std::uint32_t kExperts = 128;
constexpr std::uint32_t kPerToken = 8;
constexpr std::uint32_t kWidth = 768;

/// Keeps what is launched.
class LaunchedCalls final : public DeviceDecorator {
 public:
  using DeviceDecorator::DeviceDecorator;
  Ticket launch(StreamId stream, const KernelCall& call) override {
    calls.push_back(call);
    return DeviceDecorator::launch(stream, call);
  }
  std::vector<KernelCall> calls;
};

/// Device time of the calls, products of experts or everything else.
double microseconds(const std::vector<KernelCall>& calls, bool areProducts) {
  const DeviceProfile profile = std::get<DeviceProfile>(findDeviceProfile("H200"));
  double sum = 0;
  for (const KernelCall& call : calls) {
    if (std::holds_alternative<GroupedProduct>(call) == areProducts) sum += kernelCost(profile, call).deviceNs / 1000;
  }
  return sum;
}

struct ExpertLayer {
  FakeDevice fake;
  LaunchedCalls device{fake};
  MemoryLedger ledger;
  Recorder recorder{device};
  std::atomic<bool> cancelled{false};
  Executor executor{device, ledger, recorder, cancelled};
  Autograd autograd{executor};
  Parameter router = parameter({kExperts, kHidden});
  Parameter gateUp = parameter({std::uint64_t{kExperts} * 2 * kWidth, kHidden});
  Parameter down = parameter({std::uint64_t{kExperts} * kHidden, kWidth});

  Parameter parameter(std::initializer_list<std::uint64_t> shape) {
    Parameter made;
    made.value = executor.allocate(Layout::contiguous(TensorType::bf16, shape));
    autograd.attachLeaf(made);
    return made;
  }

  /// What runs between the router's scores and the sum over each token's experts.
  Tensor forward(bool savesActivated = true) {
    const auto ofWidth = [&](std::uint64_t width) {
      return executor.allocate(Layout::contiguous(TensorType::bf16, {1, kTokens, width}));
    };
    const Tensor chosen = routeTokens(autograd, ofWidth(kExperts), kPerToken);
    const Tensor sorted = sortTokens(autograd, ofWidth(kHidden), kPerToken);
    const Tensor wide = expertLinear(autograd, "gate and up", sorted, gateUp, 2 * kWidth);
    const Tensor product = gatedHalves(autograd, "swiglu", wide, savesActivated);
    return combineTokens(autograd, expertLinear(autograd, "down", product, down, kHidden), chosen, kPerToken);
  }

  std::vector<KernelCall> backwardOf(const Tensor& out) {
    device.calls.clear();
    autograd.backward(out, executor.allocate(out.layout));
    return device.calls;
  }
};

bool isWithinTenth(double value, double truth) { return std::abs(value / truth - 1) <= 0.1; }

}  // namespace

TEST_CASE("experts of a recorded layer: grouped products, and what runs around them, within a tenth") {
  ExpertLayer layer;
  const Tensor out = layer.forward();
  const std::vector<KernelCall> forward = layer.device.calls;
  const std::vector<KernelCall> backward = layer.backwardOf(out);
  // Means of two layers, forward and computed again.
  CHECK(isWithinTenth(microseconds(forward, true), 351.3 + 195.1));
  CHECK(isWithinTenth(microseconds(backward, true), 2 * (390.8 + 203.5)));
  // Router 36, sorting 199, masks 95 and 126, swiglu 74, combination 160.
  CHECK(isWithinTenth(microseconds(forward, false), 689));
  // Combination 287 + 38 + 74, masks 126 and 96, swiglu 122, sorting 126 + 119, router 28.
  CHECK(isWithinTenth(microseconds(backward, false), 1015));
}

TEST_CASE("experts whose backward computes silu again have nothing to join") {
  ExpertLayer eager;
  ExpertLayer fused;
  const std::size_t eagerCalls = eager.backwardOf(eager.forward()).size();
  CHECK(fused.backwardOf(fused.forward(false)).size() == eagerCalls - 1);
}

TEST_CASE("the host issues several operators for each step around the products") {
  ExpertLayer layer;
  layer.forward();
  const DeviceProfile profile = std::get<DeviceProfile>(findDeviceProfile("H200"));
  std::uint32_t operators = 0;
  for (const KernelCall& call : layer.device.calls) {
    const KernelCost cost = kernelCost(profile, call);
    CHECK_FALSE(cost.isBackward);
    operators += cost.operators;
  }
  // 8 route, 15 sort, 2 products, 2 masks of 2, 2 of swiglu, 5 combine.
  CHECK(operators == 36);
}
