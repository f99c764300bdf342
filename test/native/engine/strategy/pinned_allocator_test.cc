#include "engine/strategy/pinned_allocator.h"

#include <doctest/doctest.h>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

TEST_CASE("requests are rounded up to powers of two and held for ever") {
  FakeEngine engine;
  {
    PinnedAllocator allocator(engine.executor);
    for (int i = 0; i < 27; ++i) CHECK(allocator.allocate(34'816'000)->sizeBytes == 67'108'864u);
    CHECK(allocator.bytesHeld() == 1'811'939'328u);
    CHECK(allocator.driverAllocations() == 27);
    CHECK(allocator.allocate(33'554'432)->sizeBytes == 33'554'432u);
    CHECK(allocator.allocate(1)->sizeBytes == 1u);
  }
  CHECK(engine.device.pinnedBytes == 0);
}

TEST_CASE("a freed block serves the next request of its rounded size, and only that") {
  FakeEngine engine;
  PinnedAllocator allocator(engine.executor);
  const PinnedBlock first = *allocator.allocate(1000);
  allocator.free(first, {});
  CHECK(allocator.allocate(1025)->address != first.address);
  CHECK(allocator.allocate(513)->address == first.address);
  CHECK(allocator.driverAllocations() == 2);
}

TEST_CASE("a block whose last copy still runs is not handed out") {
  FakeEngine engine;
  PinnedAllocator allocator(engine.executor);
  const PinnedBlock first = *allocator.allocate(1024);
  engine.device.areEventsReady = false;
  allocator.free(first, engine.executor.mark(kComputeStream).event);
  CHECK(allocator.allocate(1024)->address != first.address);
  engine.device.areEventsReady = true;
  CHECK(allocator.allocate(1024)->address == first.address);
  CHECK(engine.device.liveEvents == 0);
}

TEST_CASE("a refused pinning is reported, not counted") {
  FakeEngine engine;
  engine.device.pinnedLimit = 100;
  PinnedAllocator allocator(engine.executor);
  CHECK_FALSE(allocator.allocate(101).has_value());
  CHECK(allocator.driverAllocations() == 0);
  CHECK(allocator.bytesHeld() == 0);
}
