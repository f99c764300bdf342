#include "cuda/device_memory.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "fake_driver.h"

using namespace offload;
using namespace offload::testing;
using cuda::DeviceMemory;

namespace {

constexpr std::uint64_t kMiB = 1U << 20U;

}  // namespace

TEST_CASE("a released block is handed out again at once, the best fit first") {
  FakeDriver driver;
  const auto api = driver.api();
  DeviceMemory memory(*api, 0, 32 * kMiB);
  const auto a = *memory.allocate(4 * kMiB), b = *memory.allocate(kMiB), c = *memory.allocate(2 * kMiB), d = *memory.allocate(kMiB);
  CHECK(driver.calls("cuMemAlloc") == 1);
  memory.release(a);
  memory.release(c);
  CHECK(*memory.allocate(2 * kMiB) == c);
  CHECK(*memory.allocate(3 * kMiB) == a);
  memory.release(b);
  memory.release(d);
  CHECK(driver.calls("cuMemAlloc") == 1);
}

TEST_CASE("neighbours join, but not over the border of a segment") {
  FakeDriver driver;
  const auto api = driver.api();
  {
    DeviceMemory memory(*api, 0, 2 * kMiB);
    std::vector<cuda::DevicePointer> blocks;
    for (int i = 0; i < 8; ++i) blocks.push_back(*memory.allocate(kMiB));
    CHECK(driver.calls("cuMemAlloc") == 4);
    for (const auto block : blocks) memory.release(block);
    CHECK(memory.cachedBytes() == 8 * kMiB);
    // No 3 MiB lie together: a new segment.
    memory.allocate(3 * kMiB);
    CHECK(driver.calls("cuMemAlloc") == 5);
  }
  CHECK(driver.live() == 0);
}

TEST_CASE("trim gives whole segments back and keeps those in use") {
  FakeDriver driver;
  const auto api = driver.api();
  DeviceMemory memory(*api, 0, 2 * kMiB);
  const auto a = *memory.allocate(16 * kMiB), b = *memory.allocate(8 * kMiB), c = *memory.allocate(kMiB);
  memory.release(a);
  memory.release(c);
  memory.trim();
  CHECK(memory.cachedBytes() == 0);
  CHECK(driver.live() == 1);
  memory.release(b);
  memory.trim();
  CHECK(driver.live() == 0);
}

TEST_CASE("the margin and the end of memory are respected") {
  FakeDriver driver;
  driver.memory(100 * kMiB, 100 * kMiB);
  const auto api = driver.api();
  DeviceMemory memory(*api, 20 * kMiB, 2 * kMiB);
  CHECK(memory.driverBytes() == 80 * kMiB);
  CHECK_FALSE(memory.allocate(82 * kMiB));
  CHECK_FALSE(memory.allocate(~std::uint64_t{0}));
  CHECK(memory.allocate(80 * kMiB));
  CHECK_FALSE(memory.allocate(1));
}

TEST_CASE("blocks in use never overlap, whatever the order") {
  FakeDriver driver;
  const auto api = driver.api();
  {
    DeviceMemory memory(*api, 0, 2 * kMiB);
    std::mt19937 random(7);
    std::map<cuda::DevicePointer, std::uint64_t> used;
    for (int i = 0; i < 20000; ++i) {
      if (!used.empty() && random() % 2 == 0) {
        const auto victim = std::next(used.begin(), static_cast<std::ptrdiff_t>(random() % used.size()));
        memory.release(victim->first);
        used.erase(victim);
        continue;
      }
      const std::uint64_t size = 1 + random() % (300 * 1024);
      const auto address = *memory.allocate(size);
      CHECK(address % 512 == 0);
      const auto after = used.upper_bound(address);
      CHECK((after == used.end() || address + size <= after->first));
      CHECK((after == used.begin() || std::prev(after)->first + std::prev(after)->second <= address));
      used.emplace(address, size);
    }
    for (const auto& [address, size] : used) memory.release(address);
    memory.trim();
    CHECK(memory.cachedBytes() == 0);
  }
  CHECK(driver.live() == 0);
}
