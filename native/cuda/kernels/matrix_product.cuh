#pragma once

#include <cstdint>

#include "matrix_product_arguments.h"
#include "tile.cuh"

namespace offload {

/// First row and column of a block's part. Consecutive blocks walk down eight row tiles before they move a column on, so that
/// the operands of blocks under way at once stay in the L2 cache.
struct TilePlace {
  std::uint32_t row;
  std::uint32_t column;

  __device__ __forceinline__ TilePlace(const MatrixProductArguments& call, std::uint32_t tileRows, std::uint32_t tileColumns) {
    constexpr std::uint32_t band = 8;
    const std::uint32_t rowTiles = (static_cast<std::uint32_t>(call.rows) + tileRows - 1) / tileRows;
    const std::uint32_t columnTiles = (static_cast<std::uint32_t>(call.columns) + tileColumns - 1) / tileColumns;
    const std::uint32_t firstRowTile = blockIdx.x / (band * columnTiles) * band;
    const std::uint32_t bandRows = min(band, rowTiles - firstRowTile);
    const std::uint32_t within = blockIdx.x % (band * columnTiles);
    row = (firstRowTile + within % bandRows) * tileRows;
    column = within / bandRows * tileColumns;
  }
};

/// Adds bias[column ...] (bf16) to the columns of a warp's sums; none where `bias` is 0.
template <int Tiles>
__device__ __forceinline__ void addBias(float (&sums)[Tiles][4], std::uint64_t bias, std::uint32_t column, std::uint32_t columns,
                                        int lane) {
  if (bias == 0) return;
#pragma unroll
  for (int j = 0; j < Tiles; ++j) {
    const std::uint32_t c = column + 8 * j + 2 * (lane & 3);
    if (c >= columns) continue;
    const std::uint32_t pair = reinterpret_cast<const std::uint32_t*>(bias)[c / 2];
    sums[j][0] += tile::unpackLow(pair);
    sums[j][1] += tile::unpackHigh(pair);
    sums[j][2] += tile::unpackLow(pair);
    sums[j][3] += tile::unpackHigh(pair);
  }
}

}  // namespace offload
