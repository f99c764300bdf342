#include "engine/model/fsdp2_sharding.h"

namespace offload {
namespace {

/// Bytes read and written for each element when fp32 becomes bf16, or the reverse.
constexpr std::uint64_t kCastBytes = 6;
constexpr std::uint64_t kAddBytes = 12;

}  // namespace

Fsdp2Sharding::Fsdp2Sharding(Autograd& autograd, const WholeStep& step, std::uint32_t ranks, std::size_t layers)
    : Sharding(autograd),
      executor_(autograd.executor()),
      master_(step.master),
      reduce_(step.reduce),
      ranks_(ranks),
      groups_(layers + 1),
      gatherStream_(autograd.executor().device(), "all-gather"),
      reduceStream_(autograd.executor().device(), "reduce-scatter") {}

Tensor Fsdp2Sharding::allocatePart(const Layout& whole) {
  Layout part = rankPart(whole, ranks_);
  part.type = master_ == MasterType::fp32 ? TensorType::f32 : TensorType::bf16;
  Tensor tensor = executor_.allocate(part);
  // What computes sees the whole, in the type that it is gathered in.
  tensor.layout = whole;
  return tensor;
}

void Fsdp2Sharding::add(std::optional<std::size_t> layer, Parameter& parameter) {
  Group& group = groups_[layer.value_or(root())];
  const Layout& whole = parameter.value.layout;
  group.parameters.push_back(&parameter);
  group.wholeElements += whole.elementCount();
  group.ownElements += rankPart(whole, ranks_).elementCount();
}

Tensor Fsdp2Sharding::buffer(std::uint64_t elements, TensorType type, MemoryPart part, StreamId stream) {
  const PartScope scope(executor_, part);
  return executor_.allocate(Layout::contiguous(type, {elements}), Account::live, stream);
}

void Fsdp2Sharding::gather(Group& group) {
  if (group.flat || group.gathered) return;
  if (ranks_ == 1) {
    group.gathered = buffer(group.wholeElements, TensorType::bf16, MemoryPart::gathered);
    executor_.launch("parameters to bf16", MemoryPass{kCastBytes * group.wholeElements, 1, 2, false});
    return;
  }
  group.flat = buffer(group.ownElements * ranks_, TensorType::bf16, MemoryPart::gathered, gatherStream_.id());
  executor_.collective(gatherStream_.id(), {CollectiveKind::allGather, 2 * group.ownElements * ranks_, ranks_}, "all-gather");
  group.ready = executor_.mark(gatherStream_.id());
}

void Fsdp2Sharding::waitFor(Group& group) {
  gather(group);
  if (group.gathered) return;
  executor_.streamWait(kComputeStream, group.ready, Lane::compute, "wait for all-gather");
  group.gathered = buffer(group.wholeElements, TensorType::bf16, MemoryPart::gathered);
  executor_.moveOnDevice(kComputeStream, 2 * group.wholeElements, "split gathered parameters");
  lastFlat_ = std::move(group.flat);
  group.flat = {};
}

void Fsdp2Sharding::beginForward() { waitFor(groups_[root()]); }

void Fsdp2Sharding::beforeLayer(std::size_t index) {
  waitFor(groups_[index]);
}

void Fsdp2Sharding::beforeLayerBackward(std::size_t index) {
  waitFor(groups_[index]);
  if (index > 0) gather(groups_[index - 1]);
}

void Fsdp2Sharding::finishGroup(Group& group) {
  group.gathered = {};
  if (reducesNow_) {
    reduce(group);
  } else {
    defer(group);
  }
}

void Fsdp2Sharding::dropWholeGradients(Group& group) {
  for (Parameter* parameter : group.parameters) parameter->gradient = {};
}

void Fsdp2Sharding::defer(Group& group) {
  if (group.deferred) {
    executor_.launch("sum of whole gradients", MemoryPass{(kAddBytes - 2) * group.wholeElements, 1, 1, true});
  } else {
    group.deferred = buffer(group.wholeElements, TensorType::f32, MemoryPart::gradients);
    executor_.launch("gradients to fp32", MemoryPass{kCastBytes * group.wholeElements, 1, 2, true});
  }
  dropWholeGradients(group);
}

void Fsdp2Sharding::reduce(Group& group) {
  if (reducedMark_.event) {
    executor_.streamWait(kComputeStream, reducedMark_, Lane::compute, "wait for reduce-scatter");
    reducing_ = {};
  }
  const StreamId stream = reduceStream_.id();
  if (group.deferred) defer(group);
  reducing_ = buffer(group.wholeElements, TensorType::f32, MemoryPart::reduceBuffers, stream);
  executor_.streamWait(stream, executor_.mark(kComputeStream), Lane::collective, "wait for gradients");
  executor_.launch("join gradients", MemoryPass{kCastBytes * group.wholeElements, 1, 2, true}, stream, Lane::collective);
  dropWholeGradients(group);
  group.deferred = {};
  Tensor own = buffer(group.ownElements, TensorType::f32, group.reduced ? MemoryPart::reduceBuffers : MemoryPart::gradients,
      stream);
  executor_.collective(stream, {CollectiveKind::reduceScatter, 4 * group.wholeElements, ranks_}, "reduce-scatter");
  if (group.reduced) {
    executor_.launch("sum of reduced gradients", MemoryPass{kAddBytes * group.ownElements, 1, 1, true}, stream,
        Lane::collective);
  } else {
    group.reduced = std::move(own);
  }
  reducedMark_ = executor_.mark(stream);
}

void Fsdp2Sharding::finishBackward() {
  lastFlat_ = {};
  finishGroup(groups_[root()]);
  if (reducedMark_.event) executor_.streamWait(kComputeStream, reducedMark_, Lane::compute, "wait for reduce-scatter");
  reducing_ = {};
  // Marks name events of their own step.
  reducedMark_ = {};
}

void Fsdp2Sharding::closeContext() {
  lastFlat_ = {};
  for (Group& group : groups_) group.gathered = {};
}

void Fsdp2Sharding::clearGradients() {
  for (Group& group : groups_) group.reduced = {};
}

}  // namespace offload
