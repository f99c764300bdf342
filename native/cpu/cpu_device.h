#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cpu/block_arena.h"
#include "cpu/row_pool.h"
#include "cpu/stream_queue.h"
#include "engine/device/device.h"

namespace offload {

/// Everything has a default that suits a user's machine; tests set the rest.
struct CpuDeviceOptions {
  /// Device and pinned memory together, bytes; without it, seven eighths of what the machine has available.
  std::optional<std::uint64_t> memoryLimitBytes = std::nullopt;
  /// Threads of one kernel; 0 leaves one core of the machine to the copies. Results do not depend on it.
  unsigned kernelThreads = 0;
  /// The n-th call of `allocate` fails (1 is the first, 0 none).
  std::uint64_t failAllocation = 0;
  /// The n-th call of `allocatePinned` fails (1 is the first, 0 none).
  std::uint64_t failPinning = 0;
  /// Why this device and no other.
  std::vector<Warning> openingWarnings = {};
};

/// A device made of threads: each stream runs its queue in order, kernels are real and copies are memcpy between memory that
/// is kept apart as "device" and "host". It is the reference for numerics and runs small models anywhere.
///
/// Pinned memory is a model here: page-aligned memory whose pages have been touched. It is not locked, since ordinary users may
/// lock only a few MiB and nothing on a CPU copies faster for it.
///
/// Once `cancelled` turns true, kernels and copies stop between blocks, queued work is dropped, and every call that waits
/// throws CANCELLED. After any other failure queued work is dropped too, until `synchronize` has thrown it.
class CpuDevice final : public PlainDevice {
 public:
  /// `cancelled` must outlive the device.
  explicit CpuDevice(const std::atomic<bool>& cancelled, CpuDeviceOptions options = {});
  /// Runs the streams empty.
  ~CpuDevice() override;

  DeviceInfo info() const override;
  std::vector<Warning> warnings() override { return options_.openingWarnings; }
  std::uint64_t availableBytes() const override;
  std::string memoryLimit() const override;

  DeviceAddress allocate(std::uint64_t sizeBytes, StreamId stream) override;
  void release(DeviceAddress address) noexcept override;
  std::optional<HostAddress> allocatePinned(std::uint64_t sizeBytes) override;
  void releasePinned(HostAddress address) noexcept override;

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

  double nowNs() override;
  /// Throws std::logic_error for a ticket that was forgotten or never given.
  Interval interval(Ticket ticket) const override;
  /// Runs the streams empty first: queued work writes its interval.
  void forgetTickets() override;

 private:
  StreamQueue& queue(StreamId stream);
  const std::shared_ptr<const StreamMark>& mark(EventId event) const;
  Interval& newTicket();
  Ticket lastTicket() const;
  Ticket pushCopy(StreamId stream, std::byte* to, const std::byte* from, std::uint64_t sizeBytes);
  void drain();
  void throwIfCancelled() const;

  CpuDeviceOptions options_;
  StreamFaults faults_;
  MemoryBudget budget_;
  BlockArena deviceBlocks_;
  BlockArena pinnedBlocks_;
  std::uint64_t allocations_ = 0;
  std::uint64_t pinnings_ = 0;

  std::unordered_map<std::uint64_t, std::shared_ptr<const StreamMark>> events_;
  std::uint64_t nextEvent_ = 1;
  // A deque: queued work keeps references to its elements.
  std::deque<Interval> intervals_;
  std::uint64_t forgottenTickets_ = 0;

  // Last members: their threads use the ones above and stop first.
  RowPool pool_;
  std::vector<std::unique_ptr<StreamQueue>> queues_;  // null where a stream was destroyed
};

}  // namespace offload
