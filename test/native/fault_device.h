#pragma once

#include <functional>
#include <string>
#include <utility>

#include "engine/device/device_decorator.h"

namespace offload::testing {

/// Calls of a device that can be made to fail.
enum class Fault { allocate, allocatePinned, launch, copyToHost, copyToDevice, record, streamWait, hostWait, createStream, synchronize };

/// Fails, or does something else, at the n-th call of one kind.
class FaultDevice final : public DeviceDecorator {
 public:
  FaultDevice(Device& device, Fault fault, std::uint64_t atCall, std::function<void()> action)
      : DeviceDecorator(device), fault_(fault), atCall_(atCall), action_(std::move(action)) {}

  bool hasStruck() const { return calls_ >= atCall_; }

  DeviceAddress allocate(std::uint64_t sizeBytes, StreamId stream) override {
    strike(Fault::allocate);
    return inner().allocate(sizeBytes, stream);
  }
  std::optional<HostAddress> allocatePinned(std::uint64_t sizeBytes) override {
    strike(Fault::allocatePinned);
    return inner().allocatePinned(sizeBytes);
  }
  StreamId createStream(std::string_view name) override {
    strike(Fault::createStream);
    return inner().createStream(name);
  }
  EventId record(StreamId stream) override {
    strike(Fault::record);
    return inner().record(stream);
  }
  Ticket streamWait(StreamId stream, EventId event) override {
    strike(Fault::streamWait);
    return inner().streamWait(stream, event);
  }
  void hostWait(EventId event) override {
    strike(Fault::hostWait);
    inner().hostWait(event);
  }
  void synchronize() override {
    strike(Fault::synchronize);
    inner().synchronize();
  }
  Ticket launch(StreamId stream, const KernelCall& call) override {
    strike(Fault::launch);
    return inner().launch(stream, call);
  }
  Ticket copyToHost(StreamId stream, HostAddress to, DeviceAddress from, std::uint64_t sizeBytes) override {
    strike(Fault::copyToHost);
    return inner().copyToHost(stream, to, from, sizeBytes);
  }
  Ticket copyToDevice(StreamId stream, DeviceAddress to, const std::byte* from, std::uint64_t sizeBytes) override {
    strike(Fault::copyToDevice);
    return inner().copyToDevice(stream, to, from, sizeBytes);
  }

 private:
  void strike(Fault fault) {
    if (fault == fault_ && ++calls_ == atCall_) action_();
  }

  Fault fault_;
  std::uint64_t atCall_;
  std::function<void()> action_;
  std::uint64_t calls_ = 0;
};

}  // namespace offload::testing
