#include "engine/train/training_step.h"

#include <algorithm>
#include <utility>

namespace offload {
namespace {

HeadChoice headChoice(const Workload& workload) {
  const WholeStep& step = workload.wholeStep;
  return {step.head, step.entropy, step.isAutocast.value_or(runsUnderAutocast(step.head)), isLossScaled(workload)};
}

/// Elements of each parameter that this rank holds.
std::vector<std::uint64_t> ownElements(DecoderModel& model, std::uint32_t ranks) {
  std::vector<std::uint64_t> elements;
  for (const Parameter& parameter : model.parameters()) {
    elements.push_back(rankPart(parameter.value.layout, ranks).elementCount());
  }
  return elements;
}

}  // namespace

bool isLossScaled(const Workload& workload) {
  const WholeStep& step = workload.wholeStep;
  return step.isLossScaled.value_or(step.accumulation > 1 || workload.ranks.worldSize > 1);
}

TrainingStep::TrainingStep(Autograd& autograd, DecoderModel& model, Sharding* sharding, ModuleHooks& hooks,
                           const Workload& workload, bool isCheckpointed)
    : autograd_(autograd),
      executor_(autograd.executor()),
      model_(model),
      sharding_(sharding),
      hooks_(hooks),
      workload_(workload),
      isCheckpointed_(isCheckpointed) {
  const WholeStep& step = workload.wholeStep;
  if (step.hasHead()) {
    form_ = headForm(headChoice(workload));
    const float lossFactor = isLossScaled(workload) ? 1.0F / static_cast<float>(step.accumulation) : 1.0F;
    sizes_ = {workload.dimensions.hidden, workload.dimensions.vocab, step.headChunk.value_or(form_->chunk), step.entropyChunk,
              workload.element, lossFactor};
  }
  if (step.hasOptimizer()) {
    const bool isWide = step.master == MasterType::fp32 || workload.element == ElementType::f32;
    const std::uint32_t ranks = sharding != nullptr ? workload.ranks.worldSize : 1;
    optimizer_.emplace(executor_, step, isWide ? TensorType::f32 : TensorType::bf16, sharding != nullptr, model.parameters(),
                       ownElements(model, ranks));
  }
}

HeadRun TrainingStep::headRun() const { return HeadRun(autograd_, *form_, sizes_); }

std::uint64_t TrainingStep::run(const std::function<Tensor(std::uint32_t microBatch)>& idsOf, StepPhases& phases) {
  phases.begin();
  if (workload_.wholeStep.pass == Pass::logprob) {
    forwardOnly(idsOf(0), phases);
    return executor_.ledger().liveBytes();
  }
  std::uint64_t afterForwardBytes = 0;
  const std::uint32_t microBatches = workload_.wholeStep.accumulation;
  for (std::uint32_t microBatch = 0; microBatch < microBatches; ++microBatch) {
    if (sharding_ != nullptr) sharding_->beginMicroBatch(microBatch + 1 == microBatches);
    executor_.setLayerPart(isCheckpointed_ ? MemoryPart::recomputed : MemoryPart::layerInputs);
    Forward made = forward(idsOf(microBatch), microBatch, phases);
    afterForwardBytes = executor_.ledger().liveBytes();
    executor_.setLayerPart(MemoryPart::recomputed);
    backward(std::move(made), microBatch, phases);
  }
  update(phases);
  return afterForwardBytes;
}

TrainingStep::Forward TrainingStep::forward(const Tensor& ids, std::uint32_t microBatch, StepPhases& phases) {
  std::optional<Autograd::HookScope> wholeForward;
  if (auto around = hooks_.enterForward()) wholeForward.emplace(autograd_, std::move(around));
  Tensor hidden = model_.lastHidden(ids, hooks_, isCheckpointed_);
  phases.end("stackForward", microBatch);
  Forward made;
  if (form_) {
    made.root = hidden;
    made.root.storage = nullptr;
    made.head.emplace(headRun());
    made.head->forward(std::exchange(hidden, {}).detached(), model_.headWeight().value, ids, true);
  } else {
    made.root = meanOfSquares(autograd_, hidden);
    hidden = {};
  }
  phases.end("headForward", microBatch);
  return made;
}

void TrainingStep::backward(Forward made, std::uint32_t microBatch, StepPhases& phases) {
  Tensor root = std::move(made.root);
  if (made.head) {
    HeadRun::Gradients gradients = made.head->backward();
    made.head.reset();
    autograd_.collect(model_.headWeight(), std::move(gradients.weight));
    phases.end("headBackward", microBatch);
    autograd_.backward(root, std::exchange(gradients.hidden, {}));
  } else {
    autograd_.backward(root);
  }
  root = {};
  if (sharding_ != nullptr) sharding_->finishBackward();
  phases.end("stackBackward", microBatch);
}

void TrainingStep::forwardOnly(const Tensor& ids, StepPhases& phases) {
  const Autograd::NoGraphScope noGraph(autograd_);
  ModuleHooks none;
  if (sharding_ != nullptr) sharding_->beginMicroBatch(true);
  executor_.setLayerPart(MemoryPart::recomputed);
  Tensor hidden = model_.lastHidden(ids, none, false);
  phases.end("stackForward", 0);
  if (form_) headRun().forward(std::move(hidden), model_.headWeight().value, ids, false);
  hidden = {};
  if (sharding_ != nullptr) sharding_->closeContext();
  phases.end("headForward", 0);
}

std::vector<Tensor> TrainingStep::results() {
  std::vector<Tensor> results;
  for (const Parameter& parameter : model_.parameters()) results.push_back(optimizer_ ? parameter.value : parameter.gradient);
  if (optimizer_) results.insert(results.end(), optimizer_->states().begin(), optimizer_->states().end());
  return results;
}

void TrainingStep::update(StepPhases& phases) {
  if (!optimizer_) return;
  const std::uint32_t last = workload_.wholeStep.accumulation - 1;
  if (workload_.wholeStep.clips) {
    optimizer_->clip();
    phases.end("clip", last);
  }
  optimizer_->step();
  model_.clearGradients();
  if (sharding_ != nullptr) sharding_->clearGradients();
  phases.end("optimizer", last);
}

}  // namespace offload
