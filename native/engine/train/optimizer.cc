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

}  // namespace

Optimizer::Optimizer(Executor& executor, const WholeStep& step, bool isSharded, std::vector<std::uint64_t> elements)
    : executor_(executor),
      kind_(step.optimizer),
      master_(step.master),
      isSharded_(isSharded),
      elements_(std::move(elements)),
      total_(std::accumulate(elements_.begin(), elements_.end(), std::uint64_t{0})) {}

Tensor Optimizer::allocate(std::uint64_t elements) {
  return executor_.allocate(Layout::contiguous(storedType(), {elements}));
}

std::uint32_t Optimizer::kernels() const { return static_cast<std::uint32_t>(elements_.size() / kTensorsPerKernel) + 1; }

std::uint32_t Optimizer::hostOperators(double each, double eachSharded) const {
  return static_cast<std::uint32_t>((isSharded_ ? eachSharded : each) * static_cast<double>(elements_.size())) + 1;
}

void Optimizer::clip() {
  // Norms: read once; the product: read and written.
  executor_.launch("gradient norms", MemoryPass{elementBytes() * total_, kernels(), hostOperators(kClipOperators, kShardedClipOperators),
      false, true});
  executor_.launch("clip", MemoryPass{2 * elementBytes() * total_, kernels(), hostOperators(kClipOperators, kShardedClipOperators),
      false, true});
  readOnHost(executor_, "gradient norm on the host");
}

void Optimizer::makeStates() {
  if (!states_.empty()) return;
  const PartScope part(executor_, MemoryPart::optimizerStates);
  for (const std::uint64_t elements : elements_) {
    states_.push_back(allocate(elements));
    states_.push_back(allocate(elements));
  }
}

void Optimizer::loopOverParameters() {
  for (const std::uint64_t elements : elements_) {
    // The square root and its quotient.
    const Tensor root = allocate(elements);
    const Tensor denominator = allocate(elements);
    executor_.launch("AdamW of one parameter", MemoryPass{elementBytes() * kForeachAccesses * elements, kLoopKernels, kLoopKernels,
        false, true});
  }
}

void Optimizer::step() {
  makeStates();
  if (kind_ == OptimizerKind::adamwLoop) return loopOverParameters();
  if (kind_ == OptimizerKind::adamwFused) {
    executor_.launch("fused AdamW", MemoryPass{elementBytes() * kFusedAccesses * total_, kernels(), hostOperators(kFusedOperators,
        kShardedFusedOperators), false, true});
    return;
  }
  std::vector<Tensor> roots;
  for (const std::uint64_t elements : elements_) roots.push_back(allocate(elements));
  executor_.launch("foreach AdamW", MemoryPass{elementBytes() * kForeachAccesses * total_, kForeachPasses * kernels(),
                                               hostOperators(kForeachOperators, kShardedForeachOperators), false, true});
}

}  // namespace offload
