#include <cstring>
#include <vector>

#include "cpu/element.h"
#include "cpu/element_range.h"
#include "cpu/exponential.h"
#include "cpu/instruction_sets.h"
#include "cpu/kernels.h"

namespace offload {
namespace {

template <class E>
struct SwiGluForwardRange {
  template <int Lanes>
  OFFLOAD_KERNEL_BODY void run(const E* gate, const E* up, E* silu, E* product, std::uint64_t count) {
    // Outputs overlap no input.
#pragma GCC ivdep
    for (std::uint64_t i = 0; i < count; ++i) {
      const float g = toFloat(gate[i]);
      const E rounded = fromFloat<E>(g * sigmoid(g));
      silu[i] = rounded;
      product[i] = fromFloat<E>(toFloat(rounded) * toFloat(up[i]));
    }
  }
};

template <class E>
struct SwiGluBackwardRange {
  template <int Lanes>
  OFFLOAD_KERNEL_BODY void run(const E* gradProduct, const E* gate, const E* up, const E* silu, E* gradGate, E* gradUp,
                               std::uint64_t count) {
    // Outputs overlap no input.
#pragma GCC ivdep
    for (std::uint64_t i = 0; i < count; ++i) {
      const float grad = toFloat(gradProduct[i]);
      const float g = toFloat(gate[i]);
      const float s = sigmoid(g);
      const float slope = s * (1.0F + g * (1.0F - s));
      gradGate[i] = fromFloat<E>(grad * toFloat(up[i]) * slope);
      gradUp[i] = fromFloat<E>(grad * toFloat(silu[i]));
    }
  }
};

}  // namespace

void runKernel(const SwiGluForward& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      runWidest<SwiGluForwardRange<E>>(pointerTo<const E>(call.gate) + first, pointerTo<const E>(call.up) + first,
                                       pointerTo<E>(call.silu) + first, pointerTo<E>(call.product) + first, end - first);
    });
  });
}

void runKernel(const SwiGluBackward& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      runWidest<SwiGluBackwardRange<E>>(pointerTo<const E>(call.gradProduct) + first, pointerTo<const E>(call.gate) + first,
                                        pointerTo<const E>(call.up) + first, pointerTo<const E>(call.silu) + first,
                                        pointerTo<E>(call.gradGate) + first, pointerTo<E>(call.gradUp) + first, end - first);
    });
  });
}

void runKernel(const Rotary& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    const auto* input = pointerTo<const E>(call.input);
    const auto* cosine = pointerTo<const E>(call.cos);
    const auto* sine = pointerTo<const E>(call.sin);
    auto* out = pointerTo<E>(call.out);
    const std::uint32_t half = call.headDim / 2;
    const float sign = call.inverse ? -1.0F : 1.0F;
    const std::uint64_t rowWidth = static_cast<std::uint64_t>(call.heads) * call.headDim;
    forEachRange(pool, call.rows, rowsPerTask(rowWidth), [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t row = first; row < end; ++row) {
        const E* c = cosine + row * call.headDim;
        const E* s = sine + row * call.headDim;
        for (std::uint32_t head = 0; head < call.heads; ++head) {
          const std::uint64_t base = row * rowWidth + static_cast<std::uint64_t>(head) * call.headDim;
          for (std::uint32_t j = 0; j < half; ++j) {
            const float low = toFloat(input[base + j]);
            const float high = toFloat(input[base + half + j]);
            // The transpose takes the sine of the other half: s[j] and s[half + j] are equal in our tables but need not be.
            const float lowSine = toFloat(call.inverse ? s[half + j] : s[j]);
            const float highSine = toFloat(call.inverse ? s[j] : s[half + j]);
            out[base + j] = fromFloat<E>(low * toFloat(c[j]) - sign * high * lowSine);
            out[base + half + j] = fromFloat<E>(high * toFloat(c[half + j]) + sign * low * highSine);
          }
        }
      }
    });
  });
}

void runKernel(const Add& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    const auto* left = pointerTo<const E>(call.left);
    const auto* right = pointerTo<const E>(call.right);
    auto* out = pointerTo<E>(call.out);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t i = first; i < end; ++i) out[i] = fromFloat<E>(toFloat(left[i]) + toFloat(right[i]));
    });
  });
}

void runKernel(const LossForward& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    const auto* hidden = pointerTo<const E>(call.hidden);
    auto* hidden32 = pointerTo<float>(call.hidden32);
    std::vector<double> sums(tasksFor(call.count, kElementsPerTask));
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t task) {
      double sum = 0;
      for (std::uint64_t i = first; i < end; ++i) {
        hidden32[i] = toFloat(hidden[i]);
        sum += static_cast<double>(hidden32[i]) * static_cast<double>(hidden32[i]);
      }
      sums[task] = sum;
    });
    double total = 0;
    for (const double sum : sums) total += sum;
    const auto loss = static_cast<float>(total / static_cast<double>(call.count));
    std::memcpy(pointerTo<unsigned char>(call.loss), &loss, sizeof loss);
  });
}

void runKernel(const LossBackward& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    const auto* hidden32 = pointerTo<const float>(call.hidden32);
    auto* gradHidden = pointerTo<E>(call.gradHidden);
    const float factor = 2.0F / static_cast<float>(call.count);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t i = first; i < end; ++i) gradHidden[i] = fromFloat<E>(hidden32[i] * factor);
    });
  });
}

}  // namespace offload
