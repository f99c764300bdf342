#include <cmath>
#include <vector>

#include "cpu/element.h"
#include "cpu/element_range.h"
#include "cpu/kernels.h"

namespace offload {
namespace {

/// torch.optim.AdamW's defaults.
constexpr float kBeta1 = 0.9F;
constexpr float kBeta2 = 0.999F;
constexpr float kEpsilon = 1e-8F;
/// What clip_grad_norm_ adds to the norm.
constexpr double kNormEpsilon = 1e-6;

}  // namespace

void runKernel(const SumOfSquares& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    const auto* input = pointerTo<const decltype(type)>(call.input);
    std::vector<double> sums(tasksFor(call.count, kElementsPerTask));
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t task) {
      double sum = 0;
      for (std::uint64_t i = first; i < end; ++i) {
        const auto value = static_cast<double>(toFloat(input[i]));
        sum += value * value;
      }
      sums[task] = sum;
    });
    double& total = *pointerTo<double>(call.sum);
    for (const double sum : sums) total += sum;
  });
}

void runKernel(const ClipToNorm& call, RowPool& pool) {
  const double norm = std::sqrt(*pointerTo<const double>(call.sum));
  const auto factor = static_cast<float>(std::min(1.0, static_cast<double>(call.most) / (norm + kNormEpsilon)));
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    auto* values = pointerTo<E>(call.values);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t i = first; i < end; ++i) values[i] = fromFloat<E>(toFloat(values[i]) * factor);
    });
  });
}

void runKernel(const AdamW& call, RowPool& pool) {
  const float correction1 = 1.0F - std::pow(kBeta1, static_cast<float>(call.step));
  const float rootCorrection2 = std::sqrt(1.0F - std::pow(kBeta2, static_cast<float>(call.step)));
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    auto* parameter = pointerTo<E>(call.parameter);
    const auto* gradient = pointerTo<const E>(call.gradient);
    auto* first = pointerTo<E>(call.first);
    auto* second = pointerTo<E>(call.second);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const float grad = toFloat(gradient[i]);
        const float mean = kBeta1 * toFloat(first[i]) + (1.0F - kBeta1) * grad;
        const float square = kBeta2 * toFloat(second[i]) + (1.0F - kBeta2) * grad * grad;
        const float denominator = std::sqrt(square) / rootCorrection2 + kEpsilon;
        const float kept = toFloat(parameter[i]) * (1.0F - call.rate * call.decay);
        parameter[i] = fromFloat<E>(kept - call.rate / correction1 * mean / denominator);
        first[i] = fromFloat<E>(mean);
        second[i] = fromFloat<E>(square);
      }
    });
  });
}

}  // namespace offload
