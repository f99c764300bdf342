#include "engine/model/sharded_training.h"

namespace offload {
namespace {

Layout bytesLayout(std::uint64_t sizeBytes) { return Layout::contiguous(TensorType::bf16, {(sizeBytes + 1) / 2}); }

}  // namespace

ShardedTraining::ShardedTraining(Autograd& autograd, std::uint32_t ranks, std::size_t layers)
    : autograd_(autograd),
      executor_(autograd.executor()),
      ranks_(ranks),
      groups_(layers + 1),
      gatherStream_(autograd.executor().device(), "all-gather"),
      reduceStream_(autograd.executor().device(), "reduce-scatter") {}

Tensor ShardedTraining::allocatePart(const Layout& whole) {
  // Split along the first dimension and padded, as the framework does.
  Layout part = whole;
  part.shape[0] = (whole.shape[0] + ranks_ - 1) / ranks_;
  Tensor tensor = executor_.allocate(part);
  tensor.layout = whole;
  return tensor;
}

void ShardedTraining::add(std::optional<std::size_t> layer, Parameter& parameter) {
  Group& group = groups_[layer.value_or(root())];
  group.parameters.push_back(&parameter);
  group.wholeBytes += parameter.value.layout.sizeBytes();
}

void ShardedTraining::gather(Group& group) {
  if (group.gathered) return;
  group.gathered = executor_.allocate(bytesLayout(group.wholeBytes), Account::live, gatherStream_.id());
  executor_.collective(gatherStream_.id(), {CollectiveKind::allGather, group.wholeBytes, ranks_}, "all-gather");
  group.ready = executor_.mark(gatherStream_.id());
  group.isWaitedFor = false;
}

void ShardedTraining::waitFor(Group& group) {
  gather(group);
  if (group.isWaitedFor) return;
  group.isWaitedFor = true;
  executor_.streamWait(kComputeStream, group.ready, Lane::compute, "wait for all-gather");
  executor_.moveOnDevice(kComputeStream, group.wholeBytes, "split gathered parameters");
}

void ShardedTraining::beginForward() {
  waitFor(groups_[root()]);
}

Tensor ShardedTraining::enterLayer(std::size_t index, const Tensor& hidden) {
  waitFor(groups_[index]);
  // The host is ahead of the device: the next layer's gather runs while this one computes.
  if (index + 1 < root()) gather(groups_[index + 1]);
  auto recording = autograd_.record();
  return recording.finish(hidden, {hidden}, [this, index](const Tensor& gradient, std::vector<SavedSlot>&) {
    reduce(groups_[index]);
    return std::vector<Tensor>{gradient};
  });
}

Tensor ShardedTraining::leaveLayer(std::size_t index, const Tensor& hidden) {
  groups_[index].gathered = {};
  auto recording = autograd_.record();
  return recording.finish(hidden, {hidden}, [this, index](const Tensor& gradient, std::vector<SavedSlot>&) {
    waitFor(groups_[index]);
    if (index > 0) gather(groups_[index - 1]);
    return std::vector<Tensor>{gradient};
  });
}

void ShardedTraining::reduce(Group& group) {
  if (reduced_.event) {
    executor_.streamWait(kComputeStream, reduced_, Lane::compute, "wait for reduce-scatter");
    reducing_ = {};
  }
  const StreamId stream = reduceStream_.id();
  reducing_ = executor_.allocate(bytesLayout(group.wholeBytes), Account::live, stream);
  executor_.streamWait(stream, executor_.mark(kComputeStream), Lane::collective, "wait for gradients");
  executor_.moveOnDevice(stream, group.wholeBytes, "join gradients");
  std::vector<Tensor> parts;
  for (const Parameter* parameter : group.parameters) parts.push_back(allocatePart(parameter->value.layout));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (group.parameters[i]->gradient) group.parameters[i]->gradient = std::move(parts[i]);
  }
  group.gathered = {};
  executor_.collective(stream, {CollectiveKind::reduceScatter, group.wholeBytes, ranks_}, "reduce-scatter");
  reduced_ = executor_.mark(stream);
}

void ShardedTraining::finishBackward() {
  reduce(groups_[root()]);
  executor_.streamWait(kComputeStream, reduced_, Lane::compute, "wait for reduce-scatter");
  reducing_ = {};
  // Marks name events of their own step.
  reduced_ = {};
}

}  // namespace offload
