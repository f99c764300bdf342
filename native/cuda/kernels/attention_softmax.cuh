#pragma once

#include "attention.cuh"
#include "tile.cuh"

/*
 * The online softmax on scores in registers, spread over a warp as tile.cuh's multiplyAdd leaves them: a thread holds parts of
 * two rows. Scores are kept unscaled; exp(scale x) = 2^(x * scaleLog2).
 */

namespace offload {

/// Scores of keys behind their query become -infinity.
template <int Tiles>
__device__ __forceinline__ void hideLaterKeys(float (&scores)[Tiles][4], std::uint32_t firstRow, std::uint32_t firstKey, int lane) {
  const std::uint32_t row = firstRow + (lane >> 2);
#pragma unroll
  for (int n = 0; n < Tiles; ++n) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t key = firstKey + 8 * n + 2 * (lane & 3) + (i & 1);
      if (key > row + 8 * (i >> 1)) scores[n][i] = -INFINITY;
    }
  }
}

/// Scores become weights relative to the largest so far; `shrink` is what earlier outputs must be multiplied by. Sums are those of
/// this thread's columns.
template <int Tiles>
__device__ __forceinline__ void takeSoftmaxStep(float (&scores)[Tiles][4], float (&largest)[2], float (&sum)[2], float (&shrink)[2],
                                                float scaleLog2) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    float tileLargest = largest[r];
#pragma unroll
    for (int n = 0; n < Tiles; ++n) tileLargest = fmaxf(tileLargest, fmaxf(scores[n][2 * r], scores[n][2 * r + 1]));
    tileLargest = tile::largestOfRow(tileLargest);
    shrink[r] = tile::exp2Of((largest[r] - tileLargest) * scaleLog2);
    largest[r] = tileLargest;
    const float shift = tileLargest * scaleLog2;
    float tileSum = 0;
#pragma unroll
    for (int n = 0; n < Tiles; ++n) {
#pragma unroll
      for (int i = 2 * r; i < 2 * r + 2; ++i) {
        scores[n][i] = tile::exp2Of(fmaf(scores[n][i], scaleLog2, -shift));
        tileSum += scores[n][i];
      }
    }
    sum[r] = sum[r] * shrink[r] + tileSum;
  }
}

/// No row of the warp has a new largest score.
__device__ __forceinline__ bool isUnchanged(const float (&shrink)[2]) {
  return __all_sync(0xffffffffU, shrink[0] == 1 && shrink[1] == 1) != 0;
}

template <int Tiles>
__device__ __forceinline__ void scaleRows(float (&sums)[Tiles][4], const float (&factors)[2]) {
#pragma unroll
  for (int j = 0; j < Tiles; ++j) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sums[j][i] *= factors[i >> 1];
  }
}

/// Divides 16 rows by their sums and stores them with their log-sum-exp; `row` is the warp's first row in the block, whose first is
/// `firstQuery`; the outputs pass through the same rows of the tile of `Rows` rows at `queryTile`.
template <int Rows, int Tiles>
__device__ __forceinline__ void finishForward(const AttentionArguments& call, const AttentionHead& place, const float (&out)[Tiles][4],
                                              const float (&largest)[2], const float (&sum)[2], std::uint32_t queryTile, int row,
                                              std::uint32_t firstQuery, int lane) {
  float inverse[2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const float total = tile::sumOfRow(sum[r]);
    inverse[r] = 1.0F / total;
    const std::uint32_t query = firstQuery + row + (lane >> 2) + 8 * r;
    if ((lane & 3) == 0 && query < call.seq) at<float>(call.logSumExp)[place.rowBase + query] = largest[r] * call.scale + logf(total);
  }
  tile::storeRows<Rows>(out, inverse[0], inverse[1], queryTile, row, at<std::uint16_t>(call.out) + place.queryBase, place.queryStride,
                        firstQuery + row, call.seq, call.headDim, lane);
}

}  // namespace offload
