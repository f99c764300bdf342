#include "engine/tape/autograd.h"

#include <doctest/doctest.h>

#include "engine/model/op_model_operators.h"
#include "engine/model/operators.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Counts what it sees and keeps it.
class CountingHooks final : public SavedTensorHooks {
 public:
  std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor) override {
    parameters += tensor.isParameter;
    views += tensor.isView;
    ++seen;
    return tensor;
  }
  int seen = 0;
  int parameters = 0;
  int views = 0;
};

Parameter weight(FakeEngine& engine, std::initializer_list<std::uint64_t> shape) {
  Parameter parameter;
  parameter.value = engine.executor.allocate(Layout::contiguous(TensorType::bf16, shape));
  return parameter;
}

}  // namespace

TEST_CASE("the innermost hook pair alone sees a save") {
  FakeEngine engine;
  Parameter projection = weight(engine, {8, 8});
  engine.autograd.attachLeaf(projection);
  const Tensor input = engine.executor.allocate(Layout::contiguous(TensorType::bf16, {1, 4, 8}));
  const auto outer = std::make_shared<CountingHooks>();
  const auto inner = std::make_shared<CountingHooks>();
  const Autograd::HookScope outerScope(engine.autograd, outer);
  {
    const Autograd::HookScope innerScope(engine.autograd, inner);
    linear(engine.autograd, "product", input, projection, nullptr);
  }
  CHECK(outer->seen == 0);
  CHECK(inner->seen == 2);
  CHECK(inner->parameters == 1);
  CHECK(inner->views == 1);
  linear(engine.autograd, "product", input, projection, nullptr);
  CHECK(outer->seen == 2);
}

TEST_CASE("a node's saved tensors go as soon as it has run, and gradients end at the parameters") {
  FakeEngine engine;
  Parameter projection = weight(engine, {8, 8});
  engine.autograd.attachLeaf(projection);
  const std::uint64_t before = engine.ledger.liveBytes();
  Tensor loss;
  {
    const Tensor input = engine.executor.allocate(Layout::contiguous(TensorType::bf16, {1, 4, 8}));
    loss = meanOfSquares(engine.autograd, linear(engine.autograd, "product", input, projection, nullptr));
  }
  // The product's input (64 bytes) and the fp32 copy of its output (128 bytes) are saved; the output itself is not.
  CHECK(engine.ledger.liveBytes() - before == 64 + 128);
  engine.autograd.backward(loss);
  CHECK(engine.ledger.liveBytes() - before == 128);
  CHECK(projection.gradient.layout == projection.value.layout);
}

TEST_CASE("a gradient that two branches share is not summed in place") {
  FakeEngine engine;
  Parameter scale = weight(engine, {8});
  engine.autograd.attachLeaf(scale);
  const Tensor input = engine.executor.allocate(Layout::contiguous(TensorType::bf16, {1, 4, 8}));
  const Tensor normed = norm(engine.autograd, "norm", input, scale, 1e-6f, defaultOpModel());
  const Tensor sum = add(engine.autograd, "sum", normed, normed);
  engine.device.additions.clear();
  engine.autograd.backward(meanOfSquares(engine.autograd, sum));
  // The sum hands one gradient to both of its sides: adding it to itself in place would also change what the other holds.
  REQUIRE(engine.device.additions.size() == 1);
  CHECK(engine.device.additions[0].left == engine.device.additions[0].right);
  CHECK(engine.device.additions[0].out != engine.device.additions[0].left);
}

TEST_CASE("a gradient that nobody else holds is summed in place") {
  FakeEngine engine;
  Parameter first = weight(engine, {8, 8});
  Parameter second = weight(engine, {8, 8});
  Parameter scale = weight(engine, {8});
  for (Parameter* parameter : {&first, &second, &scale}) engine.autograd.attachLeaf(*parameter);
  const Tensor input = engine.executor.allocate(Layout::contiguous(TensorType::bf16, {1, 4, 8}));
  const Tensor normed = norm(engine.autograd, "norm", input, scale, 1e-6f, defaultOpModel());
  const Tensor left = linear(engine.autograd, "left", normed, first, nullptr);
  const Tensor right = linear(engine.autograd, "right", normed, second, nullptr);
  const Tensor sum = add(engine.autograd, "sum", left, right);
  engine.device.additions.clear();
  engine.autograd.backward(meanOfSquares(engine.autograd, sum));
  REQUIRE(engine.device.additions.size() == 1);
  CHECK(engine.device.additions[0].out == engine.device.additions[0].left);
}

TEST_CASE("a deep graph is destroyed without recursion") {
  FakeEngine engine;
  Tensor value = engine.autograd.asLeaf(engine.executor.allocate(Layout::contiguous(TensorType::bf16, {1, 1, 8})));
  for (int depth = 0; depth < 200'000; ++depth) value = add(engine.autograd, "sum", value, value.detached());
  value = {};
  CHECK(engine.ledger.liveBytes() == 0);
}

TEST_CASE("the ledger counts live and scratch bytes apart and the batch not at all") {
  FakeEngine engine;
  const Layout layout = Layout::contiguous(TensorType::f32, {10});
  const Tensor live = engine.executor.allocate(layout);
  { const Tensor temporary = engine.executor.allocate(layout); }
  const Tensor scratch = engine.executor.allocate(layout, Account::scratch);
  const Tensor batch = engine.executor.allocate(layout, Account::batch);
  CHECK(engine.ledger.liveBytes() == 40);
  CHECK(engine.ledger.peakBytes() == 80);
  CHECK(engine.ledger.scratchPeakBytes() == 40);
  engine.ledger.resetPeak();
  CHECK(engine.ledger.peakBytes() == 40);
}
