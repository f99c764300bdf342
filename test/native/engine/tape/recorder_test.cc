#include "engine/tape/recorder.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

TEST_CASE("events are sorted by start and keep what they depend on") {
  FakeEngine engine;
  engine.recorder.beginStep(engine.ledger, 0);
  const Tensor tensor = engine.executor.allocate(Layout::contiguous(TensorType::bf16, {8}));
  const StreamId swap = engine.device.createStream("swap");
  engine.executor.launch("fill", Memset{tensor.address(), 16});
  engine.executor.streamWait(swap, engine.executor.mark(kComputeStream), Lane::d2h, "wait");
  engine.executor.copyToHost(swap, nullptr, tensor, "copy");
  engine.executor.hostWait(engine.executor.mark(swap), "host");
  const RecordedStep step = engine.recorder.finishStep("step 1");

  REQUIRE(step.events.size() == 4);
  const auto find = [&](EventKind kind) {
    const auto event = std::find_if(step.events.begin(), step.events.end(), [&](const auto& e) { return e.kind == kind; });
    return static_cast<std::int32_t>(event - step.events.begin());
  };
  const auto at = [&](EventKind kind) { return step.events[static_cast<std::size_t>(find(kind))]; };
  CHECK(std::is_sorted(step.events.begin(), step.events.end(), [](const auto& a, const auto& b) { return a.startNs < b.startNs; }));
  CHECK(at(EventKind::memset).bytes == 16);
  CHECK(at(EventKind::streamWait).dependsOn == find(EventKind::memset));
  CHECK(at(EventKind::copyD2H).dependsOn == find(EventKind::memset));
  CHECK(at(EventKind::copyD2H).lane == Lane::d2h);
  CHECK(at(EventKind::hostWait).dependsOn == find(EventKind::copyD2H));
  CHECK(step.strings[at(EventKind::copyD2H).name] == "copy");
}

TEST_CASE("device memory changes where the compute stream meets them") {
  FakeEngine engine;
  engine.recorder.beginStep(engine.ledger, 0);
  engine.ledger.onChange([&](const MemoryChange& change) { engine.recorder.deviceMemoryChanged(change); });
  Tensor first = engine.executor.allocate(Layout::contiguous(TensorType::bf16, {8}));
  engine.executor.launch("fill", Memset{first.address(), 16});
  first = {};
  engine.ledger.onChange(nullptr);
  const RecordedStep step = engine.recorder.finishStep("step 1");
  REQUIRE(step.deviceMemory.size() == 3);
  CHECK(step.deviceMemory[0].change.liveBytes == 0);
  CHECK(step.deviceMemory[1].change.liveBytes == 16);
  CHECK(step.deviceMemory[2].change.liveBytes == 0);
  CHECK(step.deviceMemory[1].timeNs <= step.events[0].startNs);
  CHECK(step.deviceMemory[2].timeNs == step.events[0].startNs + step.events[0].durationNs);
}

TEST_CASE("a new step starts empty") {
  FakeEngine engine;
  engine.recorder.beginStep(engine.ledger, 0);
  const Tensor tensor = engine.executor.allocate(Layout::contiguous(TensorType::bf16, {8}));
  engine.executor.launch("fill", Memset{tensor.address(), 16});
  engine.recorder.markPhaseEnd();
  engine.recorder.beginStep(engine.ledger, 6);
  const RecordedStep step = engine.recorder.finishStep("step 2");
  CHECK(step.events.empty());
  CHECK(step.strings.empty());
  REQUIRE(step.deviceMemory.size() == 1);
  CHECK(step.phaseEndsNs.empty());
  CHECK(step.deviceMemory[0].change.liveBytes == 16);
  CHECK(step.startParts == engine.ledger.liveParts());
  CHECK(step.pinnedMemory[0].bytes == 6);
}
