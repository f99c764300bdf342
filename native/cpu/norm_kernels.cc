#include <cmath>

#include "cpu/element.h"
#include "cpu/element_range.h"
#include "cpu/kernels.h"

namespace offload {
namespace {

constexpr std::uint32_t kLanes = 16;

/// Sum over j < width of term(j), in 16 interleaved partial sums that are added pairwise: a fixed order that vectorises.
template <class Term>
float laneSum(std::uint32_t width, const Term& term) {
  float lanes[kLanes] = {};
  std::uint32_t j = 0;
  for (; j + kLanes <= width; j += kLanes) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(j + lane);
  }
  for (; j < width; ++j) lanes[j % kLanes] += term(j);
  for (std::uint32_t step = kLanes / 2; step > 0; step /= 2) {
    for (std::uint32_t lane = 0; lane < step; ++lane) lanes[lane] += lanes[lane + step];
  }
  return lanes[0];
}

template <class E>
void normaliseForward(const RmsNormForward& call, RowPool& pool) {
  const auto* input = pointerTo<const E>(call.input);
  const auto* weight = pointerTo<const E>(call.weight);
  auto* input32 = pointerTo<float>(call.input32);
  auto* rstds = pointerTo<float>(call.rstd);
  auto* normalised = pointerTo<E>(call.normalised);
  auto* out = pointerTo<E>(call.out);
  const std::uint32_t width = call.width;
  forEachRange(pool, call.rows, rowsPerTask(width), [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
    for (std::uint64_t row = first; row < end; ++row) {
      const std::uint64_t base = row * width;
      float* x = input32 + base;
      for (std::uint32_t j = 0; j < width; ++j) x[j] = toFloat(input[base + j]);
      const float squares = laneSum(width, [&](std::uint32_t j) { return x[j] * x[j]; });
      const float rstd = 1.0F / std::sqrt(squares / static_cast<float>(width) + call.eps);
      rstds[row] = rstd;
      for (std::uint32_t j = 0; j < width; ++j) {
        const E rounded = fromFloat<E>(x[j] * rstd);
        normalised[base + j] = rounded;
        out[base + j] = fromFloat<E>(toFloat(weight[j]) * toFloat(rounded));
      }
    }
  });
}

template <class E>
void inputGradient(const RmsNormBackward& call, RowPool& pool) {
  const auto* gradOut = pointerTo<const E>(call.gradOut);
  const auto* weight = pointerTo<const E>(call.weight);
  const auto* input32 = pointerTo<const float>(call.input32);
  const auto* rstds = pointerTo<const float>(call.rstd);
  auto* gradInput = pointerTo<E>(call.gradInput);
  const std::uint32_t width = call.width;
  forEachRange(pool, call.rows, rowsPerTask(width), [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
    for (std::uint64_t row = first; row < end; ++row) {
      const std::uint64_t base = row * width;
      const float* x = input32 + base;
      const auto h = [&](std::uint32_t j) { return toFloat(gradOut[base + j]) * toFloat(weight[j]); };
      const float mean = laneSum(width, [&](std::uint32_t j) { return h(j) * x[j]; }) / static_cast<float>(width);
      const float rstd = rstds[row];
      const float factor = rstd * rstd * rstd * mean;
      for (std::uint32_t j = 0; j < width; ++j) gradInput[base + j] = fromFloat<E>(rstd * h(j) - x[j] * factor);
    }
  });
}

/// Column sums of gradOut * normalised in ascending row order; tasks are ranges of columns.
template <class E>
void weightGradient(const RmsNormBackward& call, RowPool& pool) {
  const auto* gradOut = pointerTo<const E>(call.gradOut);
  const auto* normalised = pointerTo<const E>(call.normalised);
  auto* gradWeight = pointerTo<E>(call.gradWeight);
  constexpr std::uint64_t columnsPerTask = 64;
  forEachRange(pool, call.width, columnsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
    float sums[columnsPerTask] = {};
    for (std::uint64_t row = 0; row < call.rows; ++row) {
      if (row % 1024 == 0 && pool.isCancelled()) return;
      const std::uint64_t base = row * call.width;
      for (std::uint64_t c = first; c < end; ++c) {
        sums[c - first] += toFloat(gradOut[base + c]) * toFloat(normalised[base + c]);
      }
    }
    for (std::uint64_t c = first; c < end; ++c) gradWeight[c] = fromFloat<E>(sums[c - first]);
  });
}

}  // namespace

void runKernel(const RmsNormForward& call, RowPool& pool) {
  withElement(call.element, [&](auto type) { normaliseForward<decltype(type)>(call, pool); });
}

void runKernel(const RmsNormBackward& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    inputGradient<decltype(type)>(call, pool);
    weightGradient<decltype(type)>(call, pool);
  });
}

}  // namespace offload
