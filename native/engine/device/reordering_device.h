#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "engine/device/device_decorator.h"

namespace offload {

/// Which streams lag behind on a ReorderingDevice: what lags runs when something waits for it, the rest at once.
enum class LateStreams : std::uint8_t {
  others,   ///< all but the compute stream
  compute,  ///< the compute stream
  all,      ///< every stream: the host is far ahead
};
inline constexpr LateStreams kAllOrders[] = {LateStreams::others, LateStreams::compute, LateStreams::all};

/// Runs the queued work one piece at a time in the most unusual orders that streams and waits allow, and hands out again the
/// memory that was released last. The result of a correct schedule is the same, and a missing wait shows every time instead of
/// once in a while. For tests of schedules: everything runs on the compute stream of the device below, and times mean nothing.
class ReorderingDevice final : public DeviceDecorator {
 public:
  ReorderingDevice(Device& device, LateStreams late) : DeviceDecorator(device), late_(late), streams_(1) {}
  ~ReorderingDevice() override;

  DeviceAddress allocate(std::uint64_t sizeBytes, StreamId stream) override;
  void release(DeviceAddress address) noexcept override;
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
  bool isEager(StreamId stream) const;
  void runUntil(std::uint32_t stream, std::uint64_t position);
  void runAll();

  LateStreams late_;
  std::unordered_map<DeviceAddress, std::uint64_t> sizeBytes_;
  std::unordered_map<std::uint64_t, std::vector<DeviceAddress>> released_;   ///< by size, the last released at the end
  std::vector<Stream> streams_;
  std::unordered_map<std::uint64_t, Mark> marks_;
  std::uint64_t nextEvent_ = 1;
  std::uint64_t nextTicket_ = 1;
};

}  // namespace offload
