#pragma once

#include <string_view>
#include <type_traits>

#include "engine/device/device.h"

namespace offload {

/// Hands every call on to another device. What stands between schedule and device overrides the calls that it is about.
/// The device outlives it.
class DeviceDecorator : public Device {
 public:
  explicit DeviceDecorator(Device& device) : device_(device) {}
  // A decorator of a decorator is no copy of it.
  DeviceDecorator(const DeviceDecorator&) = delete;
  DeviceDecorator& operator=(const DeviceDecorator&) = delete;

  DeviceInfo info() const override { return device_.info(); }
  std::vector<Warning> warnings() override { return device_.warnings(); }
  std::uint64_t availableBytes() const override { return device_.availableBytes(); }
  std::string memoryLimit() const override { return device_.memoryLimit(); }
  DeviceAddress allocate(std::uint64_t sizeBytes, StreamId stream) override { return device_.allocate(sizeBytes, stream); }
  void release(DeviceAddress address) noexcept override { device_.release(address); }
  std::optional<HostAddress> allocatePinned(std::uint64_t sizeBytes) override { return device_.allocatePinned(sizeBytes); }
  void releasePinned(HostAddress address) noexcept override { device_.releasePinned(address); }
  StreamId createStream(std::string_view name) override { return device_.createStream(name); }
  void destroyStream(StreamId stream) noexcept override { device_.destroyStream(stream); }
  EventId record(StreamId stream) override { return device_.record(stream); }
  bool isReady(EventId event) override { return device_.isReady(event); }
  Ticket streamWait(StreamId stream, EventId event) override { return device_.streamWait(stream, event); }
  void hostWait(EventId event) override { device_.hostWait(event); }
  void releaseEvent(EventId event) noexcept override { device_.releaseEvent(event); }
  void synchronize() override { device_.synchronize(); }
  Ticket launch(StreamId stream, const KernelCall& call) override { return device_.launch(stream, call); }
  Ticket copyToHost(StreamId stream, HostAddress to, DeviceAddress from, std::uint64_t sizeBytes) override {
    return device_.copyToHost(stream, to, from, sizeBytes);
  }
  Ticket copyToDevice(StreamId stream, DeviceAddress to, const std::byte* from, std::uint64_t sizeBytes) override {
    return device_.copyToDevice(stream, to, from, sizeBytes);
  }
  Ticket copyOnDevice(StreamId stream, DeviceAddress to, DeviceAddress from, std::uint64_t sizeBytes) override {
    return device_.copyOnDevice(stream, to, from, sizeBytes);
  }
  Ticket collective(StreamId stream, const CollectiveCall& call) override { return device_.collective(stream, call); }
  void layOutRows(const RowLayout& layout) override { device_.layOutRows(layout); }
  void useOperatorCosts(const OperatorCosts& costs) override { device_.useOperatorCosts(costs); }
  void hostWork(HostWork work) override { device_.hostWork(work); }
  double hostBoundNs() const override { return device_.hostBoundNs(); }
  double attentionNs() const override { return device_.attentionNs(); }
  bool computesValues() const override { return device_.computesValues(); }
  double nowNs() override { return device_.nowNs(); }
  Interval interval(Ticket ticket) const override { return device_.interval(ticket); }
  void forgetTickets() override { device_.forgetTickets(); }

 protected:
  Device& inner() { return device_; }
  const Device& inner() const { return device_; }

 private:
  Device& device_;
};

static_assert(!std::is_abstract_v<DeviceDecorator>, "a call of Device is not handed on");

}  // namespace offload
