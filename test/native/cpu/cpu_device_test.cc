#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cpu/cpu_device.h"

using namespace offload;

namespace {

constexpr std::uint64_t kMiB = 1U << 20U;

std::string codeOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const EngineError& error) {
    CHECK(!error.problem().nextStep.empty());
    return error.problem().code;
  }
  return "";
}

const std::byte* bytesOf(const std::vector<float>& values) { return reinterpret_cast<const std::byte*>(values.data()); }

/// A product of two square matrices.
LinearForward squareProduct(CpuDevice& device, std::uint32_t size) {
  const auto room = [&] { return device.allocate(std::uint64_t{size} * size * 4, kComputeStream); };
  const LinearForward call{ElementType::f32, room(), room(), 0, room(), size, size, size};
  device.launch(kComputeStream, Memset{call.input, std::uint64_t{size} * size * 4});
  device.launch(kComputeStream, Memset{call.weight, std::uint64_t{size} * size * 4});
  return call;
}

}  // namespace

TEST_CASE("bytes travel host, device, device, host in stream order") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  std::vector<float> values(3 * kMiB);  // several copy blocks
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const std::uint64_t size = values.size() * sizeof(float);
  const auto a = device.allocate(size, kComputeStream), b = device.allocate(size, kComputeStream);
  const auto pinned = device.allocatePinned(size);
  REQUIRE(pinned);
  device.copyToDevice(kComputeStream, a, bytesOf(values), size);
  device.copyOnDevice(kComputeStream, b, a, size);
  device.launch(kComputeStream, Memset{a, size});
  const Ticket copy = device.copyToHost(kComputeStream, *pinned, b, size);
  device.synchronize();
  CHECK(std::memcmp(*pinned, values.data(), size) == 0);
  const Interval interval = device.interval(copy);
  CHECK(interval.startNs < interval.endNs);
  CHECK(interval.endNs <= device.nowNs());
}

TEST_CASE("an event orders two streams; the ticket of the wait covers the standstill") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  const StreamId swap = device.createStream("swap");
  constexpr std::uint64_t count = 2 * kMiB;
  const auto out = device.allocate(count * 4, kComputeStream);
  const auto pinned = device.allocatePinned(count * 4);
  REQUIRE(pinned);
  for (int round = 0; round < 20; ++round) {
    const auto value = static_cast<float>(round);
    const Ticket fill = device.launch(kComputeStream, FillConstant{ElementType::f32, out, count, value});
    const EventId filled = device.record(kComputeStream);
    const Ticket wait = device.streamWait(swap, filled);
    const Ticket copy = device.copyToHost(swap, *pinned, out, count * 4);
    const EventId copied = device.record(swap);
    // The next round overwrites `out`: it has to wait for the copy.
    device.streamWait(kComputeStream, copied);
    device.hostWait(copied);
    CHECK(device.isReady(copied));
    CHECK(device.isReady(filled));
    float first = -1, last = -1;
    std::memcpy(&first, *pinned, 4);
    std::memcpy(&last, *pinned + (count - 1) * 4, 4);
    CHECK(first == value);
    CHECK(last == value);
    device.synchronize();
    CHECK(device.interval(wait).endNs >= device.interval(fill).endNs);
    CHECK(device.interval(copy).startNs >= device.interval(wait).endNs);
    device.releaseEvent(filled);
    device.releaseEvent(copied);
    device.forgetTickets();
  }
}

TEST_CASE("streams without an event run side by side") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  const StreamId other = device.createStream("other");
  // `other` finishes although the compute stream stands still: it waits for what `other` records last.
  const auto a = device.allocate(64, kComputeStream);
  const EventId before = device.record(kComputeStream);
  device.launch(other, Memset{a, 64});
  const EventId done = device.record(other);
  device.streamWait(kComputeStream, done);
  const EventId after = device.record(kComputeStream);
  device.hostWait(after);
  CHECK(device.isReady(before));
  CHECK(device.isReady(done));
}

TEST_CASE("a released block is reused at once and 256-byte aligned") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  const auto a = device.allocate(100'000, kComputeStream);
  CHECK(a % 256 == 0);
  device.release(a);
  CHECK(device.allocate(100'000, kComputeStream) == a);
}

TEST_CASE("more than the limit is DEVICE_OUT_OF_MEMORY, cached blocks are given back first") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled, {.memoryLimitBytes = 8 * kMiB});
  CHECK(device.availableBytes() == 8 * kMiB);
  CHECK(codeOf([&] { device.allocate(9 * kMiB, kComputeStream); }) == "DEVICE_OUT_OF_MEMORY");
  const auto a = device.allocate(2 * kMiB, kComputeStream), b = device.allocate(3 * kMiB, kComputeStream);
  device.launch(kComputeStream, Memset{a, 2 * kMiB});
  device.release(a);
  device.release(b);
  CHECK(device.availableBytes() == 8 * kMiB);
  CHECK(device.allocate(8 * kMiB, kComputeStream) != 0);
  CHECK(device.availableBytes() == 0);
  CHECK_FALSE(device.allocatePinned(kMiB));
  CHECK(codeOf([&] { device.allocate(UINT64_MAX, kComputeStream); }) == "DEVICE_OUT_OF_MEMORY");
}

