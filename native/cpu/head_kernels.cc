#include <cmath>

#include "cpu/element.h"
#include "cpu/element_range.h"
#include "cpu/exponential.h"
#include "cpu/kernels.h"

namespace offload {
namespace {

/// Rows that have a next token: all but the last of every sequence.
std::uint64_t countedRows(std::uint64_t rows, std::uint32_t seq) { return rows - rows / seq; }

void logSoftmaxRow(const float* input, float* out, std::uint32_t width) {
  float largest = input[0];
  for (std::uint32_t j = 1; j < width; ++j) largest = std::max(largest, input[j]);
  // A vocabulary has so many entries that a sum in f32 would lose the small ones.
  double sum = 0;
  for (std::uint32_t j = 0; j < width; ++j) sum += static_cast<double>(exponential(input[j] - largest));
  const float logSum = largest + static_cast<float>(std::log(sum));
  for (std::uint32_t j = 0; j < width; ++j) out[j] = input[j] - logSum;
}

void logSoftmaxGradientRow(const float* gradOut, const float* logSoftmax, float* out, std::uint32_t width) {
  double sum = 0;
  for (std::uint32_t j = 0; j < width; ++j) sum += static_cast<double>(gradOut[j]);
  const auto total = static_cast<float>(sum);
  for (std::uint32_t j = 0; j < width; ++j) out[j] = gradOut[j] - exponential(logSoftmax[j]) * total;
}

/// Calls body(row) for all rows, some of them in a task.
template <class Body>
void forEachRow(RowPool& pool, std::uint64_t rows, std::uint32_t width, const Body& body) {
  forEachRange(pool, rows, rowsPerTask(width), [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
    for (std::uint64_t row = first; row < end; ++row) body(row);
  });
}

}  // namespace

void runKernel(const Widen& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    const auto* input = pointerTo<const decltype(type)>(call.input);
    auto* out = pointerTo<float>(call.out);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t i = first; i < end; ++i) out[i] = toFloat(input[i]);
    });
  });
}

void runKernel(const Narrow& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    const auto* input = pointerTo<const float>(call.input);
    auto* out = pointerTo<E>(call.out);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t i = first; i < end; ++i) out[i] = fromFloat<E>(input[i]);
    });
  });
}

void runKernel(const LogSoftmax& call, RowPool& pool) {
  const auto* input = pointerTo<const float>(call.input);
  auto* out = pointerTo<float>(call.out);
  forEachRow(pool, call.rows, call.width,
             [&](std::uint64_t row) { logSoftmaxRow(input + row * call.width, out + row * call.width, call.width); });
}

void runKernel(const NextTokenGradient& call, RowPool& pool) {
  const auto* ids = pointerTo<const std::int32_t>(call.ids);
  auto* out = pointerTo<float>(call.out);
  const std::uint64_t counted = countedRows(call.rows, call.seq);
  const float each = counted == 0 ? 0.0F : -call.factor / static_cast<float>(counted);
  forEachRow(pool, call.rows, call.width, [&](std::uint64_t row) {
    float* entries = out + row * call.width;
    std::fill(entries, entries + call.width, 0.0F);
    if ((row + 1) % call.seq != 0) entries[ids[row + 1]] = each;
  });
}

void runKernel(const LogSoftmaxBackward& call, RowPool& pool) {
  const auto* gradOut = pointerTo<const float>(call.gradOut);
  const auto* logSoftmax = pointerTo<const float>(call.logSoftmax);
  auto* out = pointerTo<float>(call.out);
  forEachRow(pool, call.rows, call.width, [&](std::uint64_t row) {
    const std::uint64_t base = row * call.width;
    logSoftmaxGradientRow(gradOut + base, logSoftmax + base, out + base, call.width);
  });
}

}  // namespace offload
