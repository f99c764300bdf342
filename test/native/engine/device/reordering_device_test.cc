#include "engine/device/reordering_device.h"

#include <doctest/doctest.h>

#include "cpu/cpu_device.h"
#include "engine/device/poisoning_device.h"

using namespace offload;

namespace {

/// A block on the device and one of the host, with a copy from the one to the other on a second stream.
struct Copy {
  explicit Copy(LateStreams late) : device(cpu, late), other(device.createStream("other")) {
    device.launch(kComputeStream, FillConstant{ElementType::f32, block, 1, 1.0f});
    device.synchronize();
  }

  void queueCopy() { device.copyToHost(other, reinterpret_cast<std::byte*>(&seen), block, 4); }
  void queueFill(float value) { device.launch(kComputeStream, FillConstant{ElementType::f32, block, 1, value}); }
  /// Lets `stream` wait for all that `before` has so far.
  void order(StreamId before, StreamId stream) {
    const EventId event = device.record(before);
    device.streamWait(stream, event);
    device.releaseEvent(event);
  }
  float result() {
    device.synchronize();
    return seen;
  }

  const std::atomic<bool> cancelled{false};
  CpuDevice cpu{cancelled, {.kernelThreads = 1}};
  ReorderingDevice device;
  StreamId other;
  DeviceAddress block = device.allocate(256, kComputeStream);
  float seen = 0;
};

}  // namespace

TEST_CASE("without a wait, a copy queued first sees what compute writes later, where copies are late") {
  Copy late(LateStreams::others);
  late.queueCopy();
  late.queueFill(2);
  CHECK(late.result() == 2);
  Copy early(LateStreams::compute);
  early.queueCopy();
  early.queueFill(2);
  CHECK(early.result() == 1);
}

TEST_CASE("without a wait, a copy queued last misses what compute has written before, where compute is late") {
  Copy early(LateStreams::compute);
  early.queueFill(2);
  early.queueCopy();
  CHECK(early.result() == 1);
}

TEST_CASE("with the waits that it needs, the result is the same in every order") {
  for (const LateStreams late : kAllOrders) {
    Copy copy(late);
    copy.queueFill(2);
    copy.order(kComputeStream, copy.other);
    copy.queueCopy();
    copy.order(copy.other, kComputeStream);
    copy.queueFill(3);
    CHECK(copy.result() == 2);
  }
}

TEST_CASE("the host's wait runs what it waits for, and nothing counts as ready before it ran") {
  Copy copy(LateStreams::all);
  copy.queueCopy();
  const EventId event = copy.device.record(copy.other);
  CHECK_FALSE(copy.device.isReady(event));
  CHECK(copy.seen == 0);
  copy.device.hostWait(event);
  CHECK(copy.device.isReady(event));
  CHECK(copy.seen == 1);
}

TEST_CASE("memory comes back last in, first out") {
  Copy copy(LateStreams::all);
  const DeviceAddress first = copy.device.allocate(512, kComputeStream), second = copy.device.allocate(512, kComputeStream);
  copy.device.release(first);
  copy.device.release(second);
  CHECK(copy.device.allocate(512, kComputeStream) == second);
  CHECK(copy.device.allocate(512, kComputeStream) == first);
}

TEST_CASE("poison behind a release is not a number, and does not reach work that was ordered before") {
  for (const LateStreams late : kAllOrders) {
    Copy copy(late);
    PoisoningDevice poisoning(copy.device);
    const DeviceAddress block = poisoning.allocate(4, kComputeStream);
    poisoning.launch(kComputeStream, FillConstant{ElementType::f32, block, 1, 5.0f});
    float before = 0, after = 0;
    poisoning.copyToHost(kComputeStream, reinterpret_cast<std::byte*>(&before), block, 4);
    poisoning.release(block);
    poisoning.copyToHost(kComputeStream, reinterpret_cast<std::byte*>(&after), block, 4);
    poisoning.synchronize();
    CHECK(before == 5);
    CHECK(after != after);
  }
}
