#pragma once

#include "attention.cuh"
#include "attention_softmax.cuh"
#include "tile.cuh"

/*
 * The pointwise part of the backward on scores in registers: weights from scores and log-sum-exp, gradients of scores from
 * weights, products and delta. Queries run along the columns of a tile in the kernel of keys, along its rows in that of queries.
 */

namespace offload {

/// Starts copying log-sum-exp and delta of `Rows` queries, one array after the other. Rows beyond the sequence become zeros: weights
/// of one there multiply gradients of zero.
template <int Rows, int Threads>
__device__ __forceinline__ void copyRowNumbers(std::uint32_t to, const AttentionArguments& call, std::uint64_t rowBase, std::uint32_t first,
                                               int thread) {
  for (int i = thread; i < 2 * Rows; i += Threads) {
    const std::uint32_t row = first + i % Rows;
    const bool present = row < call.seq;
    const float* from = at<const float>(i < Rows ? call.logSumExp : call.delta) + rowBase + (present ? row : 0);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to + 4 * i), "l"(from), "r"(present ? 4 : 0) : "memory");
  }
}

/// The number that copyRowNumbers brings to place `thread` of the two arrays.
template <int Rows>
__device__ __forceinline__ float loadRowNumber(const AttentionArguments& call, std::uint64_t rowBase, std::uint32_t first, int thread) {
  const std::uint32_t row = first + thread % Rows;
  return row < call.seq ? at<const float>(thread < Rows ? call.logSumExp : call.delta)[rowBase + row] : 0.0F;
}

/// Columns are queries from `firstQuery`, rows keys from `firstKey`; `logSumExp` points at this thread's first column.
template <int Tiles>
__device__ __forceinline__ void takeWeightsOfColumns(float (&scores)[Tiles][4], const float* logSumExp, float scaleLog2,
                                                     std::uint32_t firstKey, std::uint32_t firstQuery, int lane) {
  if (firstQuery < firstKey + 15) {
    const std::uint32_t key = firstKey + (lane >> 2);
#pragma unroll
    for (int n = 0; n < Tiles; ++n) {
      const std::uint32_t query = firstQuery + 8 * n + 2 * (lane & 3);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (key + 8 * (i >> 1) > query + (i & 1)) scores[n][i] = -INFINITY;
      }
    }
  }
#pragma unroll
  for (int n = 0; n < Tiles; ++n) {
    const float2 shift = *reinterpret_cast<const float2*>(logSumExp + 8 * n);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      scores[n][i] = tile::exp2Of(fmaf(scores[n][i], scaleLog2, -kLog2E * (i & 1 ? shift.y : shift.x)));
    }
  }
}

template <int Tiles>
__device__ __forceinline__ void takeGradScoresOfColumns(float (&gradScores)[Tiles][4], const float (&weights)[Tiles][4], const float* delta) {
#pragma unroll
  for (int n = 0; n < Tiles; ++n) {
    const float2 sum = *reinterpret_cast<const float2*>(delta + 8 * n);
#pragma unroll
    for (int i = 0; i < 4; ++i) gradScores[n][i] = weights[n][i] * (gradScores[n][i] - (i & 1 ? sum.y : sum.x));
  }
}

/// The same from weights that are packed already, which leaves registers free, and packed at once.
template <int Halves>
__device__ __forceinline__ void packGradScoresOfColumns(std::uint32_t (&packed)[Halves][4], const float (&gradScores)[2 * Halves][4],
                                                        const std::uint32_t (&weights)[Halves][4], const float* delta) {
#pragma unroll
  for (int n = 0; n < 2 * Halves; ++n) {
    const float2 sum = *reinterpret_cast<const float2*>(delta + 8 * n);
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const std::uint32_t weight = weights[n / 2][n % 2 * 2 + r];
      packed[n / 2][n % 2 * 2 + r] = tile::packBf16(tile::unpackLow(weight) * (gradScores[n][2 * r] - sum.x),
                                                    tile::unpackHigh(weight) * (gradScores[n][2 * r + 1] - sum.y));
    }
  }
}

/// Rows are queries from `firstRow`, columns keys from `firstKey`; `shift` is log-sum-exp times log2 e.
template <int Tiles>
__device__ __forceinline__ void takeWeightsOfRows(float (&scores)[Tiles][4], const float (&shift)[2], float scaleLog2, std::uint32_t firstRow,
                                                  std::uint32_t firstKey, int lane) {
  if (firstKey + 8 * Tiles - 1 > firstRow) hideLaterKeys(scores, firstRow, firstKey, lane);
#pragma unroll
  for (int n = 0; n < Tiles; ++n) {
#pragma unroll
    for (int i = 0; i < 4; ++i) scores[n][i] = tile::exp2Of(fmaf(scores[n][i], scaleLog2, -shift[i >> 1]));
  }
}

template <int Tiles>
__device__ __forceinline__ void takeGradScoresOfRows(float (&gradScores)[Tiles][4], const float (&weights)[Tiles][4], const float (&delta)[2]) {
#pragma unroll
  for (int n = 0; n < Tiles; ++n) {
#pragma unroll
    for (int i = 0; i < 4; ++i) gradScores[n][i] = weights[n][i] * (gradScores[n][i] - delta[i >> 1]);
  }
}

}  // namespace offload
