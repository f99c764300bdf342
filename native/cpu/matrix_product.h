#pragma once

#include <cstddef>

#include "cpu/element.h"
#include "cpu/row_pool.h"

namespace offload {

/// A read-only matrix whose rows or columns may be the contiguous direction (strides in elements), so that a transposed
/// operand needs no copy.
template <class E>
struct MatrixView {
  const E* base;
  std::size_t rowStride;
  std::size_t columnStride;
};

/// out[i, j] = sum over k of left(i, k) * right(k, j), plus bias[j] where bias is not null; out is [rows, columns],
/// contiguous. Sums are fp32, in ascending k within fixed blocks of k: the bits do not depend on the number of threads.
template <class E>
struct MatrixProduct {
  MatrixView<E> left;
  MatrixView<E> right;
  const E* bias;
  E* out;
  std::size_t rows;
  std::size_t columns;
  std::size_t depth;
};

void multiply(const MatrixProduct<Bf16>& product, RowPool& pool);
void multiply(const MatrixProduct<float>& product, RowPool& pool);

}  // namespace offload
