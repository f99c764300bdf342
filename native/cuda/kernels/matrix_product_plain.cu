#include "matrix_product_arguments.h"
#include "tile_element.cuh"

/*
 * Products of any shape, alignment and element type, in fp32 without tensor cores: 64 x 64 of the product a block, 4 x 4 a
 * thread. Sums run over ascending k.
 */

namespace offload {
namespace {

constexpr int kTile = 64;
constexpr int kDepthStep = 16;

template <class E>
__device__ __forceinline__ void multiplyPlain(const MatrixProductArguments& call) {
  __shared__ float leftTile[kDepthStep][kTile + 4];
  __shared__ float rightTile[kDepthStep][kTile + 4];
  const E* left = reinterpret_cast<const E*>(call.left);
  const E* right = reinterpret_cast<const E*>(call.right);
  const std::uint64_t columnTiles = (call.columns + kTile - 1) / kTile;
  const std::uint64_t firstRow = blockIdx.x / columnTiles * kTile;
  const std::uint64_t firstColumn = blockIdx.x % columnTiles * kTile;
  const int row = threadIdx.x / 16 * 4;
  const int column = threadIdx.x % 16 * 4;
  float sums[4][4] = {};
  for (std::uint64_t k = 0; k < call.depth; k += kDepthStep) {
    for (int i = threadIdx.x; i < kTile * kDepthStep; i += 256) {
      // Neighbouring threads read along the direction that is contiguous.
      const int leftRow = call.leftDepthStride == 1 ? i / kDepthStep : i % kTile;
      const int leftK = call.leftDepthStride == 1 ? i % kDepthStep : i / kTile;
      const bool hasLeft = firstRow + leftRow < call.rows && k + leftK < call.depth;
      leftTile[leftK][leftRow] =
          hasLeft ? toFloat(left[(firstRow + leftRow) * call.leftRowStride + (k + leftK) * call.leftDepthStride]) : 0;
      const int rightColumn = call.rightDepthStride == 1 ? i / kDepthStep : i % kTile;
      const int rightK = call.rightDepthStride == 1 ? i % kDepthStep : i / kTile;
      const bool hasRight = firstColumn + rightColumn < call.columns && k + rightK < call.depth;
      rightTile[rightK][rightColumn] =
          hasRight ? toFloat(right[(k + rightK) * call.rightDepthStride + (firstColumn + rightColumn) * call.rightColumnStride]) : 0;
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < kDepthStep; ++step) {
#pragma unroll
      for (int r = 0; r < 4; ++r) {
#pragma unroll
        for (int c = 0; c < 4; ++c) sums[r][c] = fmaf(leftTile[step][row + r], rightTile[step][column + c], sums[r][c]);
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      const std::uint64_t i = firstRow + row + r;
      const std::uint64_t j = firstColumn + column + c;
      if (i >= call.rows || j >= call.columns) continue;
      const float bias = call.bias == 0 ? 0 : toFloat(reinterpret_cast<const E*>(call.bias)[j]);
      reinterpret_cast<E*>(call.out)[i * call.columns + j] = fromFloat<E>(sums[r][c] + bias);
    }
  }
}

}  // namespace
}  // namespace offload

extern "C" __global__ void __launch_bounds__(256) matrix_product_plain_bf16(const offload::MatrixProductArguments call) {
  offload::multiplyPlain<offload::Bf16>(call);
}
extern "C" __global__ void __launch_bounds__(256) matrix_product_plain_f32(const offload::MatrixProductArguments call) {
  offload::multiplyPlain<float>(call);
}
