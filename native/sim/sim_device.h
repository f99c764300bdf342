#pragma once

#include <array>
#include <atomic>
#include <unordered_map>
#include <vector>

#include "engine/device/device.h"
#include "sim/device_profile.h"
#include "sim/kernel_cost.h"

namespace offload {

/// A device that only keeps time. The host's clock advances by what a framework's host thread would spend on each call;
/// a stream is the moment at which it is free; an event is a moment. Nothing is computed and no byte moves: addresses are
/// made up and unique, and memory never runs out (a run that would not fit says so in its result).
///
/// The same calls give the same times, always. Not for several threads.
class SimDevice final : public Device {
 public:
  /// `cancelled` must outlive the device: once it is set, calls that wait throw CANCELLED.
  SimDevice(DeviceProfile profile, const std::atomic<bool>& cancelled);

  const DeviceProfile& profile() const { return profile_; }

  DeviceInfo info() const override;
  std::uint64_t availableBytes() const override;
  std::string memoryLimit() const override { return ""; }
  std::vector<Warning> warnings() override { return {}; }
  bool computesValues() const override { return false; }

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
  Ticket collective(StreamId stream, const CollectiveCall& call) override;

  void layOutRows(const RowLayout& layout) override { layout_ = layout; }
  void useOperatorCosts(const OperatorCosts& costs) override { costs_ = costs; }

  void hostWork(HostWork work) override;
  double nowNs() override { return hostNs_; }
  Interval interval(Ticket ticket) const override;
  void forgetTickets() override;

  double hostBoundNs() const override { return hostBoundNs_; }
  double attentionNs() const override { return attentionNs_; }

 private:
  /// One direction of the link: copies of one direction follow each other.
  struct LinkDirection {
    double freeNs = 0;
    std::array<Interval, 8> recent{};  ///< the last copies, a ring
    std::size_t next = 0;
  };

  double& readyNs(StreamId stream);
  Ticket addTicket(Interval interval);
  bool isPinned(const std::byte* address) const;
  Ticket copy(StreamId stream, std::uint64_t sizeBytes, LinkDirection& own, const LinkDirection& other, double ownGBps,
              double otherGBps);
  Ticket copyPageable(StreamId stream, std::uint64_t sizeBytes, LinkDirection& own, const LinkDirection& other, double ownGBps);
  double copyEndNs(double startNs, double sizeBytes, const LinkDirection& other, double ownGBps, double otherGBps) const;
  void throwIfCancelled() const;

  DeviceProfile profile_;
  const std::atomic<bool>& cancelled_;
  RowLayout layout_;
  OperatorCosts costs_ = defaultOpModel().costs;
  double hostNs_ = 0;
  double hostBoundNs_ = 0;
  double attentionNs_ = 0;
  std::vector<double> readyNs_;
  LinkDirection toHost_;
  LinkDirection toDevice_;
  std::vector<double> eventNs_;          ///< moments of events, by slot
  std::vector<std::uint64_t> freeEvents_;
  std::vector<Interval> intervals_;
  std::uint64_t forgottenTickets_ = 0;
  DeviceAddress nextAddress_;
  std::uintptr_t nextHostAddress_;
};

}  // namespace offload
