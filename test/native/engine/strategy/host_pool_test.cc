#include "engine/strategy/host_pool.h"

#include <doctest/doctest.h>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

struct Pool : FakeEngine {
  explicit Pool(std::uint64_t limitBytes) : pool(executor, allocator, limitBytes) {}
  PinnedAllocator allocator{executor};
  HostPool pool;

  Layout bytes(std::uint64_t count) const { return Layout::contiguous(TensorType::bf16, {count / 2}); }
  /// `count` buffers of one layout out and back in, as one step does.
  void step(std::uint64_t sizeBytes, int count) {
    std::vector<HostBuffer> buffers;
    for (int i = 0; i < count; ++i) buffers.push_back(pool.acquire(bytes(sizeBytes)));
    for (HostBuffer& buffer : buffers) pool.release(std::move(buffer));
  }
};

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kBuffer = 33'554'432;

}  // namespace

TEST_CASE("fixed lengths: 27 buffers in seven steps, as recorded for three limits") {
  Pool wide(4 * kGiB);
  for (int step = 0; step < 7; ++step) wide.step(kBuffer, 27);
  CHECK(wide.pool.counters().allocations == 27);
  CHECK(wide.pool.counters().reuses == 162);
  CHECK(wide.pool.counters().evictions == 0);
  CHECK(wide.pool.idleBytes() == 905'969'664u);

  Pool closed(0);
  for (int step = 0; step < 7; ++step) closed.step(kBuffer, 27);
  CHECK(closed.pool.counters().allocations == 189);
  CHECK(closed.pool.counters().drops == 189);
  CHECK(closed.pool.idleBytes() == 0);
  CHECK(closed.allocator.driverAllocations() == 27);
  CHECK(closed.allocator.bytesHeld() == 905'969'664u);

  Pool quarter(kGiB / 4);
  for (int step = 0; step < 7; ++step) quarter.step(kBuffer, 27);
  CHECK(quarter.pool.counters().allocations == 141);
  CHECK(quarter.pool.counters().reuses == 48);
  CHECK(quarter.pool.counters().evictions == 133);
  CHECK(quarter.pool.idleBytes() == 268'435'456u);
  CHECK(quarter.allocator.driverAllocations() == 27);
}

TEST_CASE("varying lengths hoard old shapes until the pool is full, as recorded") {
  Pool pool(4 * kGiB);
  for (const std::uint64_t seq : {10393, 9225, 12371, 10123, 16309, 15556, 15929, 14411, 11631, 9729, 16185, 8656, 14578, 15282}) {
    pool.step(seq * 2048, 27);
  }
  CHECK(pool.pool.counters().allocations == 378);
  CHECK(pool.pool.counters().reuses == 0);
  CHECK(pool.pool.counters().evictions == 213);
  CHECK(pool.pool.idleBytes() == 4'294'410'240u);
  CHECK(pool.allocator.driverAllocations() == 193);
  CHECK(pool.allocator.bytesHeld() == 6'476'005'376u);
}

TEST_CASE("a buffer larger than the limit is dropped, one as large is kept") {
  Pool pool(1024);
  pool.step(1026, 1);
  CHECK(pool.pool.counters().drops == 1);
  pool.step(1024, 1);
  CHECK(pool.pool.counters().drops == 1);
  CHECK(pool.pool.idleBytes() == 1024);
}

TEST_CASE("the least recently used layout goes first, its oldest buffer before its newest") {
  Pool pool(300);
  pool.step(100, 2);
  pool.step(80, 1);
  // Using the first layout again makes the second the least recent one.
  pool.step(100, 1);
  pool.step(60, 1);
  CHECK(pool.pool.counters().evictions == 1);
  pool.step(80, 1);
  CHECK(pool.pool.counters().reuses == 1);
}

TEST_CASE("an exact layout is needed for reuse: the same bytes in another shape are new") {
  Pool pool(kGiB);
  pool.pool.release(pool.pool.acquire(Layout::contiguous(TensorType::bf16, {4, 8})));
  pool.pool.release(pool.pool.acquire(Layout::contiguous(TensorType::bf16, {8, 4})));
  pool.pool.release(pool.pool.acquire(Layout::contiguous(TensorType::f32, {4, 4})));
  CHECK(pool.pool.counters().allocations == 3);
  CHECK(pool.pool.counters().reuses == 0);
}

TEST_CASE("where pinning fails the buffer is pageable and counted") {
  Pool pool(kGiB);
  pool.device.pinnedLimit = 4096;
  const HostBuffer pinned = pool.pool.acquire(pool.bytes(4096));
  const HostBuffer pageable = pool.pool.acquire(pool.bytes(4096));
  CHECK(pool.pool.pageableAllocations() == 1);
  CHECK(pageable.address() != nullptr);
  CHECK(pageable.address() != pinned.address());
  CHECK(pool.pool.inUseBytes() == 8192);
}
