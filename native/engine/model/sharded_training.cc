#include "engine/model/sharded_training.h"

namespace offload {
namespace {

Layout bytesLayout(std::uint64_t sizeBytes) { return Layout::contiguous(TensorType::bf16, {(sizeBytes + 1) / 2}); }

}  // namespace

ShardedTraining::ShardedTraining(Autograd& autograd, std::uint32_t ranks, std::size_t layers)
    : Sharding(autograd),
      executor_(autograd.executor()),
      ranks_(ranks),
      groups_(layers + 1),
      gatherStream_(autograd.executor().device(), "all-gather"),
      reduceStream_(autograd.executor().device(), "reduce-scatter") {}

Tensor ShardedTraining::allocatePart(const Layout& whole) {
  Tensor tensor = executor_.allocate(rankPart(whole, ranks_));
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

void ShardedTraining::beforeLayer(std::size_t index) {
  waitFor(groups_[index]);
  // The host is ahead of the device: the next layer's gather runs while this one computes.
  if (index + 1 < root()) gather(groups_[index + 1]);
}

void ShardedTraining::beforeLayerBackward(std::size_t index) {
  waitFor(groups_[index]);
  if (index > 0) gather(groups_[index - 1]);
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
