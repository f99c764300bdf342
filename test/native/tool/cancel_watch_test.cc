#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tool/cancel_watch.h"

using namespace offload;

namespace {

std::atomic<int> ends{0};
void countEnd() { ++ends; }

}  // namespace

TEST_CASE("a run that does not come back from a cancel is ended, once") {
  ends = 0;
  std::atomic<bool> cancelled{false};
  {
    const CancelWatch watch(cancelled, countEnd);
    cancelled = true;
    while (ends == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(ends == 1);
}

TEST_CASE("runs that end, cancelled or not, and those that write their file are left alone") {
  ends = 0;
  for (const bool isCancelled : {false, true}) {
    for (const bool isSaving : {false, true}) {
      std::atomic<bool> cancelled{false};
      CancelWatch watch(cancelled, countEnd);
      if (isSaving) watch.beginSave();
      cancelled = isCancelled;
    }
  }
  CHECK(ends == 0);
}
