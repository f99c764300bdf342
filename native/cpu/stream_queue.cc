#include "cpu/stream_queue.h"

#include <pthread.h>

#include <new>
#include <utility>

namespace offload {
namespace {

/// Linux shows at most 15 characters of a thread's name.
void nameThread(std::thread& thread, const std::string& name) {
#if defined(__linux__)
  pthread_setname_np(thread.native_handle(), ("offload " + name).substr(0, 15).c_str());
#else
  (void)thread;
  (void)name;
#endif
}

}  // namespace

void StreamMark::set() {
  {
    const std::lock_guard lock(mutex_);
    set_ = true;
  }
  changed_.notify_all();
}

bool StreamMark::isSet() const {
  const std::lock_guard lock(mutex_);
  return set_;
}

void StreamMark::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return set_; });
}

void StreamFaults::fail(Problem problem) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(problem);
  failed_.store(true, std::memory_order_relaxed);
}

std::optional<Problem> StreamFaults::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void StreamFaults::clear() {
  const std::lock_guard lock(mutex_);
  failure_.reset();
  failed_.store(false, std::memory_order_relaxed);
}

StreamQueue::StreamQueue(const std::string& name, StreamFaults& faults, Clock nowNs)
    : faults_(faults), nowNs_(std::move(nowNs)), thread_([this] { serve(); }) {
  nameThread(thread_, name);
}

StreamQueue::~StreamQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StreamQueue::pushWork(std::function<void()> work, Interval& interval) {
  push(Entry{.work = std::move(work), .awaited = nullptr, .mark = nullptr, .interval = &interval});
}

void StreamQueue::pushWait(std::shared_ptr<const StreamMark> mark, Interval& interval) {
  push(Entry{.work = nullptr, .awaited = std::move(mark), .mark = nullptr, .interval = &interval});
}

std::shared_ptr<const StreamMark> StreamQueue::pushMark() {
  auto mark = std::make_shared<StreamMark>();
  push(Entry{.work = nullptr, .awaited = nullptr, .mark = mark, .interval = nullptr});
  return mark;
}

void StreamQueue::drain() { pushMark()->wait(); }

void StreamQueue::push(Entry entry) {
  {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  changed_.notify_all();
}

void StreamQueue::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !entries_.empty(); });
    if (entries_.empty()) return;
    Entry entry = std::move(entries_.front());
    entries_.pop_front();
    lock.unlock();
    runEntry(entry);
    // Destroyed before the lock is taken: a functor's destructor is no business of the queue.
    entry = Entry{};
    lock.lock();
  }
}

void StreamQueue::runEntry(Entry& entry) {
  if (entry.interval != nullptr) entry.interval->startNs = nowNs_();
  if (entry.work && !faults_.dropsWork()) runWork(entry.work);
  // Waits count even when work is dropped: order between streams holds to the end.
  if (entry.awaited) entry.awaited->wait();
  if (entry.interval != nullptr) entry.interval->endNs = nowNs_();
  if (entry.mark) entry.mark->set();
}

void StreamQueue::runWork(const std::function<void()>& work) {
  try {
    work();
  } catch (const EngineError& error) {
    faults_.fail(error.problem());
  } catch (const std::bad_alloc&) {
    faults_.fail({"DEVICE_OUT_OF_MEMORY", "The CPU device has no memory left for a kernel's working copies.", "",
                  "Use fewer layers or a shorter sequence."});
  } catch (const std::exception& error) {
    faults_.fail({"DEVICE_FAILED", "A kernel of the CPU device failed.", error.what(), "Please report this with the config used."});
  }
}

}  // namespace offload
