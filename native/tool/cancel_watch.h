#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace offload {

/// Ends the process once it was cancelled and the run has not returned shortly after: what a run still gives back then, pinned
/// memory above all, can take seconds, and goes with the process. A run that writes its file is left to finish. The thread waits
/// from construction to destruction.
class CancelWatch {
 public:
  /// `end` ends the process; it is called at most once, on a thread of its own.
  CancelWatch(const std::atomic<bool>& cancelled, void (*end)());
  ~CancelWatch();
  CancelWatch(const CancelWatch&) = delete;
  CancelWatch& operator=(const CancelWatch&) = delete;

  /// From now on the run is not cut short. Blocks for good if its end has begun.
  void beginSave();

 private:
  void watch();

  const std::atomic<bool>& cancelled_;
  void (*end_)();
  std::mutex mutex_;
  std::condition_variable over_;
  bool mustFinish_ = false;
  std::thread thread_;
};

}  // namespace offload