TEST_CASE("the n-th allocation and the n-th pinning can be made to fail") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled, {.failAllocation = 2, .failPinning = 1});
  device.allocate(10, kComputeStream);
  CHECK(codeOf([&] { device.allocate(10, kComputeStream); }) == "DEVICE_OUT_OF_MEMORY");
  device.allocate(10, kComputeStream);
  CHECK_FALSE(device.allocatePinned(10));
  CHECK(device.allocatePinned(10));
}

TEST_CASE("a failing kernel is thrown once by synchronize; work behind it is dropped, work after it runs") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  const StreamId other = device.createStream("other");
  const std::vector<std::int32_t> ids{5};
  const auto table = device.allocate(64, kComputeStream), id = device.allocate(4, kComputeStream), out = device.allocate(64, kComputeStream);
  device.copyToDevice(kComputeStream, id, reinterpret_cast<const std::byte*>(ids.data()), 4);
  device.launch(kComputeStream, FillConstant{ElementType::f32, out, 1, 1.0F});
  device.launch(kComputeStream, EmbeddingForward{ElementType::f32, id, table, out, 1, 1, 2});
  device.launch(kComputeStream, FillConstant{ElementType::f32, out, 1, 2.0F});
  device.streamWait(other, device.record(kComputeStream));
  device.launch(other, FillConstant{ElementType::f32, out, 1, 3.0F});
  CHECK(codeOf([&] { device.synchronize(); }) == "DEVICE_FAILED");
  float value = 0;
  device.copyToHost(kComputeStream, reinterpret_cast<std::byte*>(&value), out, 4);
  device.synchronize();
  CHECK(value == 1.0F);
}

TEST_CASE("a cancel stops a kernel that would take minutes, and every wait says so") {
  std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  const StreamId swap = device.createStream("swap");
  const LinearForward call = squareProduct(device, 4096);
  for (int i = 0; i < 200; ++i) device.launch(kComputeStream, call);
  const EventId end = device.record(kComputeStream);
  device.streamWait(swap, end);
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancelled = true;
  });
  CHECK(codeOf([&] { device.hostWait(end); }) == "CANCELLED");
  CHECK(codeOf([&] { device.synchronize(); }) == "CANCELLED");
  CHECK(codeOf([&] { device.synchronize(); }) == "CANCELLED");
  user.join();
}

TEST_CASE("tickets are forgotten, later ones are not confused with them") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  const auto a = device.allocate(64, kComputeStream);
  const Ticket old = device.launch(kComputeStream, Memset{a, 64});
  device.forgetTickets();
  CHECK_THROWS_AS(device.interval(old), std::logic_error);
  const Ticket fresh = device.launch(kComputeStream, Memset{a, 64});
  CHECK_THROWS_AS(device.interval(Ticket{fresh.value + 1}), std::logic_error);
  device.synchronize();
  CHECK(fresh.value != old.value);
  CHECK(device.interval(fresh).endNs > 0);
}

TEST_CASE("wrong use is a bug and throws, not a crash") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  CHECK_THROWS_AS(device.record(StreamId{9}), std::logic_error);
  const EventId event = device.record(kComputeStream);
  device.releaseEvent(event);
  CHECK_THROWS_AS(device.hostWait(event), std::logic_error);
}

TEST_CASE("a destroyed stream has run empty, its events stay valid and its id comes again") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  std::vector<float> values(kMiB, 1.0f);
  const std::uint64_t size = values.size() * sizeof(float);
  const auto block = device.allocate(size, kComputeStream);
  const StreamId first = device.createStream("swap");
  for (int round = 0; round < 50; ++round) {
    const StreamId swap = round == 0 ? first : device.createStream("swap");
    CHECK(swap == first);
    device.copyToDevice(swap, block, bytesOf(values), size);
    const EventId end = device.record(swap);
    device.destroyStream(swap);
    CHECK(device.isReady(end));
    device.streamWait(kComputeStream, end);
    device.releaseEvent(end);
    CHECK_THROWS_AS(device.record(swap), std::logic_error);
  }
  device.destroyStream(kComputeStream);
  device.launch(kComputeStream, Memset{block, size});
  device.synchronize();
}

TEST_CASE("a device with queued work and waiting streams ends without hanging") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  const StreamId swap = device.createStream("swap");
  const auto a = device.allocate(kMiB, kComputeStream);
  for (int i = 0; i < 100; ++i) {
    device.launch(kComputeStream, Memset{a, kMiB});
    device.streamWait(swap, device.record(kComputeStream));
    device.launch(swap, Memset{a, kMiB});
    device.streamWait(kComputeStream, device.record(swap));
  }
}

TEST_CASE("the device says what it is") {
  const std::atomic<bool> cancelled{false};
  const DeviceInfo info = CpuDevice(cancelled).info();
  CHECK(info.kind == "cpu");
  CHECK(!info.name.empty());
  CHECK(!info.driver);
  CHECK(info.matmul.starts_with("built-in"));
}
