#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "cuda/driver_handles.h"
#include "engine/device/device.h"

namespace offload::cuda {

/// What WorkTimer keeps of one stream.
struct StreamClock {
  Stream stream = nullptr;
  /// Timing events of work that may still be under way, oldest first.
  std::deque<std::size_t> queued;
  std::size_t last = 0;
  bool hasLast = false;
};

/// Measures queued work by timing events of the GPU. Work that is queued while its stream is still busy starts where the work
/// before it ends, so it needs one event; only work that finds its stream empty gets one in front as well. The resolution of
/// such events is about 0.5 us ("CUDA Driver API", cuEventElapsedTime).
///
/// Also keeps the host from running further ahead than kMostAhead pieces of a stream: what is queued cannot be taken back, and
/// a cancelled run has to wait for it.
class WorkTimer {
 public:
  static constexpr std::size_t kMostAhead = 64;

  /// Called over and over while the host waits; throws to give up.
  using WhileWaiting = std::function<void()>;

  WorkTimer(const DriverApi& api, WhileWaiting whileWaiting);

  /// Call right before and right after queueing one piece of work.
  void before(StreamClock& clock);
  Ticket after(StreamClock& clock);

  /// Throws std::logic_error for a ticket that was forgotten or never given.
  Interval interval(Ticket ticket) const;
  /// Forgets all tickets and ties the GPU's clock to the host's again. All streams are empty; `clocks` are all of them.
  void forget(const std::vector<StreamClock*>& clocks);

  /// The host's clock, ns.
  static double nowNs();

  /// Returns once `isDone` gives success; throws on any other result but notReady. Spins shortly, then sleeps in between.
  void waitFor(const std::function<Result()>& isDone, const char* call) const;

 private:
  struct Span {
    std::size_t start;
    std::size_t end;
  };
  std::size_t mark(Stream stream);
  double hostTime(std::size_t event) const;
  void tieClocks(Stream stream);

  const DriverApi& api_;
  WhileWaiting whileWaiting_;
  EventPool pool_;
  std::vector<OwnedEvent> events_;
  std::vector<Span> spans_;
  std::size_t pendingStart_ = 0;
  std::uint64_t forgotten_ = 0;
  OwnedEvent base_;
  double baseNs_ = 0;
};

}  // namespace offload::cuda
