#include "sim/sim_device.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace offload {
namespace {

constexpr std::uint64_t kAlignment = 256;
constexpr DeviceAddress kFirstAddress = DeviceAddress{1} << 40;
/// Where no process has memory: what lies here was handed out as pinned, everything else is not.
constexpr std::uintptr_t kFirstHostAddress = std::uintptr_t{1} << 60;
/// More than any request can ask for, and far from overflow.
constexpr std::uint64_t kEndlessBytes = std::uint64_t{1} << 62;
/// One copy between the queues of a stream: what the host spends on it.
constexpr double kCopyCallNs = 8000;

std::uint64_t aligned(std::uint64_t sizeBytes) { return (std::max<std::uint64_t>(sizeBytes, 1) + kAlignment - 1) / kAlignment * kAlignment; }

bool isAttention(const KernelCall& call) {
  return std::holds_alternative<AttentionForward>(call) || std::holds_alternative<AttentionBackward>(call);
}

}  // namespace

SimDevice::SimDevice(DeviceProfile profile, const std::atomic<bool>& cancelled)
    : profile_(std::move(profile)),
      cancelled_(cancelled),
      readyNs_{0},
      nextAddress_(kFirstAddress),
      nextHostAddress_(kFirstHostAddress) {}

DeviceInfo SimDevice::info() const {
  DeviceInfo info;
  info.kind = "sim";
  info.name = profile_.name;
  info.matmul = "simulated";
  info.simulated = SimulatedDevice{profile_.source, profile_.isMeasured, profile_.timeUncertainty, profile_.memoryBytes,
                                   profile_.d2hGBps, profile_.h2dGBps, profile_.pageable.has_value()};
  return info;
}

std::uint64_t SimDevice::availableBytes() const { return kEndlessBytes; }

DeviceAddress SimDevice::allocate(std::uint64_t sizeBytes, StreamId) {
  // Addresses are never used twice: two tensors that share one share a storage.
  return std::exchange(nextAddress_, nextAddress_ + aligned(sizeBytes));
}

void SimDevice::release(DeviceAddress) noexcept {}

std::optional<HostAddress> SimDevice::allocatePinned(std::uint64_t sizeBytes) {
  hostNs_ += static_cast<double>(sizeBytes) / 1073741824.0 * profile_.pinMsPerGiB * 1e6;
  const std::uintptr_t address = std::exchange(nextHostAddress_, nextHostAddress_ + aligned(sizeBytes));
  return reinterpret_cast<HostAddress>(address);
}

void SimDevice::releasePinned(HostAddress) noexcept {}

StreamId SimDevice::createStream(std::string_view) {
  readyNs_.push_back(0);
  return StreamId{static_cast<std::uint32_t>(readyNs_.size() - 1)};
}

void SimDevice::destroyStream(StreamId) noexcept {}

EventId SimDevice::record(StreamId stream) {
  const double moment = std::max(readyNs(stream), hostNs_);
  if (!freeEvents_.empty()) {
    const std::uint64_t slot = freeEvents_.back();
    freeEvents_.pop_back();
    eventNs_[slot] = moment;
    return EventId{slot};
  }
  eventNs_.push_back(moment);
  return EventId{eventNs_.size() - 1};
}

bool SimDevice::isReady(EventId event) { return eventNs_.at(event.value) <= hostNs_; }

Ticket SimDevice::streamWait(StreamId stream, EventId event) {
  hostNs_ += profile_.host.waitNs;
  double& ready = readyNs(stream);
  const double startNs = std::max(ready, hostNs_);
  const double endNs = std::max(startNs, eventNs_.at(event.value));
  // An event of the past holds nothing up, and the stream stays free since it was.
  if (endNs > startNs) ready = endNs;
  return addTicket({startNs, endNs});
}

void SimDevice::hostWait(EventId event) {
  throwIfCancelled();
  hostNs_ = std::max(hostNs_ + profile_.host.waitNs, eventNs_.at(event.value));
}

void SimDevice::releaseEvent(EventId event) noexcept { freeEvents_.push_back(event.value); }

void SimDevice::synchronize() {
  throwIfCancelled();
  for (const double ready : readyNs_) hostNs_ = std::max(hostNs_, ready);
}

Ticket SimDevice::launch(StreamId stream, const KernelCall& call) {
  const KernelCost cost = kernelCost(profile_, call, layout_, costs_);
  const double eachNs = cost.isBackward ? profile_.host.backwardOperatorNs : profile_.host.forwardOperatorNs;
  double& ready = readyNs(stream);
  if (cost.operators == 0) return addTicket({std::max(ready, hostNs_), std::max(ready, hostNs_)});
  const double firstNs = hostNs_ + eachNs + profile_.launchLatencyNs;
  hostNs_ += cost.operators * eachNs;
  const double startNs = std::max(ready, firstNs);
  // The last eager kernel cannot start before the host has issued it.
  const double lastNs = hostNs_ + profile_.launchLatencyNs + cost.deviceNs / cost.operators;
  const double endNs = std::max(startNs + cost.deviceNs, lastNs);
  if (isAttention(call)) attentionNs_ += cost.deviceNs;
  if (stream == kComputeStream) hostBoundNs_ += std::max(0.0, endNs - ready - cost.deviceNs);
  ready = endNs;
  return addTicket({startNs, endNs});
}

