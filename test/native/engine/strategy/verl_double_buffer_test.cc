#include "engine/strategy/verl_double_buffer.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Layers without a model around them: each saves what a test hands in, and its output leads to the next.
struct Offload : FakeEngine {
  explicit Offload(std::size_t layers, CopyKey key = CopyKey::layout)
      : ids(layers), strategy(autograd, pool, number(ids), layers, key) {}

  static std::vector<ModuleId>& number(std::vector<ModuleId>& ids) {
    for (std::size_t index = 0; index < ids.size(); ++index) ids[index] = index;
    return ids;
  }

  Tensor tensor() { return executor.allocate(Layout::contiguous(TensorType::bf16, {2, 4, 8})); }

  /// Runs one layer whose only operator saves `count` new tensors of 128 bytes.
  Tensor runLayer(std::size_t index, const Tensor& input, std::size_t count) {
    const LayerScope layerScope(executor, static_cast<std::int32_t>(index));
    const Autograd::HookScope scope(autograd, strategy.enter(index, &input));
    auto recording = autograd.record();
    for (std::size_t i = 0; i < count; ++i) recording.save(tensor());
    const Tensor output = recording.finish(tensor(), {input}, [](const Tensor& gradOutput, std::vector<SavedSlot>& saved) {
      for (SavedSlot& slot : saved) slot.unpack();
      return std::vector<Tensor>{gradOutput};
    });
    return strategy.leave(index, output);
  }

  std::size_t count(const char* call) const {
    return static_cast<std::size_t>(std::count(device.calls.begin(), device.calls.end(), call));
  }

  PinnedAllocator allocator{executor};
  HostPool pool{executor, allocator, std::uint64_t{1} << 30};
  std::vector<ModuleId> ids;
  VerlDoubleBuffer strategy;
};

}  // namespace

TEST_CASE("windows spread the groups evenly; the first remainders are one commit further apart") {
  using Windows = std::vector<std::size_t>;
  // verl always offloads all groups but one.
  CHECK(offloadWindows(2, 3) == Windows{1, 2});
  CHECK(offloadWindows(35, 36).front() == 1);
  CHECK(offloadWindows(35, 36).back() == 35);
  CHECK(offloadWindows(3, 8) == Windows{2, 5, 7});
  CHECK(offloadWindows(4, 8) == Windows{1, 3, 5, 7});
  CHECK(offloadWindows(1, 5) == Windows{4});
}

TEST_CASE("a group leaves during the next layer and is back before its own backward; two are on the device at most") {
  Offload offload(4);
  Tensor hidden = offload.tensor();
  const std::uint64_t nothing = offload.ledger.liveBytes();
  constexpr std::uint64_t kGroup = 3 * 128;
  std::vector<std::uint64_t> saved;
  for (std::size_t layer = 0; layer < 4; ++layer) {
    hidden = offload.runLayer(layer, hidden, 3);
    saved.push_back(offload.ledger.liveBytes() - nothing);
  }
  // The first group is under way; from the second commit on the one before has been let go. The last group stays.
  CHECK(saved == std::vector<std::uint64_t>{kGroup, kGroup, kGroup, kGroup});
  CHECK(offload.count("d2h") == 9);
  CHECK(offload.pool.inUseBytes() == 9 * 128);
  CHECK(offload.strategy.aliveKeys() == 9);

  offload.ledger.resetPeak();
  offload.autograd.backward(hidden, offload.tensor());
  CHECK(offload.ledger.peakBytes() - nothing <= 2 * kGroup + 2 * 128);
  CHECK(offload.count("h2d") == 9);
  CHECK(offload.pool.inUseBytes() == 0);
  CHECK(offload.strategy.aliveKeys() == 0);
}

TEST_CASE("waits come where the framework has them") {
  Offload offload(3);
  offload.device.calls.clear();
  Tensor hidden = offload.tensor();
  const StreamId d2h{1}, h2d{2};
  CHECK(d2h.value + 1 == h2d.value);
  for (std::size_t layer = 0; layer < 3; ++layer) hidden = offload.runLayer(layer, hidden, 1);
  using Calls = std::vector<std::string>;
  const Calls bothWays = {"record 0", "streamWait 1", "record 1", "streamWait 0"};
  Calls expected = {"record 0", "streamWait 1", "d2h", "record 1"};   // the first group leaves at its own commit
  expected.insert(expected.end(), bothWays.begin(), bothWays.end());  // second commit: the first is gone, the second leaves
  expected.insert(expected.end(), {"d2h", "record 1"});
  expected.insert(expected.end(), bothWays.begin(), bothWays.end());  // third commit
  CHECK(offload.device.calls == expected);

  offload.device.calls.clear();
  offload.autograd.backward(hidden, offload.tensor());
  CHECK(offload.device.calls == Calls{"record 0", "streamWait 2", "record 2", "streamWait 0", "h2d", "record 2",   // group 1
                                      "record 0", "streamWait 2", "record 2", "streamWait 0", "h2d", "record 2",   // group 0
                                      "record 2", "streamWait 0"});
}

TEST_CASE("one storage under one layout is copied once; under another layout once more, unless the key is verl's") {
  for (const CopyKey key : {CopyKey::layout, CopyKey::original}) {
    Offload offload(3, key);
    const Tensor shared = offload.tensor();
    {
      const Autograd::HookScope scope(offload.autograd, offload.strategy.enter(0, nullptr));
      auto recording = offload.autograd.record();
      recording.save(shared);
      recording.save(shared);
      recording.save(shared.viewAs(Layout::contiguous(TensorType::bf16, {8, 8})));
      offload.strategy.leave(0, recording.finish(offload.tensor(), {}, [](const Tensor&, std::vector<SavedSlot>&) { return std::vector<Tensor>{}; }));
    }
    CHECK(offload.count("d2h") == (key == CopyKey::layout ? 2 : 1));
  }
}

TEST_CASE("weights are not taken, and modules that are no layers have no hooks") {
  Offload offload(3);
  Tensor weight = offload.tensor();
  weight.isParameter = true;
  const Autograd::HookScope scope(offload.autograd, offload.strategy.enter(0, nullptr));
  CHECK(offload.autograd.save(weight).unpack().address() == weight.address());
  CHECK(offload.strategy.aliveKeys() == 0);
}

TEST_CASE("leaving by an exception drops all groups and gives the buffers back") {
  Offload offload(4);
  Tensor hidden = offload.tensor();
  for (std::size_t layer = 0; layer < 3; ++layer) hidden = offload.runLayer(layer, hidden, 2);
  CHECK(offload.pool.inUseBytes() > 0);
  offload.strategy.abandon();
  CHECK(offload.pool.inUseBytes() == 0);
  CHECK(offload.strategy.aliveKeys() == 0);
}
