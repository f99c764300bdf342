#include "engine/tape/executor.h"

#include <algorithm>
#include <stdexcept>

namespace offload {

Executor::Executor(Device& device, MemoryLedger& ledger, Recorder& recorder, const std::atomic<bool>& cancelled)
    : device_(device), isSimulated_(device.info().simulated.has_value()), ledger_(ledger), recorder_(recorder),
        cancelled_(cancelled) {}

void Executor::throwIfCancelled() const {
  if (!cancelled_.load(std::memory_order_relaxed)) return;
  throw EngineError({"CANCELLED", "The profile was cancelled.", "", "Start it again when you want its result."});
}

Tensor Executor::allocate(const Layout& layout, Account account, StreamId stream) {
  throwIfCancelled();
  Tensor tensor;
  tensor.storage = std::make_shared<Storage>(device_, ledger_, account, part(), layout.sizeBytes(), stream);
  tensor.layout = layout;
  return tensor;
}

MemoryPart Executor::part() const {
  if (namedPart_) return *namedPart_;
  return layer_ == kNoLayer ? MemoryPart::other : layerPart_;
}

Tensor Executor::transient(std::uint64_t sizeBytes) {
  if (!isSimulated_ || sizeBytes == 0) return {};
  return allocate(Layout::contiguous(TensorType::bf16, {(sizeBytes + 1) / 2}));
}

Executor::StreamState& Executor::stateOf(StreamId stream) {
  if (streams_.size() <= stream.value) streams_.resize(stream.value + 1);
  return streams_[stream.value];
}

std::int32_t Executor::note(StreamId stream, Ticket ticket, EventNote note) {
  StreamState& state = stateOf(stream);
  note.layer = layer_;
  if (note.kind != EventKind::streamWait) {
    note.dependsOn = state.waitedFor;
    state.waitedFor = kNoEvent;
  }
  const std::int32_t index = recorder_.work(ticket, note);
  // A wait is no work of its own: what waits for this stream later waits for the work before it.
  if (note.kind != EventKind::streamWait) state.lastWork = index;
  return index;
}

void Executor::launch(std::string_view name, const KernelCall& call, StreamId stream, Lane lane) {
  throwIfCancelled();
  const auto* memset = std::get_if<Memset>(&call);
  EventNote about;
  about.lane = lane;
  about.kind = memset != nullptr ? EventKind::memset : EventKind::kernel;
  about.bytes = memset != nullptr ? memset->bytes : 0;
  about.name = name;
  note(stream, device_.launch(stream, call), about);
}

Tensor Executor::clone(const Tensor& source) {
  const std::uint64_t sizeBytes = source.layout.sizeBytes();
  if (!source.layout.isContiguous()) throw std::logic_error("only contiguous tensors are cloned");
  Tensor copy = allocate(source.layout);
  const Ticket ticket = device_.copyOnDevice(kComputeStream, copy.address(), source.address(), sizeBytes);
  note(kComputeStream, ticket, {Lane::compute, EventKind::copyD2D, "clone", kNoLayer, sizeBytes, kNoEvent});
  return copy;
}

void Executor::repeat(const Tensor& to, const Tensor& source, std::string_view name) {
  throwIfCancelled();
  const std::uint64_t sizeBytes = source.layout.sizeBytes();
  if (!source.layout.isContiguous()) throw std::logic_error("only contiguous tensors are repeated");
  for (std::uint64_t offset = 0; offset < to.layout.sizeBytes(); offset += sizeBytes) {
    const Ticket ticket = device_.copyOnDevice(kComputeStream, to.address() + offset, source.address(), sizeBytes);
    note(kComputeStream, ticket, {Lane::compute, EventKind::copyD2D, name, kNoLayer, sizeBytes, kNoEvent});
  }
}

void Executor::copyToHost(StreamId stream, HostAddress to, const Tensor& from, std::string_view name) {
  throwIfCancelled();
  const std::uint64_t sizeBytes = from.layout.sizeBytes();
  const Ticket ticket = device_.copyToHost(stream, to, from.address(), sizeBytes);
  note(stream, ticket, {Lane::d2h, EventKind::copyD2H, name, kNoLayer, sizeBytes, kNoEvent});
}

void Executor::copyToDevice(StreamId stream, const Tensor& to, const std::byte* from, std::string_view name) {
  throwIfCancelled();
  const std::uint64_t sizeBytes = to.layout.sizeBytes();
  const Ticket ticket = device_.copyToDevice(stream, to.address(), from, sizeBytes);
  note(stream, ticket, {Lane::h2d, EventKind::copyH2D, name, kNoLayer, sizeBytes, kNoEvent});
}

void Executor::beginStep() {
  streams_.clear();
  waits_.clear();
}

bool Executor::isDropped(std::string_view wait) {
  waits_.emplace_back(wait);
  return std::find(dropped_.begin(), dropped_.end(), waits_.size()) != dropped_.end();
}

void Executor::collective(StreamId stream, const CollectiveCall& call, std::string_view name) {
  throwIfCancelled();
  note(stream, device_.collective(stream, call), {Lane::collective, EventKind::collective, name, kNoLayer, call.wholeBytes,
      kNoEvent});
}

void Executor::moveOnDevice(StreamId stream, std::uint64_t sizeBytes, std::string_view name) {
  throwIfCancelled();
  const Lane lane = stream == kComputeStream ? Lane::compute : Lane::collective;
  note(stream, device_.copyOnDevice(stream, 0, 0, sizeBytes), {lane, EventKind::copyD2D, name, kNoLayer, sizeBytes, kNoEvent});
}

WorkMark Executor::mark(StreamId stream) {
  return {DeviceEvent(device_, device_.record(stream)), stateOf(stream).lastWork};
}

void Executor::streamWait(StreamId stream, const WorkMark& mark, Lane lane, std::string_view name) {
  throwIfCancelled();
  if (isDropped(name)) return;
  const Ticket ticket = device_.streamWait(stream, mark.event.id());
  note(stream, ticket, {lane, EventKind::streamWait, name, kNoLayer, 0, mark.lastWork});
  stateOf(stream).waitedFor = mark.lastWork;
}

void Executor::hostWait(const WorkMark& mark, std::string_view name) {
  throwIfCancelled();
  if (isDropped(name)) return;
  const double startNs = device_.nowNs();
  device_.hostWait(mark.event.id());
  recorder_.hostWork(startNs, {Lane::host, EventKind::hostWait, name, layer_, 0, mark.lastWork});
}

}  // namespace offload
