#include "matrix_product.cuh"
#include "matrix_product_arguments.h"
#include "tile.cuh"

/*
 * Matrix products of bf16 with fp32 sums on tensor cores (mma.sync). A block computes BM x BN of the product; tiles of both
 * operands, 64 of depth a step, are copied Stages - 1 steps ahead. Each operand may lie along the depth or across it.
 */

namespace offload {
namespace {

constexpr int kDepthStep = 64;

template <bool LeftAcross, bool RightAcross, int BM, int BN, int WarpsM, int WarpsN, int Stages>
__device__ __forceinline__ void multiplyTiles(const MatrixProductArguments& call) {
  constexpr int threads = WarpsM * WarpsN * 32;
  constexpr int M = BM / WarpsM / 16;
  constexpr int N = BN / WarpsN / 16;
  constexpr std::uint32_t leftBytes = LeftAcross ? tile::kTileBytes<kDepthStep, BM> : tile::kTileBytes<BM, kDepthStep>;
  constexpr std::uint32_t rightBytes = RightAcross ? tile::kTileBytes<kDepthStep, BN> : tile::kTileBytes<BN, kDepthStep>;
  constexpr std::uint32_t stageBytes = leftBytes + rightBytes;
  static_assert(N * 16 == tile::kSlabColumns, "a warp's columns are one slab when stored");
  static_assert(Stages * stageBytes >= threads / 32 * tile::kTileBytes<16, 64>, "the stages are reused to store");
  extern __shared__ __align__(1024) unsigned char memory[];
  const std::uint32_t base = tile::sharedAddress(memory);

  const int thread = threadIdx.x;
  const int lane = thread & 31;
  const int warp = thread >> 5;
  const int warpRow = warp / WarpsN * M * 16;
  const int warpColumn = warp % WarpsN * N * 16;
  const TilePlace place(call, BM, BN);
  const std::uint16_t* left = reinterpret_cast<const std::uint16_t*>(call.left);
  const std::uint16_t* right = reinterpret_cast<const std::uint16_t*>(call.right);
  const std::uint32_t rows = static_cast<std::uint32_t>(call.rows);
  const std::uint32_t columns = static_cast<std::uint32_t>(call.columns);
  const std::uint32_t depth = static_cast<std::uint32_t>(call.depth);
  const std::uint32_t steps = (depth + kDepthStep - 1) / kDepthStep;

  const auto copyStep = [&](std::uint32_t step) {
    if (step < steps) {
      const std::uint32_t k = step * kDepthStep;
      const std::uint32_t to = base + step % Stages * stageBytes;
      if constexpr (LeftAcross) {
        tile::copyTile<kDepthStep, BM, threads>(to, left + place.row, call.leftDepthStride, k, depth, rows - place.row, thread);
      } else {
        tile::copyTile<BM, kDepthStep, threads>(to, left + k, call.leftRowStride, place.row, rows, depth - k, thread);
      }
      if constexpr (RightAcross) {
        tile::copyTile<kDepthStep, BN, threads>(to + leftBytes, right + place.column, call.rightDepthStride, k, depth,
                                                columns - place.column, thread);
      } else {
        tile::copyTile<BN, kDepthStep, threads>(to + leftBytes, right + k, call.rightColumnStride, place.column, columns, depth - k,
                                                thread);
      }
    }
    tile::commitCopies();
  };

  float sums[M][2 * N][4] = {};
#pragma unroll
  for (int step = 0; step < Stages - 1; ++step) copyStep(step);
  for (std::uint32_t step = 0; step < steps; ++step) {
    tile::waitForCopies<Stages - 2>();
    __syncthreads();
    copyStep(step + Stages - 1);
    const std::uint32_t leftTile = base + step % Stages * stageBytes;
    const std::uint32_t rightTile = leftTile + leftBytes;
#pragma unroll
    for (int k = 0; k < kDepthStep; k += 16) {
      std::uint32_t leftFragment[M][4];
      std::uint32_t rightFragment[N][4];
#pragma unroll
      for (int m = 0; m < M; ++m) {
        if constexpr (LeftAcross) {
          tile::loadLeftTransposed<kDepthStep>(leftFragment[m], leftTile, warpRow + 16 * m, k, lane);
        } else {
          tile::loadLeft<BM>(leftFragment[m], leftTile, warpRow + 16 * m, k, lane);
        }
      }
#pragma unroll
      for (int n = 0; n < N; ++n) {
        if constexpr (RightAcross) {
          tile::loadRightTransposed<kDepthStep>(rightFragment[n], rightTile, warpColumn + 16 * n, k, lane);
        } else {
          tile::loadRight<BN>(rightFragment[n], rightTile, warpColumn + 16 * n, k, lane);
        }
      }
#pragma unroll
      for (int m = 0; m < M; ++m) {
#pragma unroll
        for (int n = 0; n < N; ++n) {
          tile::multiplyAdd(sums[m][2 * n], leftFragment[m], rightFragment[n][0], rightFragment[n][1]);
          tile::multiplyAdd(sums[m][2 * n + 1], leftFragment[m], rightFragment[n][2], rightFragment[n][3]);
        }
      }
    }
  }
  tile::waitForCopies<0>();
  __syncthreads();

  const std::uint32_t column = place.column + warpColumn;
  if (column >= columns) return;
#pragma unroll
  for (int m = 0; m < M; ++m) {
    addBias(sums[m], call.bias, column, columns, lane);
    tile::storeRows<16>(sums[m], 1, 1, base + warp * tile::kTileBytes<16, 64>, 0, reinterpret_cast<std::uint16_t*>(call.out) + column,
                        call.columns, place.row + warpRow + 16 * m, rows, columns - column, lane);
  }
}

}  // namespace
}  // namespace offload

#define OFFLOAD_MATRIX_PRODUCT(NAME, LEFT_ACROSS, RIGHT_ACROSS, BM, BN, WARPS_M, WARPS_N, STAGES)                                   \
  extern "C" __global__ void __launch_bounds__(WARPS_M * WARPS_N * 32) NAME(const offload::MatrixProductArguments call) {           \
    offload::multiplyTiles<LEFT_ACROSS, RIGHT_ACROSS, BM, BN, WARPS_M, WARPS_N, STAGES>(call);                                      \
  }

OFFLOAD_MATRIX_PRODUCT(matrix_product_along_along, false, false, 128, 128, 2, 2, 3)
OFFLOAD_MATRIX_PRODUCT(matrix_product_along_across, false, true, 128, 128, 2, 2, 3)
OFFLOAD_MATRIX_PRODUCT(matrix_product_across_across, true, true, 128, 128, 2, 2, 3)
