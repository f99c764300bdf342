#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/warning.h"
#include "engine/device/kernel_calls.h"
#include "engine/device/row_layout.h"
#include "engine/device/operator_costs.h"

namespace offload {

/// Host memory that a device can copy from and to; pinned where the device could pin it.
using HostAddress = std::byte*;

/// A queue of work. Stream 0 is the compute stream and always exists.
struct StreamId {
  std::uint32_t value = 0;
  friend bool operator==(StreamId, StreamId) = default;
};
inline constexpr StreamId kComputeStream{0};

/// A point in a stream. Valid until `releaseEvent`.
struct EventId {
  std::uint64_t value = 0;
  friend bool operator==(EventId, EventId) = default;
};

/// Names one piece of queued work whose interval the device measures.
struct Ticket {
  std::uint64_t value = 0;
};

/// When a piece of work ran, ns on the device's clock (`Device::nowNs`).
struct Interval {
  double startNs = 0;
  double endNs = 0;
};

/// What a simulated device says about itself beyond a real one.
struct SimulatedDevice {
  std::string source;             ///< where its figures come from
  bool isMeasured = false;        ///< fitted to recorded steps or calibrated, not only from a data sheet
  double timeUncertainty = 0;     ///< of a step, as a share of it
  std::uint64_t memoryBytes = 0;  ///< of the real device
  double d2hGBps = 0;
  double h2dGBps = 0;
  bool knowsPageable = false;     ///< whether copies of host memory that is not pinned have rates of their own
};

struct DeviceInfo {
  std::string kind;                    ///< "cpu", "cuda" or "sim"
  std::string name;                    ///< what the user calls it
  std::optional<std::string> driver;   ///< driver version, absent on CPU
  std::string matmul;                  ///< which code computes matrix products
  std::optional<SimulatedDevice> simulated = std::nullopt;
  std::optional<int> numaNode = std::nullopt;   ///< memory node that a GPU hangs on, where the system names one
};

/// What a framework's host thread does beside issuing work; only a simulated host has to be told.
enum class HostWork : std::uint8_t {
  packHook,    ///< a saved tensor goes through a hook
  unpackHook,  ///< a saved tensor comes back through a hook
};

/// One collective of all ranks. `wholeBytes` is the gathered (or not yet scattered) tensor.
enum class CollectiveKind : std::uint8_t { allGather, reduceScatter };
struct CollectiveCall {
  CollectiveKind kind = CollectiveKind::allGather;
  std::uint64_t wholeBytes = 0;
  std::uint32_t ranks = 1;
};

/// What the schedule needs from a machine. One host thread calls it; work runs asynchronously in stream order, and nothing
/// orders two streams but `streamWait`. Failures throw EngineError.
///
/// Every call is pure, so that a decorator which forgets one does not compile. What most devices answer alike stands in
/// `PlainDevice`.
class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceInfo info() const = 0;
  /// What the user should know about the device so far, beside its figures.
  virtual std::vector<Warning> warnings() = 0;

  /// Bytes that an allocation could still get, as far as the device can tell.
  virtual std::uint64_t availableBytes() const = 0;
  /// The limit that leaves this process less than the machine has, as a sentence; empty where there is none.
  virtual std::string memoryLimit() const = 0;

  /// Device memory, 256-byte aligned, for first use on `stream`. Memory is recycled in the host's order of calls, as a
  /// framework's caching allocator does: a released block may be handed out again at once, so work of another stream that
  /// still uses it must be ordered by the caller. Throws DEVICE_OUT_OF_MEMORY.
  virtual DeviceAddress allocate(std::uint64_t sizeBytes, StreamId stream) = 0;
  virtual void release(DeviceAddress address) noexcept = 0;

  /// Page-locked host memory, or nothing where the system refuses to pin that much.
  virtual std::optional<HostAddress> allocatePinned(std::uint64_t sizeBytes) = 0;
  virtual void releasePinned(HostAddress address) noexcept = 0;

  virtual StreamId createStream(std::string_view name) = 0;
  /// Runs the stream empty and ends it; its id may be given to a later stream. Events recorded on it stay valid. The compute
  /// stream cannot be ended.
  virtual void destroyStream(StreamId stream) noexcept = 0;

  /// Marks the current end of `stream`.
  virtual EventId record(StreamId stream) = 0;
  /// True when everything before the event has run.
  virtual bool isReady(EventId event) = 0;
  /// Later work of `stream` starts after `event`. The ticket's interval is the time that the stream stood still for it.
  virtual Ticket streamWait(StreamId stream, EventId event) = 0;
  /// Blocks the calling thread until `event`.
  virtual void hostWait(EventId event) = 0;
  virtual void releaseEvent(EventId event) noexcept = 0;
  /// Blocks until all streams are empty, then rethrows what failed on any of them.
  virtual void synchronize() = 0;

  virtual Ticket launch(StreamId stream, const KernelCall& call) = 0;
  virtual Ticket copyToHost(StreamId stream, HostAddress to, DeviceAddress from, std::uint64_t sizeBytes) = 0;
  virtual Ticket copyToDevice(StreamId stream, DeviceAddress to, const std::byte* from, std::uint64_t sizeBytes) = 0;
  virtual Ticket copyOnDevice(StreamId stream, DeviceAddress to, DeviceAddress from, std::uint64_t sizeBytes) = 0;

  /// Work of several ranks. Only a simulated device has any: others throw std::logic_error.
  virtual Ticket collective(StreamId stream, const CollectiveCall& call) = 0;

  /// How rows are laid out from now on. As `collective`, for other rows than whole sequences of one rank.
  virtual void layOutRows(const RowLayout& layout) = 0;

  /// What norms, MLPs and rotary positions cost from now on. A device that computes them takes the time they take.
  virtual void useOperatorCosts(const OperatorCosts& costs) = 0;

  /// The framework's host would do this now; real devices have a real host and ignore it.
  virtual void hostWork(HostWork work) = 0;
  /// Time so far during which the compute stream stood free because the host had not issued more, ns; known of a simulated
  /// device only.
  virtual double hostBoundNs() const = 0;
  /// Time so far of attention on the compute stream, ns; known of a simulated device only.
  virtual double attentionNs() const = 0;
  /// Whether memory holds what kernels computed. Without that, gradients cannot be compared.
  virtual bool computesValues() const = 0;

  /// The clock on which intervals and the host's own moments are measured, ns.
  virtual double nowNs() = 0;
  /// When the work behind a ticket ran; valid after `synchronize` and until `forgetTickets`.
  virtual Interval interval(Ticket ticket) const = 0;
  virtual void forgetTickets() = 0;
};

/// Answers of a device that is alone, has a real host and computes what it is told.
class PlainDevice : public Device {
 public:
  std::vector<Warning> warnings() override { return {}; }
  std::string memoryLimit() const override { return ""; }
  Ticket collective(StreamId, const CollectiveCall&) override { throw std::logic_error("this device is alone"); }
  void layOutRows(const RowLayout&) override { throw std::logic_error("this device is alone"); }
  void useOperatorCosts(const OperatorCosts&) override {}
  void hostWork(HostWork) override {}
  double hostBoundNs() const override { return 0; }
  double attentionNs() const override { return 0; }
  bool computesValues() const override { return true; }
};

}  // namespace offload
