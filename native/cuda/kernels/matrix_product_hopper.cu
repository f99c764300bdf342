#include "matrix_product.cuh"
#include "matrix_product_arguments.h"
#include "tile_wgmma.cuh"

/*
 * The products of matrix_product.cu for sm_90a: 128 x 256 of the product a block, two warpgroups with 64 rows each multiply
 * (wgmma), a third copies 64 of depth a stage, four stages around.
 */

namespace offload {
namespace {

constexpr int kRows = 128;
constexpr int kColumns = 256;
constexpr int kDepthStep = 64;
constexpr int kStages = 4;

template <bool LeftAcross, bool RightAcross>
__device__ __forceinline__ void multiplyTilesHopper(const MatrixProductArguments& call) {
  constexpr std::uint32_t leftBytes = tile::kTileBytes<kRows, kDepthStep>;
  constexpr std::uint32_t rightBytes = tile::kTileBytes<kColumns, kDepthStep>;
  constexpr std::uint32_t stageBytes = leftBytes + rightBytes;
  constexpr std::uint32_t slabBytes = kDepthStep * tile::kLineBytes;
  extern __shared__ __align__(1024) unsigned char memory[];
  const std::uint32_t base = tile::sharedAddress(memory);
  const tile::StageRing<kStages> ring{base + kStages * stageBytes};

  const int thread = threadIdx.x;
  const TilePlace place(call, kRows, kColumns);
  const std::uint32_t rows = static_cast<std::uint32_t>(call.rows);
  const std::uint32_t columns = static_cast<std::uint32_t>(call.columns);
  const std::uint32_t depth = static_cast<std::uint32_t>(call.depth);
  const std::uint32_t steps = (depth + kDepthStep - 1) / kDepthStep;
  if (thread == 0) ring.init(2 * tile::kWarpgroup / 32);
  __syncthreads();

  if (thread < tile::kWarpgroup) {
    tile::lowerRegisters<56>();
    const std::uint16_t* left = reinterpret_cast<const std::uint16_t*>(call.left);
    const std::uint16_t* right = reinterpret_cast<const std::uint16_t*>(call.right);
    for (std::uint32_t step = 0; step < steps; ++step) {
      ring.waitFree(step);
      const std::uint32_t k = step * kDepthStep;
      const std::uint32_t to = base + step % kStages * stageBytes;
      if constexpr (LeftAcross) {
        tile::copyTile<kDepthStep, kRows, tile::kWarpgroup>(to, left + place.row, call.leftDepthStride, k, depth, rows - place.row, thread);
      } else {
        tile::copyTile<kRows, kDepthStep, tile::kWarpgroup>(to, left + k, call.leftRowStride, place.row, rows, depth - k, thread);
      }
      if constexpr (RightAcross) {
        tile::copyTile<kDepthStep, kColumns, tile::kWarpgroup>(to + leftBytes, right + place.column, call.rightDepthStride, k, depth,
                                                               columns - place.column, thread);
      } else {
        tile::copyTile<kColumns, kDepthStep, tile::kWarpgroup>(to + leftBytes, right + k, call.rightColumnStride, place.column, columns,
                                                               depth - k, thread);
      }
      tile::arriveAfterCopies(ring.full(step));
    }
    tile::waitForAllCopies();
  } else {
    tile::raiseRegisters<224>();
    const int lane = thread & 31;
    const int group = thread / tile::kWarpgroup - 1;
    float sums[kColumns / 8][4];
    for (std::uint32_t step = 0; step < steps; ++step) {
      ring.waitFull(step);
      const std::uint32_t leftTile = base + step % kStages * stageBytes;
      const std::uint32_t rightTile = leftTile + leftBytes;
      const tile::Operand left = LeftAcross ? tile::acrossOperand(leftTile + group * slabBytes, slabBytes)
                                            : tile::alongOperand(leftTile + 64 * group * tile::kLineBytes);
      const tile::Operand right = RightAcross ? tile::acrossOperand(rightTile, slabBytes) : tile::alongOperand(rightTile);
      tile::beginProducts();
#pragma unroll
      for (int k = 0; k < kDepthStep; k += 16) {
        tile::multiplyTile<LeftAcross, RightAcross>(
            sums, LeftAcross ? tile::advanceAcross(left, k) : tile::advanceAlong<kRows>(left, k),
            RightAcross ? tile::advanceAcross(right, k) : tile::advanceAlong<kColumns>(right, k), step == 0 && k == 0);
      }
      tile::commitProducts();
      if (step == 0) continue;
      tile::waitForProducts<1>();
      ring.release(step - 1, lane);
    }
    tile::waitForProducts<0>();
    tile::takeSums(sums);
    // Both groups are done with every stage when the slower one gets here: the stages are free to store through.
    asm volatile("bar.sync 3, 256;" ::: "memory");
    const int warp = thread / 32 - 4;
    const std::uint32_t firstRow = place.row + 16 * warp;
#pragma unroll
    for (int part = 0; part < kColumns / 64; ++part) {
      const std::uint32_t column = place.column + 64 * part;
      if (column >= columns) break;
      float(&slab)[8][4] = *reinterpret_cast<float(*)[8][4]>(&sums[8 * part]);
      addBias(slab, call.bias, column, columns, lane);
      tile::storeRows<16>(slab, 1, 1, base + warp * tile::kTileBytes<16, 64>, 0, reinterpret_cast<std::uint16_t*>(call.out) + column,
                          call.columns, firstRow, rows, columns - column, lane);
    }
  }
}

}  // namespace
}  // namespace offload

#define OFFLOAD_MATRIX_PRODUCT_HOPPER(NAME, LEFT_ACROSS, RIGHT_ACROSS)                                               \
  extern "C" __global__ void __launch_bounds__(384, 1) NAME(const offload::MatrixProductArguments call) {            \
    offload::multiplyTilesHopper<LEFT_ACROSS, RIGHT_ACROSS>(call);                                                   \
  }

OFFLOAD_MATRIX_PRODUCT_HOPPER(matrix_product_along_along_hopper, false, false)
OFFLOAD_MATRIX_PRODUCT_HOPPER(matrix_product_along_across_hopper, false, true)
OFFLOAD_MATRIX_PRODUCT_HOPPER(matrix_product_across_across_hopper, true, true)
