#include <doctest/doctest.h>

#include <cstdint>

#include "cpu/block_arena.h"

using offload::BlockArena;
using offload::MemoryBudget;

namespace {

constexpr std::uint64_t kMiB = 1U << 20U;
std::uint64_t plenty() { return std::uint64_t{1} << 40U; }

}  // namespace

TEST_CASE("blocks are aligned, and a released one is handed out again at once") {
  MemoryBudget budget(64 * kMiB, plenty);
  BlockArena arena(256, budget);
  std::byte* const first = arena.allocate(1000);
  CHECK(reinterpret_cast<std::uintptr_t>(first) % 256 == 0);
  CHECK(arena.allocate(1000) != first);
  arena.release(first);
  CHECK(arena.releasedBytes() == 1024);
  CHECK(arena.allocate(900) == first);
  CHECK(arena.releasedBytes() == 0);
}

TEST_CASE("a block is not given to a request that would waste more than a quarter") {
  MemoryBudget budget(64 * kMiB, plenty);
  BlockArena arena(256, budget);
  std::byte* const large = arena.allocate(10 * kMiB);
  arena.release(large);
  CHECK(arena.allocate(7 * kMiB) != large);
  CHECK(arena.allocate(9 * kMiB) == large);
}

TEST_CASE("the budget bounds used and released blocks of all arenas together; trim and destruction give back") {
  MemoryBudget budget(4 * kMiB, plenty);
  BlockArena one(256, budget);
  {
    BlockArena two(4096, budget);
    std::byte* const block = one.allocate(2 * kMiB);
    CHECK(two.allocate(kMiB) != nullptr);
    CHECK(one.allocate(2 * kMiB) == nullptr);
    one.release(block);
    CHECK(two.allocate(2 * kMiB) == nullptr);
    one.trim();
    CHECK(two.allocate(2 * kMiB) != nullptr);
    CHECK(budget.leftBytes() == kMiB);
  }
  CHECK(budget.leftBytes() == 4 * kMiB);
}

TEST_CASE("large blocks ask what the machine has left; absurd sizes are refused") {
  std::uint64_t available = 20 * kMiB;
  MemoryBudget budget(std::uint64_t{1} << 40U, [&] { return available; });
  BlockArena arena(256, budget);
  CHECK(arena.allocate(32 * kMiB) == nullptr);
  CHECK(arena.allocate(16 * kMiB) != nullptr);
  available = 0;
  CHECK(budget.leftBytes() == 0);
  CHECK(arena.allocate(UINT64_MAX) == nullptr);
  CHECK(arena.allocate(UINT64_MAX - 255) == nullptr);
}

TEST_CASE("size 0 is an address of its own, unknown addresses are ignored") {
  MemoryBudget budget(kMiB, plenty);
  BlockArena arena(256, budget);
  std::byte* const a = arena.allocate(0);
  CHECK(a != nullptr);
  CHECK(arena.allocate(0) != a);
  arena.release(nullptr);
  arena.release(a);
  arena.release(a);
  CHECK(arena.releasedBytes() == 512);
}
