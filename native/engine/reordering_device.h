#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "engine/device_decorator.h"

namespace offload {

/// Which streams lag behind on a ReorderingDevice.
enum class LateStreams : std::uint8_t {
  others,   ///< compute runs at once, copies on other streams when something waits for them
  compute,  ///< copies on other streams run at once, compute when something waits for it
};

/// Runs the queued work one piece at a time in the most unusual order that streams and waits allow: the result of a correct
/// schedule is the same, and a missing wait shows every time instead of once in a while. For tests of schedules; everything
/// runs on the compute stream of the device below, and times mean nothing.
class ReorderingDevice final : public DeviceDecorator {
 public:
  ReorderingDevice(Device& device, LateStreams late) : DeviceDecorator(device), late_(late), streams_(1) {}

  StreamId createStream(std::string_view name) override;
  void destroyStream(StreamId stream) noexcept override;
  EventId record(StreamId stream) override;
  bool isReady(EventId event) override;
  Ticket streamWait(StreamId stream, EventId event) override;
  void hostWait(EventId event) override;
  void releaseEvent(EventId event) noexcept override;
  void synchronize() override;
  Ticket launch(StreamId stream, const KernelCall& call) override;
  Ticket copyToHost(StreamId stream, HostAddress to, DeviceAddress from, std::uint64_t sizeBytes) override;
  Ticket copyToDevice(StreamId stream, DeviceAddress to, const std::byte* from, std::uint64_t sizeBytes) override;
  Ticket copyOnDevice(StreamId stream, DeviceAddress to, DeviceAddress from, std::uint64_t sizeBytes) override;
  Interval interval(Ticket ticket) const override;
  void forgetTickets() override;

 private:
  /// `runSoFar` and `queuedSoFar` count a stream's entries since it was made.
  struct Stream {
    std::deque<std::function<void()>> entries;
    std::uint64_t runSoFar = 0;
    std::uint64_t queuedSoFar = 0;
  };
  /// Where an event stands: after `position` entries of its stream.
  struct Mark {
    std::uint32_t stream = 0;
    std::uint64_t position = 0;
  };

  Ticket push(StreamId stream, std::function<void()> entry);
  /// Work that is over when the entry has run.
  Ticket queue(StreamId stream, std::function<void()> work);
  bool isEager(StreamId stream) const { return (stream == kComputeStream) != (late_ == LateStreams::compute); }
  void runUntil(std::uint32_t stream, std::uint64_t position);
  void runAll();

  LateStreams late_;
  std::vector<Stream> streams_;
  std::unordered_map<std::uint64_t, Mark> marks_;
  std::uint64_t nextEvent_ = 1;
  std::uint64_t nextTicket_ = 1;
};

}  // namespace offload
