#pragma once

#include <unordered_map>

#include "engine/device/device.h"

namespace offload {

/// A device without memory or time: it hands out made-up addresses and counts bytes. A schedule that runs on it tells what the
/// same schedule needs elsewhere. Host memory is made up as well, so nothing may read or write it.
class CountingDevice final : public PlainDevice {
 public:
  DeviceInfo info() const override { return {"sim", "counting", std::nullopt, "none"}; }
  std::uint64_t availableBytes() const override { return ~std::uint64_t{0}; }

  DeviceAddress allocate(std::uint64_t sizeBytes, StreamId stream) override;
  void release(DeviceAddress address) noexcept override;
  std::optional<HostAddress> allocatePinned(std::uint64_t sizeBytes) override;
  void releasePinned(HostAddress) noexcept override {}

  StreamId createStream(std::string_view) override { return StreamId{++streams_}; }
  void destroyStream(StreamId) noexcept override {}
  EventId record(StreamId) override { return {}; }
  bool isReady(EventId) override { return true; }
  Ticket streamWait(StreamId, EventId) override { return {}; }
  void hostWait(EventId) override {}
  void releaseEvent(EventId) noexcept override {}
  void synchronize() override {}

  Ticket launch(StreamId, const KernelCall&) override { return {}; }
  Ticket copyToHost(StreamId, HostAddress, DeviceAddress, std::uint64_t) override { return {}; }
  Ticket copyToDevice(StreamId, DeviceAddress, const std::byte*, std::uint64_t) override { return {}; }
  Ticket copyOnDevice(StreamId, DeviceAddress, DeviceAddress, std::uint64_t) override { return {}; }

  Ticket collective(StreamId, const CollectiveCall&) override { return {}; }
  void layOutRows(const RowLayout&) override {}
  bool computesValues() const override { return false; }

  double nowNs() override { return 0; }
  Interval interval(Ticket) const override { return {}; }
  void forgetTickets() override {}

  /// Most bytes of device memory that were allocated at once, and all bytes of host memory ever asked for.
  std::uint64_t peakBytes() const { return peakBytes_; }
  std::uint64_t pinnedBytes() const { return pinnedBytes_; }

 private:
  std::unordered_map<DeviceAddress, std::uint64_t> sizeBytes_;
  std::uint64_t liveBytes_ = 0;
  std::uint64_t peakBytes_ = 0;
  std::uint64_t pinnedBytes_ = 0;
  std::uint64_t nextAddress_ = 256;
  std::uintptr_t nextHostAddress_ = 4096;
  std::uint32_t streams_ = 0;
};

}  // namespace offload
