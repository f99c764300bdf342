#pragma once

#include <cstdint>

namespace offload {

/// out[i, j] = sum over k of left(i, k) * right(k, j), plus bias[j] where bias is not 0; out is [rows, columns], contiguous.
/// left(i, k) is at i * leftRowStride + k * leftDepthStride, right(k, j) at k * rightDepthStride + j * rightColumnStride
/// (in elements; one of each pair is 1).
struct MatrixProductArguments {
  std::uint64_t left;
  std::uint64_t right;
  std::uint64_t bias;
  std::uint64_t out;
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t depth;
  std::uint64_t leftRowStride;
  std::uint64_t leftDepthStride;
  std::uint64_t rightDepthStride;
  std::uint64_t rightColumnStride;
};

}  // namespace offload