double SimDevice::copyEndNs(double startNs, double sizeBytes, const LinkDirection& other, double ownGBps, double otherGBps) const {
  // What the other direction leaves over while it is busy: its copies were queued first and keep their rate.
  const double sharedGBps = std::clamp(profile_.bothGBps - otherGBps, 0.1 * ownGBps, ownGBps);
  double left = sizeBytes;
  double now = startNs;
  for (std::size_t i = 0; i < other.recent.size(); ++i) {
    const Interval& busy = other.recent[(other.next + i) % other.recent.size()];
    if (busy.endNs <= now) continue;
    const double alone = std::max(0.0, busy.startNs - now) * ownGBps;
    if (alone >= left) break;
    left -= alone;
    now = std::max(now, busy.startNs);
    const double shared = (busy.endNs - now) * sharedGBps;
    if (shared >= left) return now + left / sharedGBps;
    left -= shared;
    now = busy.endNs;
  }
  return now + left / ownGBps;
}

Ticket SimDevice::copy(StreamId stream, std::uint64_t sizeBytes, LinkDirection& own, const LinkDirection& other, double ownGBps,
                       double otherGBps) {
  hostNs_ += kCopyCallNs;
  double& ready = readyNs(stream);
  const double startNs = std::max({ready, own.freeNs, hostNs_ + profile_.launchLatencyNs});
  const double endNs = copyEndNs(startNs, static_cast<double>(sizeBytes), other, ownGBps, otherGBps);
  ready = endNs + profile_.copyLatencyNs;
  own.freeNs = ready;
  own.recent[own.next] = {startNs, endNs};
  own.next = (own.next + 1) % own.recent.size();
  return addTicket({startNs, endNs});
}

bool SimDevice::isPinned(const std::byte* address) const {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  return value >= kFirstHostAddress && value < nextHostAddress_;
}

Ticket SimDevice::copyPageable(StreamId stream, std::uint64_t sizeBytes, LinkDirection& own, const LinkDirection& other,
                               double ownGBps) {
  // The driver moves the bytes through a pinned buffer of its own, piece by piece, and the host does it.
  const Ticket ticket = copy(stream, sizeBytes, own, other, ownGBps, 0);
  hostNs_ = std::max(hostNs_, readyNs(stream));
  return ticket;
}

Ticket SimDevice::copyToHost(StreamId stream, HostAddress to, DeviceAddress, std::uint64_t sizeBytes) {
  if (!isPinned(to)) {
    return copyPageable(stream, sizeBytes, toHost_, toDevice_, profile_.pageable ? profile_.pageable->d2hGBps : profile_.d2hGBps);
  }
  return copy(stream, sizeBytes, toHost_, toDevice_, profile_.d2hGBps, profile_.h2dGBps);
}

Ticket SimDevice::copyToDevice(StreamId stream, DeviceAddress, const std::byte* from, std::uint64_t sizeBytes) {
  if (!isPinned(from)) {
    return copyPageable(stream, sizeBytes, toDevice_, toHost_, profile_.pageable ? profile_.pageable->h2dGBps : profile_.h2dGBps);
  }
  return copy(stream, sizeBytes, toDevice_, toHost_, profile_.h2dGBps, profile_.d2hGBps);
}

Ticket SimDevice::copyOnDevice(StreamId stream, DeviceAddress, DeviceAddress, std::uint64_t sizeBytes) {
  hostNs_ += profile_.host.forwardOperatorNs;
  double& ready = readyNs(stream);
  const double startNs = std::max(ready, hostNs_ + profile_.launchLatencyNs);
  const double endNs = startNs + profile_.kernelNs + 2.0 * static_cast<double>(sizeBytes) / (profile_.memoryGBps * profile_.memoryShare);
  ready = endNs;
  return addTicket({startNs, endNs});
}

Ticket SimDevice::collective(StreamId stream, const CollectiveCall& call) {
  hostNs_ += profile_.host.collectiveNs;
  double& ready = readyNs(stream);
  const double startNs = std::max(ready, hostNs_ + profile_.launchLatencyNs);
  // A rank sends or receives all parts but its own.
  const double moved = static_cast<double>(call.wholeBytes) * (call.ranks - 1) / call.ranks;
  const double endNs = startNs + profile_.collectiveLatencyNs + moved / profile_.collectiveGBps;
  ready = endNs;
  // The collective's kernel holds multiprocessors and bandwidth that kernels beside it would use.
  if (stream != kComputeStream) readyNs(kComputeStream) += profile_.collectiveContention * (endNs - startNs);
  return addTicket({startNs, endNs});
}

void SimDevice::hostWork(HostWork work) {
  hostNs_ += work == HostWork::packHook ? profile_.host.packHookNs : profile_.host.unpackHookNs;
}

Interval SimDevice::interval(Ticket ticket) const {
  if (ticket.value < forgottenTickets_ || ticket.value - forgottenTickets_ >= intervals_.size()) {
    throw std::logic_error("ticket of the simulated device is not known any more");
  }
  return intervals_[ticket.value - forgottenTickets_];
}

void SimDevice::forgetTickets() {
  forgottenTickets_ += intervals_.size();
  intervals_.clear();
}

double& SimDevice::readyNs(StreamId stream) {
  if (stream.value >= readyNs_.size()) throw std::logic_error("stream was never created");
  return readyNs_[stream.value];
}

Ticket SimDevice::addTicket(Interval interval) {
  intervals_.push_back(interval);
  return Ticket{forgottenTickets_ + intervals_.size() - 1};
}

void SimDevice::throwIfCancelled() const {
  if (!cancelled_) return;
  throw EngineError({"CANCELLED", "The profile was cancelled.", "", "Start it again when you are ready."});
}

}  // namespace offload
