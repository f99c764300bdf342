#include "engine/tape/checkpoint.h"

#include <doctest/doctest.h>

#include "engine/model/decoder_model.h"
#include "engine/strategy/veomni_async.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

struct SmallModel : FakeEngine {
  ModelDimensions dimensions = std::get<ModelDimensions>(readModelDimensions(smallConfig().dump(), std::nullopt));
  DecoderModel model{autograd, dimensions, ElementType::bf16, 0};
  Tensor ids = executor.allocate(Layout::contiguous(TensorType::i32, {1, 8}), Account::batch);
  PinnedAllocator allocator{executor};
  HostPool pool{executor, allocator, std::uint64_t{1} << 30};

  std::uint64_t products(Strategy& strategy, bool isCheckpointed) {
    const std::uint64_t before = device.linearForwards();
    autograd.backward(model.loss(ids, strategy, isCheckpointed));
    return device.linearForwards() - before;
  }

  VeomniAsync offloading(const std::vector<std::string>& patterns) {
    const auto& tree = model.modules().tree;
    return VeomniAsync(autograd, pool, std::get<Selection>(selectModules(tree, patterns)), tree.modules.size());
  }
};

}  // namespace

TEST_CASE("recomputation stops before the last product of the layer") {
  SmallModel small;
  NoOffload none;
  CHECK(small.products(none, false) == 4 * 7);
  CHECK(small.products(none, true) == 4 * 7 + 4 * 6);
}

TEST_CASE("with hooks inside the region nothing behind the last dropped save is recomputed") {
  SmallModel small;
  VeomniAsync mlp = small.offloading({"model.layers.*.mlp"});
  // Only the four projections of attention run again; the MLP's saves were never dropped.
  CHECK(small.products(mlp, true) == 4 * 7 + 4 * 4);
  CHECK(mlp.aliveKeys() == 0);
}

TEST_CASE("the input of a region is saved outside its hooks, where an outer pair sees it") {
  SmallModel small;
  VeomniAsync layers = small.offloading({"model.layers.{*}"});
  Tensor loss = small.model.loss(small.ids, layers, true);
  CHECK(layers.aliveKeys() == 3);
  small.autograd.backward(loss);
  CHECK(layers.aliveKeys() == 0);
  CHECK(small.pool.counters().allocations == 3);
}

TEST_CASE("hooks inside the region wrap their modules again when it is recomputed") {
  SmallModel small;
  VeomniAsync attention = small.offloading({"model.layers.*.self_attn"});
  small.autograd.backward(small.model.loss(small.ids, attention, true));
  // q, k and v save their common input: three per layer in forward and three again in backward, the last layer none.
  CHECK(small.pool.counters().allocations + small.pool.counters().reuses == 3 * 3 * 2);
  // The second set belongs to a graph that nobody walks: dropped with it, its buffers back in the pool.
  CHECK(attention.aliveKeys() == 0);
  CHECK(small.pool.inUseBytes() == 0);
}

TEST_CASE("everything is released when backward is done") {
  SmallModel small;
  const std::uint64_t before = small.ledger.liveBytes();
  NoOffload none;
  small.products(none, true);
  small.model.clearGradients();
  CHECK(small.ledger.liveBytes() == before);
}

TEST_CASE("a graph that is never walked is released as well") {
  SmallModel small;
  const std::uint64_t before = small.ledger.liveBytes();
  VeomniAsync layers = small.offloading({"model.layers.{*}"});
  { const Tensor loss = small.model.loss(small.ids, layers, true); }
  CHECK(small.ledger.liveBytes() == before);
  CHECK(layers.aliveKeys() == 0);
  CHECK(small.pool.inUseBytes() == 0);
}
