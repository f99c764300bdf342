#include "cpu/element.h"
#include "cpu/element_range.h"
#include "cpu/kernels.h"
#include "cpu/matrix_product.h"

namespace offload {
namespace {

/// out[c] = sum over rows of matrix[row, c], ascending rows; tasks are ranges of columns.
template <class E>
void sumColumns(const E* matrix, E* out, std::uint64_t rows, std::uint64_t columns, RowPool& pool) {
  constexpr std::uint64_t columnsPerTask = 64;
  forEachRange(pool, columns, columnsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
    float sums[columnsPerTask] = {};
    for (std::uint64_t row = 0; row < rows; ++row) {
      if (row % 1024 == 0 && pool.isCancelled()) return;
      for (std::uint64_t c = first; c < end; ++c) sums[c - first] += toFloat(matrix[row * columns + c]);
    }
    for (std::uint64_t c = first; c < end; ++c) out[c] = fromFloat<E>(sums[c - first]);
  });
}

}  // namespace

void runKernel(const LinearForward& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    multiply(MatrixProduct<E>{.left = {pointerTo<const E>(call.input), call.inWidth, 1},
                              .right = {pointerTo<const E>(call.weight), 1, call.inWidth},
                              .bias = pointerTo<const E>(call.bias),
                              .out = pointerTo<E>(call.out),
                              .rows = call.rows,
                              .columns = call.outWidth,
                              .depth = call.inWidth},
             pool);
  });
}

void runKernel(const LinearBackwardInput& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    multiply(MatrixProduct<E>{.left = {pointerTo<const E>(call.gradOut), call.outWidth, 1},
                              .right = {pointerTo<const E>(call.weight), call.inWidth, 1},
                              .bias = nullptr,
                              .out = pointerTo<E>(call.gradInput),
                              .rows = call.rows,
                              .columns = call.inWidth,
                              .depth = call.outWidth},
             pool);
  });
}

void runKernel(const LinearBackwardWeight& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    multiply(MatrixProduct<E>{.left = {pointerTo<const E>(call.gradOut), 1, call.outWidth},
                              .right = {pointerTo<const E>(call.input), call.inWidth, 1},
                              .bias = nullptr,
                              .out = pointerTo<E>(call.gradWeight),
                              .rows = call.outWidth,
                              .columns = call.inWidth,
                              .depth = call.rows},
             pool);
    if (call.gradBias == 0) return;
    sumColumns(pointerTo<const E>(call.gradOut), pointerTo<E>(call.gradBias), call.rows, call.outWidth, pool);
  });
}

}  // namespace offload
