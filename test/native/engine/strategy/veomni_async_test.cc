#include "engine/strategy/veomni_async.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Three selected modules without a model around them.
struct Offload : FakeEngine {
  explicit Offload(std::vector<ModuleId> entries = {0, 1, 2}) : strategy(autograd, pool, Selection{std::move(entries)}, 4) {}

  PinnedAllocator allocator{executor};
  HostPool pool{executor, allocator, std::uint64_t{1} << 30};
  VeomniAsync strategy;

  Tensor tensor() { return executor.allocate(Layout::contiguous(TensorType::bf16, {2, 4, 8})); }
  Layout flat() const { return Layout::contiguous(TensorType::bf16, {8, 8}); }

  /// Saves `saved` as the module would during a call with these hidden states.
  SavedSlot save(ModuleId module, const Tensor* hidden, const Tensor& saved) {
    const Autograd::HookScope scope(autograd, strategy.enter(module, hidden));
    return autograd.save(saved);
  }
  std::uint64_t acquired() const { return pool.counters().allocations + pool.counters().reuses; }
};

}  // namespace

TEST_CASE("modules that are not selected have no hooks") {
  Offload offload;
  CHECK(offload.strategy.enter(3, nullptr) == nullptr);
  CHECK(offload.strategy.enter(0, nullptr) != nullptr);
}

TEST_CASE("only the module's own input is taken") {
  Offload offload;
  const Tensor hidden = offload.tensor();
  const Tensor other = offload.tensor();
  CHECK(offload.save(0, &hidden, other).unpack().address() == other.address());
  CHECK(offload.acquired() == 0);
  const SavedSlot taken = offload.save(0, &hidden, hidden);
  CHECK(offload.acquired() == 1);
  CHECK(offload.strategy.aliveKeys() == 1);
}

TEST_CASE("a view of the input is cloned and the clone is moved") {
  Offload offload;
  const Tensor hidden = offload.tensor();
  const std::uint64_t before = offload.ledger.liveBytes();
  const SavedSlot taken = offload.save(0, &hidden, hidden.viewAs(offload.flat()));
  CHECK(offload.ledger.liveBytes() - before == 128);
  CHECK(std::count(offload.device.calls.begin(), offload.device.calls.end(), "d2d") == 1);
  CHECK(offload.acquired() == 1);
}

TEST_CASE("a call without hidden states takes what is private and dense, and no parameter or view") {
  Offload offload;
  Tensor parameter = offload.tensor();
  parameter.isParameter = true;
  Tensor gaps = offload.tensor();
  std::swap(gaps.layout.strides[1], gaps.layout.strides[2]);
  offload.save(0, nullptr, parameter);
  offload.save(0, nullptr, offload.tensor().viewAs(offload.flat()));
  offload.save(0, nullptr, gaps);
  CHECK(offload.acquired() == 0);
  offload.save(0, nullptr, offload.tensor());
  CHECK(offload.acquired() == 1);
}

TEST_CASE("device memory goes when the next module's tensor is taken, and only if nobody else holds it") {
  Offload offload;
  Tensor first = offload.tensor();
  const Tensor second = offload.tensor();
  const Tensor third = offload.tensor();
  const SavedSlot a = offload.save(0, &first, first);
  first = {};
  CHECK(offload.ledger.liveBytes() == 3 * 128);
  const SavedSlot b = offload.save(1, &second, second);
  CHECK(offload.ledger.liveBytes() == 2 * 128);
  // `second` is still held here, as a residual would be.
  const SavedSlot c = offload.save(2, &third, third);
  CHECK(offload.ledger.liveBytes() == 2 * 128);
}

TEST_CASE("the last index stays on the device") {
  Offload offload;
  const Tensor hidden = offload.tensor();
  SavedSlot kept = offload.save(2, &hidden, hidden);
  CHECK(offload.acquired() == 0);
  CHECK(offload.strategy.aliveKeys() == 0);
  CHECK(kept.unpack().address() == hidden.address());
}

TEST_CASE("taking and reading wait as the framework does, and reading starts the next copy back") {
  Offload offload;
  Tensor hidden[3] = {offload.tensor(), offload.tensor(), offload.tensor()};
  SavedSlot slots[3];
  offload.device.calls.clear();
  for (std::size_t i = 0; i < 3; ++i) {
    slots[i] = offload.save(i, &hidden[i], hidden[i]);
    hidden[i] = {};
  }
  using Calls = std::vector<std::string>;
  CHECK(offload.device.calls == Calls{"record 0", "streamWait 1", "d2h", "record 1",   // module 0
                                      "streamWait 0", "hostWait",                      // module 1 waits for module 0's copy
                                      "record 0", "streamWait 1", "d2h", "record 1",
                                      "streamWait 0", "hostWait"});                    // module 2 waits and keeps its own
  offload.device.calls.clear();
  const std::uint64_t before = offload.ledger.liveBytes();
  slots[1].unpack();
  CHECK(offload.device.calls == Calls{"record 0", "streamWait 1", "h2d", "record 1", "streamWait 0", "hostWait",
                                      "record 0", "streamWait 1", "h2d", "record 1"});  // the last line is module 0's prefetch
  CHECK(offload.ledger.liveBytes() == before + 2 * 128);
  CHECK(offload.pool.inUseBytes() == 128);
  offload.device.calls.clear();
  slots[0].unpack();
  CHECK(offload.device.calls == Calls{"streamWait 0", "hostWait"});
  CHECK(offload.pool.inUseBytes() == 0);
  CHECK(offload.strategy.aliveKeys() == 0);
}

TEST_CASE("a tensor that was never let go comes back without a copy") {
  Offload offload;
  const Tensor hidden = offload.tensor();
  SavedSlot slot = offload.save(0, &hidden, hidden);
  offload.device.calls.clear();
  CHECK(slot.unpack().address() == hidden.address());
  CHECK(std::count(offload.device.calls.begin(), offload.device.calls.end(), "h2d") == 0);
  CHECK(offload.pool.inUseBytes() == 0);
}

TEST_CASE("reading twice gives the same tensor and returns the buffer once") {
  Offload offload;
  const Tensor hidden = offload.tensor();
  SavedSlot slot = offload.save(0, &hidden, hidden);
  const DeviceAddress address = slot.unpack().address();
  CHECK(slot.unpack().address() == address);
  CHECK(offload.pool.idleBytes() == 128);
}

TEST_CASE("leaving a call by an exception drops all keys; the buffers follow when the graph goes") {
  Offload offload;
  const Tensor hidden = offload.tensor();
  {
    const SavedSlot slot = offload.save(0, &hidden, hidden);
    offload.strategy.abandon();
    CHECK(offload.strategy.aliveKeys() == 0);
    CHECK(offload.pool.inUseBytes() == 128);
    // The key is free again.
    const SavedSlot again = offload.save(0, &hidden, hidden);
    CHECK(offload.strategy.aliveKeys() == 1);
  }
  CHECK(offload.pool.inUseBytes() == 0);
}

TEST_CASE("a module that is listed twice runs with its last index") {
  Offload offload({0, 1, 0});
  const Tensor hidden = offload.tensor();
  offload.save(0, &hidden, hidden);
  CHECK(offload.acquired() == 0);
  offload.save(1, &hidden, hidden);
  CHECK(offload.acquired() == 1);
}
