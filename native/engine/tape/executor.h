#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/problem.h"
#include "engine/device/device_handles.h"
#include "engine/tape/memory_ledger.h"
#include "engine/tape/recorder.h"
#include "engine/tape/tensor.h"

namespace offload {

/// An event together with the recorded work that it stands for.
struct WorkMark {
  DeviceEvent event;
  std::int32_t lastWork = kNoEvent;
};

/// The one place through which the schedule drives a device: allocates tensors, queues work and notes all of it. Obeys
/// the cancel flag by throwing CANCELLED from any call that queues work.
class Executor {
 public:
  Executor(Device& device, MemoryLedger& ledger, Recorder& recorder, const std::atomic<bool>& cancelled);

  Device& device() { return device_; }
  MemoryLedger& ledger() { return ledger_; }
  Recorder& recorder() { return recorder_; }

  /// A tensor with contents unspecified. Throws DEVICE_OUT_OF_MEMORY.
  Tensor allocate(const Layout& layout, Account account = Account::live, StreamId stream = kComputeStream);

  /// Queues a kernel, on the compute stream unless another is named. `name` is what the timeline calls it.
  void launch(std::string_view name, const KernelCall& call, StreamId stream = kComputeStream, Lane lane = Lane::compute);
  bool isSimulated() const { return isSimulated_; }
  /// What the framework holds for the length of one operator and our fused kernels do not need: counted on a simulated device,
  /// which claims the framework's peak; empty elsewhere.
  Tensor transient(std::uint64_t sizeBytes);

  /// A private copy of a contiguous tensor, made on the compute stream.
  Tensor clone(const Tensor& source);
  /// Fills `to` with copies of a contiguous tensor, on the compute stream; the one's bytes are a multiple of the other's.
  void repeat(const Tensor& to, const Tensor& source, std::string_view name);

  void copyToHost(StreamId stream, HostAddress to, const Tensor& from, std::string_view name);
  void copyToDevice(StreamId stream, const Tensor& to, const std::byte* from, std::string_view name);

  /// Work of all ranks, drawn on the lane of collectives.
  void collective(StreamId stream, const CollectiveCall& call, std::string_view name);
  /// Reads and writes bytes of device memory whose tensors nobody looks at: packing and unpacking around collectives.
  void moveOnDevice(StreamId stream, std::uint64_t sizeBytes, std::string_view name);

  WorkMark mark(StreamId stream);
  /// `lane` says where the wait is drawn: a stream that carries both directions has a lane for each.
  void streamWait(StreamId stream, const WorkMark& mark, Lane lane, std::string_view name);
  void hostWait(const WorkMark& mark, std::string_view name);

  /// Layer number that the following events belong to.
  std::int32_t layer() const { return layer_; }
  void setLayer(std::int32_t layer) { layer_ = layer; }

  /// What tensors that are allocated now are for. Without one named by a PartScope: of the layer at hand inside a layer, else `other`.
  MemoryPart part() const;
  std::optional<MemoryPart> namedPart() const { return namedPart_; }
  void namePart(std::optional<MemoryPart> part) { namedPart_ = part; }
  /// What tensors of a layer are for in the present part of the step.
  void setLayerPart(MemoryPart part) { layerPart_ = part; }

  void throwIfCancelled() const;

  /// Forgets what earlier steps queued: their event numbers mean nothing any more.
  void beginStep();

  /// Leaves out waits of every step by their number, 1 for the first of the step. A test of schedules: results are wrong.
  void dropWaits(std::vector<std::uint32_t> numbers) { dropped_ = std::move(numbers); }
  /// What the waits of the present step are called, in order, left-out ones included.
  const std::vector<std::string>& waits() const { return waits_; }

 private:
  std::int32_t note(StreamId stream, Ticket ticket, EventNote note);
  bool isDropped(std::string_view wait);

  Device& device_;
  bool isSimulated_;
  MemoryLedger& ledger_;
  Recorder& recorder_;
  const std::atomic<bool>& cancelled_;
  std::int32_t layer_ = kNoLayer;
  std::optional<MemoryPart> namedPart_;
  MemoryPart layerPart_ = MemoryPart::recomputed;
  std::vector<std::uint32_t> dropped_;
  std::vector<std::string> waits_;
  struct StreamState {
    std::int32_t lastWork = kNoEvent;
    std::int32_t waitedFor = kNoEvent;
  };
  std::vector<StreamState> streams_;
  StreamState& stateOf(StreamId stream);
};

/// Sets the executor's layer for a scope.
class LayerScope {
 public:
  LayerScope(Executor& executor, std::int32_t layer) : executor_(executor), before_(executor.layer()) {
    executor_.setLayer(layer);
  }
  ~LayerScope() { executor_.setLayer(before_); }
  LayerScope(const LayerScope&) = delete;
  LayerScope& operator=(const LayerScope&) = delete;

 private:
  Executor& executor_;
  std::int32_t before_;
};

/// Says for a scope what tensors allocated in it are for.
class PartScope {
 public:
  PartScope(Executor& executor, MemoryPart part) : executor_(executor),
      before_(executor.namedPart()) { executor_.namePart(part); }
  ~PartScope() { executor_.namePart(before_); }
  PartScope(const PartScope&) = delete;
  PartScope& operator=(const PartScope&) = delete;

 private:
  Executor& executor_;
  std::optional<MemoryPart> before_;
};

}  // namespace offload
