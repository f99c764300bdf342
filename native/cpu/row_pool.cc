#include "cpu/row_pool.h"

#include <exception>

namespace offload {

struct RowPool::Job {
  std::uint64_t tasks;
  const std::function<void(std::uint64_t)>* body;
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::uint64_t finished = 0;  // guarded by mutex_
  std::exception_ptr failure;  // guarded by mutex_
};

RowPool::RowPool(unsigned threads, const std::atomic<bool>& cancelled) : cancelled_(cancelled) {
  for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

RowPool::~RowPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void RowPool::forEach(std::uint64_t tasks, const std::function<void(std::uint64_t)>& body) {
  if (threads_.empty() || tasks <= 1) {
    for (std::uint64_t task = 0; task < tasks && !isCancelled(); ++task) body(task);
    return;
  }
  const std::lock_guard oneKernelAtATime(callers_);
  const auto job = std::make_shared<Job>();
  job->tasks = tasks;
  job->body = &body;
  {
    const std::lock_guard lock(mutex_);
    job_ = job;
  }
  changed_.notify_all();
  runTasks(*job);

  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return job->finished == tasks; });
  job_.reset();
  if (job->failure) std::rethrow_exception(job->failure);
}

void RowPool::runTasks(Job& job) {
  std::uint64_t finished = 0;
  std::exception_ptr failure;
  // Every task is taken by somebody, run or skipped, so that `finished` reaches `tasks` in every case.
  for (std::uint64_t task = job.next++; task < job.tasks; task = job.next++) {
    ++finished;
    if (isCancelled() || job.failed.load(std::memory_order_relaxed)) continue;
    try {
      (*job.body)(task);
    } catch (...) {
      failure = std::current_exception();
      job.failed.store(true, std::memory_order_relaxed);
    }
  }
  if (finished == 0) return;
  const std::lock_guard lock(mutex_);
  job.finished += finished;
  if (failure && !job.failure) job.failure = failure;
  if (job.finished == job.tasks) changed_.notify_all();
}

void RowPool::work() {
  std::shared_ptr<Job> last;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || (job_ && job_ != last); });
    if (stopping_) return;
    last = job_;
    lock.unlock();
    runTasks(*last);
    lock.lock();
  }
}

}  // namespace offload
