#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/base/problem.h"
#include "engine/device/device.h"

namespace offload::testing {

/// A device that computes nothing: it hands out made-up addresses, keeps the order of calls, and gives every piece of work
/// one tick of a counting clock. Host memory is made up as well, so buffers of any size cost nothing.
class FakeDevice final : public PlainDevice {
 public:
  std::uint64_t available = std::uint64_t{1} << 50;
  /// Pinning fails once this many bytes are held.
  std::uint64_t pinnedLimit = std::uint64_t{1} << 50;
  /// `allocate` fails once this many bytes are held.
  std::uint64_t deviceLimit = std::uint64_t{1} << 50;
  /// Events count as ready; a test can make them not so.
  bool areEventsReady = true;

  std::vector<std::string> calls;
  std::vector<Add> additions;
  std::map<DeviceAddress, std::uint64_t> blocks;
  std::map<std::byte*, std::uint64_t> pinned;
  std::uint64_t deviceBytes = 0;
  std::uint64_t pinnedBytes = 0;
  std::uint64_t liveEvents = 0;
  std::uint64_t liveStreams = 0;   ///< beside the compute stream

  DeviceInfo info() const override { return {"sim", "fake", std::nullopt, "none"}; }
  std::uint64_t availableBytes() const override { return available; }

  DeviceAddress allocate(std::uint64_t sizeBytes, StreamId) override {
    if (deviceBytes + sizeBytes > deviceLimit) throw EngineError({"DEVICE_OUT_OF_MEMORY", "full", "", "less"});
    nextAddress_ += 256;
    const DeviceAddress address = nextAddress_;
    nextAddress_ += sizeBytes;
    blocks[address] = sizeBytes;
    deviceBytes += sizeBytes;
    return address;
  }
  void release(DeviceAddress address) noexcept override {
    deviceBytes -= blocks.at(address);
    blocks.erase(address);
  }

  std::optional<HostAddress> allocatePinned(std::uint64_t sizeBytes) override {
    if (pinnedBytes + sizeBytes > pinnedLimit) return std::nullopt;
    nextPinned_ += sizeBytes + 4096;
    auto* address = reinterpret_cast<std::byte*>(nextPinned_);
    pinned[address] = sizeBytes;
    pinnedBytes += sizeBytes;
    return address;
  }
  void releasePinned(HostAddress address) noexcept override {
    pinnedBytes -= pinned.at(address);
    pinned.erase(address);
  }

  StreamId createStream(std::string_view) override {
    ++liveStreams;
    return StreamId{++streams_};
  }
  void destroyStream(StreamId) noexcept override { --liveStreams; }
  EventId record(StreamId stream) override {
    ++liveEvents;
    note("record " + std::to_string(stream.value));
    return EventId{++nextEvent_};
  }
  bool isReady(EventId) override { return areEventsReady; }
  Ticket streamWait(StreamId stream, EventId) override {
    note("streamWait " + std::to_string(stream.value));
    return tick();
  }
  void hostWait(EventId) override { note("hostWait"); }
  void releaseEvent(EventId) noexcept override { --liveEvents; }
  void synchronize() override { note("synchronize"); }

  Ticket launch(StreamId, const KernelCall& call) override {
    if (std::holds_alternative<LinearForward>(call)) ++linearForwards_;
    if (const auto* add = std::get_if<Add>(&call)) additions.push_back(*add);
    return tick();
  }
  Ticket copyToHost(StreamId, HostAddress, DeviceAddress, std::uint64_t) override {
    note("d2h");
    return tick();
  }
  Ticket copyToDevice(StreamId, DeviceAddress, const std::byte*, std::uint64_t) override {
    note("h2d");
    return tick();
  }
  Ticket copyOnDevice(StreamId, DeviceAddress, DeviceAddress, std::uint64_t) override {
    note("d2d");
    return tick();
  }

  double nowNs() override { return static_cast<double>(++clock_); }
  Interval interval(Ticket ticket) const override {
    return {static_cast<double>(ticket.value), static_cast<double>(ticket.value + 1)};
  }
  void forgetTickets() override {}

  std::uint64_t linearForwards() const { return linearForwards_; }

 private:
  Ticket tick() { return Ticket{++clock_}; }
  void note(std::string call) { calls.push_back(std::move(call)); }

  DeviceAddress nextAddress_ = 4096;
  std::uintptr_t nextPinned_ = 1u << 20;
  std::uint32_t streams_ = 0;
  std::uint64_t nextEvent_ = 0;
  std::uint64_t clock_ = 0;
  std::uint64_t linearForwards_ = 0;
};

}  // namespace offload::testing
