#include "cuda/work_timer.h"

#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>

namespace offload::cuda {
namespace {

/// Waits are short as a rule: a thread that sleeps at once would wake too late.
constexpr double kSpinNs = 200e3;
constexpr auto kSleep = std::chrono::microseconds(20);
/// Of so many tries the one that took the host the shortest ties the clocks.
constexpr int kTieTries = 5;

}  // namespace

WorkTimer::WorkTimer(const DriverApi& api, WhileWaiting whileWaiting) : api_(api), whileWaiting_(std::move(whileWaiting)), pool_(api, 0) {}

double WorkTimer::nowNs() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void WorkTimer::waitFor(const std::function<Result()>& isDone, const char* call) const {
  const double startNs = nowNs();
  while (true) {
    const Result outcome = isDone();
    if (outcome == result::success) return;
    if (outcome != result::notReady) check(api_, outcome, call);
    whileWaiting_();
    if (nowNs() - startNs > kSpinNs) std::this_thread::sleep_for(kSleep);
  }
}

std::size_t WorkTimer::mark(Stream stream) {
  events_.push_back(pool_.take());
  check(api_, api_.eventRecord(events_.back().get(), stream), "cuEventRecord");
  return events_.size() - 1;
}

void WorkTimer::before(StreamClock& clock) {
  if (clock.hasLast) {
    const Result last = api_.eventQuery(events_[clock.last].get());
    if (last == result::notReady) {
      if (clock.queued.size() >= kMostAhead) {
        const Event oldest = events_[clock.queued.front()].get();
        waitFor([&] { return api_.eventQuery(oldest); }, "cuEventQuery");
        clock.queued.pop_front();
      }
      pendingStart_ = clock.last;
      return;
    }
    check(api_, last, "cuEventQuery");
    clock.queued.clear();
  }
  pendingStart_ = mark(clock.stream);
}

Ticket WorkTimer::after(StreamClock& clock) {
  const std::size_t end = mark(clock.stream);
  clock.last = end;
  clock.hasLast = true;
  clock.queued.push_back(end);
  spans_.push_back({pendingStart_, end});
  return Ticket{forgotten_ + spans_.size() - 1};
}

double WorkTimer::hostTime(std::size_t event) const {
  float milliseconds = 0;
  check(api_, api_.eventElapsedTime(&milliseconds, base_.get(), events_[event].get()), "cuEventElapsedTime");
  return baseNs_ + static_cast<double>(milliseconds) * 1e6;
}

Interval WorkTimer::interval(Ticket ticket) const {
  if (ticket.value < forgotten_ || ticket.value - forgotten_ >= spans_.size()) {
    throw std::logic_error("ticket of the CUDA device is not known any more");
  }
  const Span& span = spans_[ticket.value - forgotten_];
  return {hostTime(span.start), hostTime(span.end)};
}

void WorkTimer::forget(const std::vector<StreamClock*>& clocks) {
  for (StreamClock* clock : clocks) {
    clock->queued.clear();
    clock->hasLast = false;
  }
  forgotten_ += spans_.size();
  spans_.clear();
  for (OwnedEvent& event : events_) pool_.give(std::move(event));
  events_.clear();
  tieClocks(clocks.front()->stream);
}

void WorkTimer::tieClocks(Stream stream) {
  double shortestNs = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTieTries; ++i) {
    OwnedEvent event = pool_.take();
    const double beforeNs = nowNs();
    check(api_, api_.eventRecord(event.get(), stream), "cuEventRecord");
    while (api_.eventQuery(event.get()) == result::notReady) {
    }
    const double tookNs = nowNs() - beforeNs;
    if (tookNs < shortestNs) {
      shortestNs = tookNs;
      baseNs_ = beforeNs + tookNs / 2;
      std::swap(base_, event);
    }
    if (event) pool_.give(std::move(event));
  }
}

}  // namespace offload::cuda
