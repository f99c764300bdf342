#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace offload {

/// Threads that split one kernel at a time. A kernel must cut its work into tasks by its own shape, never by the number of
/// threads, and each task must write memory of its own: then the result has the same bits for any number of threads.
class RowPool {
 public:
  /// `threads` counts the calling thread; `cancelled` must outlive the pool.
  RowPool(unsigned threads, const std::atomic<bool>& cancelled);
  ~RowPool();
  RowPool(const RowPool&) = delete;
  RowPool& operator=(const RowPool&) = delete;

  /// Calls body(task) once for each task in [0, tasks), in any order and on any thread, and returns when all have run.
  /// Rethrows the first exception of a task; tasks that have not begun by then, or by a cancel, are left out.
  void forEach(std::uint64_t tasks, const std::function<void(std::uint64_t task)>& body);

  /// Long tasks ask this between blocks and return early: nobody reads the output of a cancelled kernel.
  bool isCancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  struct Job;
  void work();
  void runTasks(Job& job);

  const std::atomic<bool>& cancelled_;
  std::mutex callers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Job> job_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace offload
