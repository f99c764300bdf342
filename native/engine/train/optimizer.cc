#include "engine/train/optimizer.h"

#include <numeric>
#include <utility>

#include "engine/tape/host_read.h"

namespace offload {
namespace {

/// Parameters that one kernel over many tensors takes; two such kernels for every pass of a foreach optimizer.
constexpr std::uint64_t kTensorsPerKernel = 30;
/// Elements read and written in one fused step: gradient, parameter twice, two states twice.
constexpr std::uint64_t kFusedAccesses = 7;
/// Of a foreach step: eleven kernels, most of which read two tensors and write one.
constexpr std::uint64_t kForeachAccesses = 20;
constexpr std::uint32_t kForeachPasses = 11;
/// Kernels of one parameter in a loop.
constexpr std::uint32_t kLoopKernels = 9;
/// What the host spends on each parameter, in operators: lists of tensors are walked and grouped before few kernels run, and tensors
/// that are spread over ranks are unwrapped. From the recorded steps of Qwen3 0.6B (310 parameters), which the host bounds there.
constexpr double kClipOperators = 0.2;
constexpr double kShardedClipOperators = 0.5;
constexpr double kFusedOperators = 0.4;
constexpr double kShardedFusedOperators = 1.1;
constexpr double kForeachOperators = 1.0;
constexpr double kShardedForeachOperators = 2.0;
/// Defaults of torch.optim.AdamW, and the norm that both frameworks clip to.
constexpr float kRate = 1e-3F;
constexpr float kDecay = 1e-2F;
constexpr float kMostNorm = 1.0F;

ElementType elementOf(TensorType type) { return type == TensorType::bf16 ? ElementType::bf16 : ElementType::f32; }

}  // namespace

Optimizer::Optimizer(Executor& executor, const WholeStep& step, TensorType stored, bool isSharded, std::deque<Parameter>& parameters,
                     std::vector<std::uint64_t> elements)
    : executor_(executor),
      kind_(step.optimizer),
      stored_(stored),
      isSharded_(isSharded),
      parameters_(parameters),
      elements_(std::move(elements)),
      total_(std::accumulate(elements_.begin(), elements_.end(), std::uint64_t{0})) {}

Tensor Optimizer::allocate(std::uint64_t elements) {
  return executor_.allocate(Layout::contiguous(stored_, {elements}));
}

std::uint32_t Optimizer::kernels() const { return static_cast<std::uint32_t>(elements_.size() / kTensorsPerKernel) + 1; }

std::uint32_t Optimizer::hostOperators(double each, double eachSharded) const {
  return static_cast<std::uint32_t>((isSharded_ ? eachSharded : each) * static_cast<double>(elements_.size())) + 1;
}

void Optimizer::clip() {
  if (executor_.isSimulated()) countClip();
  else computeClip();
  readOnHost(executor_, "gradient norm on the host");
}

void Optimizer::countClip() {
  // Norms: read once; the product: read and written.
  executor_.launch("gradient norms", MemoryPass{elementBytes() * total_, kernels(), hostOperators(kClipOperators, kShardedClipOperators),
      false, true});
  executor_.launch("clip", MemoryPass{2 * elementBytes() * total_, kernels(), hostOperators(kClipOperators, kShardedClipOperators),
      false, true});
}

void Optimizer::computeClip() {
  const ElementType element = elementOf(stored_);
  // One double.
  const Tensor sum = executor_.allocate(Layout::contiguous(TensorType::f32, {2}), Account::scratch);
  executor_.launch("gradient norms", Memset{sum.address(), sum.layout.sizeBytes()});
  for (const Parameter& each : parameters_) {
    if (!each.gradient) continue;
    executor_.launch("gradient norms", SumOfSquares{element, each.gradient.address(), sum.address(), each.gradient.layout.elementCount()});
  }
  for (const Parameter& each : parameters_) {
    if (!each.gradient) continue;
    executor_.launch("clip", ClipToNorm{element, each.gradient.address(), sum.address(), each.gradient.layout.elementCount(), kMostNorm});
  }
}

void Optimizer::makeStates() {
  if (!states_.empty()) return;
  const PartScope part(executor_, MemoryPart::optimizerStates);
  for (const std::uint64_t elements : elements_) {
    for (int each = 0; each < 2; ++each) {
      states_.push_back(allocate(elements));
      if (!executor_.isSimulated()) executor_.launch("new state", Memset{states_.back().address(), states_.back().layout.sizeBytes()});
    }
  }
}

void Optimizer::loopOverParameters(std::size_t temporaries) {
  for (std::size_t index = 0; index < elements_.size(); ++index) {
    std::vector<Tensor> held;
    for (std::size_t each = 0; each < temporaries; ++each) held.push_back(allocate(elements_[index]));
    if (!executor_.isSimulated()) {
      computeStep(index);
      continue;
    }
    executor_.launch("AdamW of one parameter", MemoryPass{elementBytes() * kForeachAccesses * elements_[index], kLoopKernels, kLoopKernels,
        false, true});
  }
}

void Optimizer::computeStep(std::size_t index) {
  Parameter& parameter = parameters_[index];
  if (!parameter.gradient) return;
  executor_.launch("AdamW of one parameter",
                   AdamW{elementOf(stored_), parameter.value.address(), parameter.gradient.address(), states_[2 * index].address(),
                         states_[2 * index + 1].address(), elements_[index], stepsDone_, kRate, kDecay});
}

void Optimizer::step() {
  makeStates();
  ++stepsDone_;
  // The square root and its quotient.
  if (kind_ == OptimizerKind::adamwLoop) return loopOverParameters(2);
  std::vector<Tensor> roots;
  if (kind_ == OptimizerKind::adamwForeach) {
    for (const std::uint64_t elements : elements_) roots.push_back(allocate(elements));
  }
  if (!executor_.isSimulated()) return loopOverParameters(0);
  if (kind_ == OptimizerKind::adamwFused) {
    executor_.launch("fused AdamW", MemoryPass{elementBytes() * kFusedAccesses * total_, kernels(), hostOperators(kFusedOperators,
        kShardedFusedOperators), false, true});
    return;
  }
  executor_.launch("foreach AdamW", MemoryPass{elementBytes() * kForeachAccesses * total_, kForeachPasses * kernels(),
                                               hostOperators(kForeachOperators, kShardedForeachOperators), false, true});
}

}  // namespace offload
