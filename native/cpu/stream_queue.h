#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/base/problem.h"
#include "engine/device/device.h"

namespace offload {

/// A point in a stream: set once, by the stream's thread.
class StreamMark {
 public:
  void set();
  bool isSet() const;
  void wait() const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool set_ = false;
};

/// Shared by the streams of one device: whether queued work still counts.
class StreamFaults {
 public:
  explicit StreamFaults(const std::atomic<bool>& cancelled) : cancelled_(cancelled) {}

  bool isCancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  /// True once work is to be dropped: cancelled, or something failed.
  bool dropsWork() const { return isCancelled() || failed_.load(std::memory_order_relaxed); }
  /// Keeps the first failure.
  void fail(Problem problem);
  /// The failure so far, without forgetting it.
  std::optional<Problem> failure() const;
  void clear();

 private:
  const std::atomic<bool>& cancelled_;
  std::atomic<bool> failed_{false};
  mutable std::mutex mutex_;
  std::optional<Problem> failure_;
};

/// One stream: a thread that runs queued work in order. Marks are set even when work is dropped, so nobody waits for ever.
class StreamQueue {
 public:
  using Clock = std::function<double()>;

  StreamQueue(const std::string& name, StreamFaults& faults, Clock nowNs);
  /// Runs the queue empty first.
  ~StreamQueue();
  StreamQueue(const StreamQueue&) = delete;
  StreamQueue& operator=(const StreamQueue&) = delete;

  /// `interval` receives when the work ran; it must live until the queue is empty.
  void pushWork(std::function<void()> work, Interval& interval);
  /// The stream stands still until `mark`, set by an earlier call on another stream; `interval` receives how long.
  void pushWait(std::shared_ptr<const StreamMark> mark, Interval& interval);
  std::shared_ptr<const StreamMark> pushMark();
  /// Blocks until everything queued so far has run.
  void drain();

 private:
  struct Entry {
    std::function<void()> work;
    std::shared_ptr<const StreamMark> awaited;
    std::shared_ptr<StreamMark> mark;
    Interval* interval = nullptr;
  };
  void push(Entry entry);
  void serve();
  void runEntry(Entry& entry);
  void runWork(const std::function<void()>& work);

  StreamFaults& faults_;
  Clock nowNs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> entries_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace offload
