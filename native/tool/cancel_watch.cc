#include "tool/cancel_watch.h"

#include <chrono>
#include <system_error>

namespace offload {
namespace {

// Together well below the 200 ms within which a cancel is answered.
constexpr auto kLook = std::chrono::milliseconds(20);
constexpr auto kPatience = std::chrono::milliseconds(100);

}  // namespace

CancelWatch::CancelWatch(const std::atomic<bool>& cancelled, void (*end)()) : cancelled_(cancelled), end_(end) {
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // No thread to be had: a cancel is obeyed all the same, only later.
  }
}

CancelWatch::~CancelWatch() {
  beginSave();
  if (thread_.joinable()) thread_.join();
}

void CancelWatch::beginSave() {
  const std::lock_guard lock(mutex_);
  mustFinish_ = true;
  over_.notify_one();
}

void CancelWatch::watch() {
  std::unique_lock lock(mutex_);
  const auto isOver = [this] { return mustFinish_; };
  while (!cancelled_) {
    if (over_.wait_for(lock, kLook, isOver)) return;
  }
  if (over_.wait_for(lock, kPatience, isOver)) return;
  // The lock stays: no file is begun any more.
  end_();
}

}  // namespace offload
