#pragma once

#include "tile.cuh"

namespace offload {

/// products (16 M rows of this warp x 16 N columns) += left * right^T, both with lines along the depth D; `leftTile` has
/// LeftRows rows, of which the warp's begin at `row`.
template <int M, int LeftRows, int RightRows, int D>
__device__ __forceinline__ void addProducts(float (&products)[M][RightRows / 8][4], std::uint32_t leftTile, std::uint32_t rightTile,
                                            int row, int lane) {
#pragma unroll
  for (int depth = 0; depth < D; depth += 16) {
    std::uint32_t left[M][4];
#pragma unroll
    for (int m = 0; m < M; ++m) tile::loadLeft<LeftRows>(left[m], leftTile, row + 16 * m, depth, lane);
#pragma unroll
    for (int n = 0; n < RightRows / 16; ++n) {
      std::uint32_t right[4];
      tile::loadRight<RightRows>(right, rightTile, 16 * n, depth, lane);
#pragma unroll
      for (int m = 0; m < M; ++m) {
        tile::multiplyAdd(products[m][2 * n], left[m], right[0], right[1]);
        tile::multiplyAdd(products[m][2 * n + 1], left[m], right[2], right[3]);
      }
    }
  }
}

/// out (16 M rows x D) += weights * right; weights are sums in registers, rounded to bf16, and lines of `rightTile` are the depth.
template <int M, int Depth, int D>
__device__ __forceinline__ void addWeighted(float (&out)[M][D / 8][4], const float (&weights)[M][Depth / 8][4], std::uint32_t rightTile,
                                            int lane) {
#pragma unroll
  for (int k = 0; k < Depth / 16; ++k) {
    std::uint32_t left[M][4];
#pragma unroll
    for (int m = 0; m < M; ++m) tile::packLeft(left[m], weights[m][2 * k], weights[m][2 * k + 1]);
#pragma unroll
    for (int d = 0; d < D / 16; ++d) {
      std::uint32_t right[4];
      tile::loadRightTransposed<Depth>(right, rightTile, 16 * d, 16 * k, lane);
#pragma unroll
      for (int m = 0; m < M; ++m) {
        tile::multiplyAdd(out[m][2 * d], left[m], right[0], right[1]);
        tile::multiplyAdd(out[m][2 * d + 1], left[m], right[2], right[3]);
      }
    }
  }
}

}  // namespace offload
