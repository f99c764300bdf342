#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cpu/row_pool.h"

using offload::RowPool;

TEST_CASE("every task runs once, for any number of threads and many kernels in a row") {
  std::atomic<bool> cancelled{false};
  for (const unsigned threads : {1U, 2U, 4U}) {
    RowPool pool(threads, cancelled);
    for (std::uint64_t tasks = 0; tasks < 200; ++tasks) {
      std::vector<int> runs(tasks);
      pool.forEach(tasks, [&](std::uint64_t task) { ++runs[task]; });
      CHECK(runs == std::vector<int>(tasks, 1));
    }
  }
}

TEST_CASE("a task's exception reaches the caller, and the pool lives on") {
  std::atomic<bool> cancelled{false};
  for (const unsigned threads : {1U, 4U}) {
    RowPool pool(threads, cancelled);
    CHECK_THROWS_WITH_AS(
        pool.forEach(50, [](std::uint64_t task) { if (task == 7) throw std::runtime_error("seven"); }), "seven", std::runtime_error);
    std::atomic<int> count{0};
    pool.forEach(50, [&](std::uint64_t) { ++count; });
    CHECK(count == 50);
  }
}

TEST_CASE("tasks are left out once cancelled") {
  std::atomic<bool> cancelled{false};
  for (const unsigned threads : {1U, 3U}) {
    cancelled = false;
    RowPool pool(threads, cancelled);
    std::atomic<std::uint64_t> ran{0};
    pool.forEach(1'000'000, [&](std::uint64_t) {
      ++ran;
      cancelled = true;
    });
    CHECK(ran >= 1);
    CHECK(ran <= threads);
    CHECK(pool.isCancelled());
  }
}

TEST_CASE("callers on several threads take turns") {
  std::atomic<bool> cancelled{false};
  RowPool pool(3, cancelled);
  std::vector<std::uint64_t> sums(4);
  std::vector<std::thread> callers;
  for (std::uint64_t& sum : sums) {
    callers.emplace_back([&pool, &sum] {
      for (int round = 0; round < 50; ++round) {
        std::vector<std::uint64_t> values(40);
        pool.forEach(40, [&](std::uint64_t task) { values[task] = task; });
        sum += std::accumulate(values.begin(), values.end(), std::uint64_t{0});
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const std::uint64_t sum : sums) CHECK(sum == 50 * 780);
}
