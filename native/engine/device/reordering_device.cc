#include "engine/device/reordering_device.h"

#include <utility>

namespace offload {

ReorderingDevice::~ReorderingDevice() {
  for (const auto& [size, addresses] : released_) {
    for (const DeviceAddress address : addresses) inner().release(address);
  }
}

DeviceAddress ReorderingDevice::allocate(std::uint64_t sizeBytes, StreamId stream) {
  std::vector<DeviceAddress>& released = released_[sizeBytes];
  if (!released.empty()) {
    const DeviceAddress address = released.back();
    released.pop_back();
    return address;
  }
  const DeviceAddress address = inner().allocate(sizeBytes, stream);
  sizeBytes_[address] = sizeBytes;
  return address;
}

void ReorderingDevice::release(DeviceAddress address) noexcept { released_[sizeBytes_.at(address)].push_back(address); }

bool ReorderingDevice::isEager(StreamId stream) const {
  if (late_ == LateStreams::all) return false;
  return (stream == kComputeStream) == (late_ == LateStreams::others);
}

StreamId ReorderingDevice::createStream(std::string_view) {
  streams_.emplace_back();
  return StreamId{static_cast<std::uint32_t>(streams_.size() - 1)};
}

void ReorderingDevice::destroyStream(StreamId stream) noexcept {
  try {
    runUntil(stream.value, streams_[stream.value].queuedSoFar);
  } catch (...) {
    // Cancelled or failed: what is left belongs to a run that is over.
    streams_[stream.value] = {};
  }
}

void ReorderingDevice::runUntil(std::uint32_t stream, std::uint64_t position) {
  // By index throughout: a nested call never adds streams, and entries leave before they run.
  while (streams_[stream].runSoFar < position && !streams_[stream].entries.empty()) {
    const std::function<void()> entry = std::move(streams_[stream].entries.front());
    streams_[stream].entries.pop_front();
    entry();
    ++streams_[stream].runSoFar;
  }
}

void ReorderingDevice::runAll() {
  for (std::uint32_t stream = 0; stream < streams_.size(); ++stream) runUntil(stream, streams_[stream].queuedSoFar);
}

Ticket ReorderingDevice::push(StreamId stream, std::function<void()> entry) {
  Stream& target = streams_.at(stream.value);
  target.entries.push_back(std::move(entry));
  ++target.queuedSoFar;
  if (isEager(stream)) runUntil(stream.value, target.queuedSoFar);
  return Ticket{nextTicket_++};
}

Ticket ReorderingDevice::queue(StreamId stream, std::function<void()> work) {
  return push(stream, [this, work = std::move(work)] {
    work();
    inner().synchronize();
  });
}

EventId ReorderingDevice::record(StreamId stream) {
  const EventId event{nextEvent_++};
  marks_[event.value] = {stream.value, streams_.at(stream.value).queuedSoFar};
  return event;
}

bool ReorderingDevice::isReady(EventId event) {
  const Mark& mark = marks_.at(event.value);
  return streams_[mark.stream].runSoFar >= mark.position;
}

Ticket ReorderingDevice::streamWait(StreamId stream, EventId event) {
  // The event may be released before the wait is met, as on a real device.
  const Mark mark = marks_.at(event.value);
  return push(stream, [this, mark] { runUntil(mark.stream, mark.position); });
}

void ReorderingDevice::hostWait(EventId event) {
  const Mark mark = marks_.at(event.value);
  runUntil(mark.stream, mark.position);
}

void ReorderingDevice::releaseEvent(EventId event) noexcept { marks_.erase(event.value); }

void ReorderingDevice::synchronize() {
  runAll();
  inner().synchronize();
}

Ticket ReorderingDevice::launch(StreamId stream, const KernelCall& call) {
  return queue(stream, [this, call] { inner().launch(kComputeStream, call); });
}

Ticket ReorderingDevice::copyToHost(StreamId stream, HostAddress to, DeviceAddress from, std::uint64_t sizeBytes) {
  return queue(stream, [=, this] { inner().copyToHost(kComputeStream, to, from, sizeBytes); });
}

Ticket ReorderingDevice::copyToDevice(StreamId stream, DeviceAddress to, const std::byte* from, std::uint64_t sizeBytes) {
  return queue(stream, [=, this] { inner().copyToDevice(kComputeStream, to, from, sizeBytes); });
}

Ticket ReorderingDevice::copyOnDevice(StreamId stream, DeviceAddress to, DeviceAddress from, std::uint64_t sizeBytes) {
  return queue(stream, [=, this] { inner().copyOnDevice(kComputeStream, to, from, sizeBytes); });
}

Interval ReorderingDevice::interval(Ticket ticket) const {
  const auto place = static_cast<double>(ticket.value);
  return {place, place + 1};
}

void ReorderingDevice::forgetTickets() { inner().forgetTickets(); }

}  // namespace offload
