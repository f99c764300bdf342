#include "sim/sim_device.h"

#include <doctest/doctest.h>

#include <atomic>

using namespace offload;

namespace {

const std::atomic<bool> kNotCancelled{false};

DeviceProfile plainProfile() {
  DeviceProfile profile = std::get<DeviceProfile>(findDeviceProfile("H200"));
  profile.d2hGBps = 50;
  profile.h2dGBps = 50;
  profile.bothGBps = 80;
  profile.copyLatencyNs = 0;
  profile.launchLatencyNs = 0;
  return profile;
}

constexpr std::uint64_t kMegabyte = 1000000;

double length(const SimDevice& device, Ticket ticket) {
  const Interval interval = device.interval(ticket);
  return interval.endNs - interval.startNs;
}

/// Pinned memory of the device, as copies that run beside the host have it.
HostAddress pinned(SimDevice& device) { return *device.allocatePinned(1); }

LinearForward product(std::uint64_t rows) { return {ElementType::bf16, 1, 2, 0, 3, rows, 4096, 12288}; }

}  // namespace

TEST_CASE("a copy takes its bytes over the bandwidth, and the next of its direction follows it") {
  SimDevice device(plainProfile(), kNotCancelled);
  const StreamId other = device.createStream("other");
  const Ticket first = device.copyToHost(kComputeStream, pinned(device), 1, 100 * kMegabyte);
  const Ticket second = device.copyToHost(other, pinned(device), 1, 100 * kMegabyte);
  CHECK(length(device, first) == doctest::Approx(2e6));
  CHECK(device.interval(second).startNs == device.interval(first).endNs);
}

TEST_CASE("both directions at once share what the link can do") {
  SimDevice device(plainProfile(), kNotCancelled);
  const StreamId other = device.createStream("other");
  device.copyToHost(kComputeStream, pinned(device), 1, 400 * kMegabyte);
  const Ticket back = device.copyToDevice(other, 1, pinned(device), 100 * kMegabyte);
  // 80 in all, of which the first copy has 50.
  CHECK(length(device, back) == doctest::Approx(100e6 / 30));
}

TEST_CASE("a copy that follows another on its stream starts a latency later, which is no part of either") {
  DeviceProfile profile = plainProfile();
  profile.copyLatencyNs = 10000;
  SimDevice device(profile, kNotCancelled);
  const Ticket first = device.copyToHost(kComputeStream, pinned(device), 1, 100 * kMegabyte);
  const Ticket second = device.copyToHost(kComputeStream, pinned(device), 1, 100 * kMegabyte);
  CHECK(length(device, first) == doctest::Approx(2e6));
  CHECK(device.interval(second).startNs - device.interval(first).endNs == doctest::Approx(10000));
}

TEST_CASE("copies of memory that is not pinned have their own rates and hold the host up") {
  DeviceProfile profile = plainProfile();
  profile.pageable = PageableRates{10, 5};
  SimDevice device(profile, kNotCancelled);
  std::byte memory{};
  const Ticket down = device.copyToHost(kComputeStream, &memory, 1, 100 * kMegabyte);
  CHECK(length(device, down) == doctest::Approx(1e7));
  CHECK(device.nowNs() >= device.interval(down).endNs);
  const Ticket up = device.copyToDevice(kComputeStream, 1, &memory, 100 * kMegabyte);
  CHECK(length(device, up) == doctest::Approx(2e7));
  CHECK(device.nowNs() >= device.interval(up).endNs);

  // Nobody measured them: as pinned, but still in the host's way.
  profile.pageable.reset();
  SimDevice unknown(profile, kNotCancelled);
  const Ticket like = unknown.copyToHost(kComputeStream, &memory, 1, 100 * kMegabyte);
  CHECK(length(unknown, like) == doctest::Approx(2e6));
  CHECK(unknown.nowNs() >= unknown.interval(like).endNs);
}

TEST_CASE("kernels run in order of their stream; the host is ahead of them until it waits") {
  SimDevice device(plainProfile(), kNotCancelled);
  const Ticket first = device.launch(kComputeStream, product(8192));
  const Ticket second = device.launch(kComputeStream, product(8192));
  CHECK(device.interval(second).startNs == device.interval(first).endNs);
  CHECK(device.nowNs() < device.interval(first).endNs);
  const EventId done = device.record(kComputeStream);
  CHECK_FALSE(device.isReady(done));
  device.hostWait(done);
  CHECK(device.nowNs() == device.interval(second).endNs);
  CHECK(device.isReady(done));
}

TEST_CASE("a stream that waits starts after the event; an event of the past holds nothing up") {
  SimDevice device(plainProfile(), kNotCancelled);
  const StreamId swap = device.createStream("swap");
  const Ticket kernel = device.launch(kComputeStream, product(8192));
  const EventId after = device.record(kComputeStream);
  const Ticket wait = device.streamWait(swap, after);
  const Ticket copy = device.copyToHost(swap, pinned(device), 1, kMegabyte);
  CHECK(device.interval(copy).startNs == device.interval(kernel).endNs);
  CHECK(length(device, wait) > 0);
  device.synchronize();
  CHECK(length(device, device.streamWait(swap, after)) == 0);
}

TEST_CASE("a host that cannot keep up bounds the stream, and the device says for how long") {
  DeviceProfile slow = plainProfile();
  slow.host.forwardOperatorNs = 1e9;
  SimDevice device(slow, kNotCancelled);
  device.launch(kComputeStream, product(64));
  device.launch(kComputeStream, product(64));
  device.synchronize();
  CHECK(device.nowNs() >= 2e9);
  CHECK(device.hostBoundNs() > 1.9e9);
}

TEST_CASE("pinning costs the host time; addresses are never used twice") {
  SimDevice device(plainProfile(), kNotCancelled);
  const double before = device.nowNs();
  const auto one = device.allocatePinned(std::uint64_t{1} << 30);
  CHECK(device.nowNs() - before == doctest::Approx(417.9e6));
  CHECK(one != device.allocatePinned(4096));
  const DeviceAddress first = device.allocate(1000, kComputeStream);
  device.release(first);
  CHECK(device.allocate(1000, kComputeStream) != first);
}

TEST_CASE("cancel is obeyed where the host waits") {
  std::atomic<bool> cancelled{false};
  SimDevice device(plainProfile(), cancelled);
  cancelled = true;
  CHECK_THROWS_AS(device.synchronize(), EngineError);
}

TEST_CASE("tickets that were forgotten are a mistake of the caller") {
  SimDevice device(plainProfile(), kNotCancelled);
  const Ticket ticket = device.launch(kComputeStream, product(8));
  device.forgetTickets();
  CHECK_THROWS_AS(device.interval(ticket), std::logic_error);
}
