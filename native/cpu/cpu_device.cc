#include "cpu/cpu_device.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "cpu/available_memory.h"
#include "cpu/element.h"
#include "cpu/instruction_sets.h"
#include "cpu/kernels.h"

namespace offload {
namespace {

constexpr std::size_t kDeviceAlignment = 256;
constexpr std::size_t kPageBytes = 4096;
/// A cancel is seen between blocks of a copy.
constexpr std::uint64_t kCopyBlockBytes = 4U << 20U;
constexpr unsigned kMostThreads = 16;

unsigned kernelThreads(unsigned asked) {
  if (asked > 0) return asked;
  const unsigned cores = std::thread::hardware_concurrency();
  return std::clamp(cores > 1 ? cores - 1 : 1, 1U, kMostThreads);
}

std::uint64_t defaultLimit() {
  const std::uint64_t available = readAvailableMemory();
  return available - available / 8;
}

/// The processor's name as the kernel states it.
std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

std::string inMebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

EngineError cancelledError() {
  return EngineError({"CANCELLED", "The profile was cancelled.", "", "Start it again when you are ready."});
}

}  // namespace

CpuDevice::CpuDevice(const std::atomic<bool>& cancelled, CpuDeviceOptions options)
    : options_(options),
      faults_(cancelled),
      budget_(options.memoryLimitBytes.value_or(defaultLimit()), readAvailableMemory),
      deviceBlocks_(kDeviceAlignment, budget_),
      pinnedBlocks_(kPageBytes, budget_),
      pool_(kernelThreads(options.kernelThreads), cancelled) {
  createStream("compute");
}

CpuDevice::~CpuDevice() = default;

DeviceInfo CpuDevice::info() const {
  return {.kind = "cpu",
          .name = processorName(),
          .driver = std::nullopt,
          .matmul = "built-in (" + std::string(nameOf(widestInstructionSet())) + ")"};
}

std::string CpuDevice::memoryLimit() const { return processLimitText(readProcessLimit()); }

std::uint64_t CpuDevice::availableBytes() const { return budget_.leftBytes() + deviceBlocks_.releasedBytes(); }

DeviceAddress CpuDevice::allocate(std::uint64_t sizeBytes, StreamId) {
  const bool injectedFailure = ++allocations_ == options_.failAllocation;
  std::byte* address = injectedFailure ? nullptr : deviceBlocks_.allocate(sizeBytes);
  if (address == nullptr && !injectedFailure && deviceBlocks_.releasedBytes() > 0) {
    // As a framework does before it gives up: what is cached but does not fit goes back, once nothing reads it.
    drain();
    deviceBlocks_.trim();
    address = deviceBlocks_.allocate(sizeBytes);
  }
  if (address == nullptr) {
    const std::string limit = memoryLimit();
    throw EngineError({"DEVICE_OUT_OF_MEMORY", "The CPU device cannot allocate " + inMebibytes(sizeBytes) + ".",
                       inMebibytes(availableBytes()) + " are available." + (limit.empty() ? "" : " " + limit),
                       "Use fewer layers, a shorter sequence or a smaller micro-batch."});
  }
  return reinterpret_cast<std::uintptr_t>(address);
}

void CpuDevice::release(DeviceAddress address) noexcept { deviceBlocks_.release(pointerTo<std::byte>(address)); }

std::optional<HostAddress> CpuDevice::allocatePinned(std::uint64_t sizeBytes) {
  if (++pinnings_ == options_.failPinning) return std::nullopt;
  std::byte* const address = pinnedBlocks_.allocate(sizeBytes);
  if (address == nullptr) return std::nullopt;
  // Pinning makes pages resident; without this the first copy would pay for it.
  for (std::uint64_t offset = 0; offset < sizeBytes; offset += kPageBytes) address[offset] = std::byte{0};
  return address;
}

void CpuDevice::releasePinned(HostAddress address) noexcept { pinnedBlocks_.release(address); }

StreamId CpuDevice::createStream(std::string_view name) {
  auto created = std::make_unique<StreamQueue>(std::string(name), faults_, [this] { return nowNs(); });
  auto place = std::find(queues_.begin(), queues_.end(), nullptr);
  if (place == queues_.end()) place = queues_.insert(place, nullptr);
  *place = std::move(created);
  return StreamId{static_cast<std::uint32_t>(place - queues_.begin())};
}

void CpuDevice::destroyStream(StreamId stream) noexcept {
  if (stream == kComputeStream || stream.value >= queues_.size()) return;
  // Running it empty may need other streams, which still see every queue.
  queues_[stream.value].reset();
}

EventId CpuDevice::record(StreamId stream) {
  const EventId event{nextEvent_++};
  events_.emplace(event.value, queue(stream).pushMark());
  return event;
}

bool CpuDevice::isReady(EventId event) { return mark(event)->isSet(); }

Ticket CpuDevice::streamWait(StreamId stream, EventId event) {
  queue(stream).pushWait(mark(event), newTicket());
  return lastTicket();
}

void CpuDevice::hostWait(EventId event) {
  mark(event)->wait();
  throwIfCancelled();
}

void CpuDevice::releaseEvent(EventId event) noexcept { events_.erase(event.value); }

void CpuDevice::synchronize() {
  drain();
  throwIfCancelled();
  const std::optional<Problem> failure = faults_.failure();
  if (!failure) return;
  faults_.clear();
  throw EngineError(*failure);
}

Ticket CpuDevice::launch(StreamId stream, const KernelCall& call) {
  queue(stream).pushWork(
      [this, call] { std::visit([this](const auto& kernel) { runKernel(kernel, pool_); }, call); }, newTicket());
  return lastTicket();
}

Ticket CpuDevice::copyToHost(StreamId stream, HostAddress to, DeviceAddress from, std::uint64_t sizeBytes) {
  return pushCopy(stream, to, pointerTo<const std::byte>(from), sizeBytes);
}

Ticket CpuDevice::copyToDevice(StreamId stream, DeviceAddress to, const std::byte* from, std::uint64_t sizeBytes) {
  return pushCopy(stream, pointerTo<std::byte>(to), from, sizeBytes);
}

Ticket CpuDevice::copyOnDevice(StreamId stream, DeviceAddress to, DeviceAddress from, std::uint64_t sizeBytes) {
  return pushCopy(stream, pointerTo<std::byte>(to), pointerTo<const std::byte>(from), sizeBytes);
}

Ticket CpuDevice::pushCopy(StreamId stream, std::byte* to, const std::byte* from, std::uint64_t sizeBytes) {
  const auto copy = [this, to, from, sizeBytes] {
    for (std::uint64_t done = 0; done < sizeBytes && !faults_.isCancelled(); done += kCopyBlockBytes) {
      std::memcpy(to + done, from + done, std::min(kCopyBlockBytes, sizeBytes - done));
    }
  };
  queue(stream).pushWork(copy, newTicket());
  return lastTicket();
}

double CpuDevice::nowNs() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Interval CpuDevice::interval(Ticket ticket) const {
  if (ticket.value < forgottenTickets_ || ticket.value - forgottenTickets_ >= intervals_.size()) {
    throw std::logic_error("ticket of the CPU device is not known any more");
  }
  return intervals_[ticket.value - forgottenTickets_];
}

void CpuDevice::forgetTickets() {
  drain();
  forgottenTickets_ += intervals_.size();
  intervals_.clear();
}

StreamQueue& CpuDevice::queue(StreamId stream) {
  if (stream.value >= queues_.size() || !queues_[stream.value]) throw std::logic_error("stream does not exist");
  return *queues_[stream.value];
}

const std::shared_ptr<const StreamMark>& CpuDevice::mark(EventId event) const {
  const auto found = events_.find(event.value);
  if (found == events_.end()) throw std::logic_error("event was released or never recorded");
  return found->second;
}

Interval& CpuDevice::newTicket() { return intervals_.emplace_back(); }

Ticket CpuDevice::lastTicket() const { return Ticket{forgottenTickets_ + intervals_.size() - 1}; }

void CpuDevice::drain() {
  // A stream may wait for another's mark, but only for one that was queued before: one round empties all.
  for (const auto& each : queues_) {
    if (each) each->drain();
  }
}

void CpuDevice::throwIfCancelled() const {
  if (faults_.isCancelled()) throw cancelledError();
}

}  // namespace offload
