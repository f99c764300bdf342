#pragma once

#include <cstdint>

#include "engine/device/kernel_calls.h"
#include "matrix_product_arguments.h"
#include "tile_launch.h"
#include "tile_shape.h"

namespace offload {

/*
 * Which kernels compute the linear calls. Three forms, by how the operands lie: "along" when the depth of the product is the
 * contiguous direction of an operand, "across" when it is not. bf16 with contiguous extents that are multiples of 8 at 16-byte
 * aligned addresses runs on tensor cores, everything else on the plain kernel.
 */

inline MatrixProductArguments productOf(const LinearForward& call) {
  return {.left = call.input, .right = call.weight, .bias = call.bias, .out = call.out, .rows = call.rows, .columns = call.outWidth,
          .depth = call.inWidth, .leftRowStride = call.inWidth, .leftDepthStride = 1, .rightDepthStride = 1,
          .rightColumnStride = call.inWidth};
}

inline MatrixProductArguments productOf(const LinearBackwardInput& call) {
  return {.left = call.gradOut, .right = call.weight, .bias = 0, .out = call.gradInput, .rows = call.rows, .columns = call.inWidth,
          .depth = call.outWidth, .leftRowStride = call.outWidth, .leftDepthStride = 1, .rightDepthStride = call.inWidth,
          .rightColumnStride = 1};
}

inline MatrixProductArguments productOf(const LinearBackwardWeight& call) {
  return {.left = call.gradOut, .right = call.input, .bias = 0, .out = call.gradWeight, .rows = call.outWidth,
          .columns = call.inWidth, .depth = call.rows, .leftRowStride = 1, .leftDepthStride = call.outWidth,
          .rightDepthStride = call.inWidth, .rightColumnStride = 1};
}

/// Rows and columns of the product a block computes.
struct MatrixProductTile {
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t threads;
  std::uint32_t sharedBytes;
};

/// 64 of depth a stage, three stages.
inline constexpr MatrixProductTile kMatrixProductTile{128, 128, 128, 3 * 2 * tile::kTileBytes<128, 64>};

/// sm_90a: four stages, three warpgroups; barriers take the last 128 bytes.
inline constexpr MatrixProductTile kMatrixProductTileHopper{128, 256, 384,
                                                            4 * (tile::kTileBytes<128, 64> + tile::kTileBytes<256, 64>) + 128};

struct MatrixProductNames {
  const char* alongAlong;
  const char* alongAcross;
  const char* acrossAcross;
};
inline constexpr MatrixProductNames kMatrixProductNames{"matrix_product_along_along", "matrix_product_along_across",
                                                        "matrix_product_across_across"};
inline constexpr MatrixProductNames kMatrixProductNamesHopper{"matrix_product_along_along_hopper", "matrix_product_along_across_hopper",
                                                              "matrix_product_across_across_hopper"};

inline bool hasTileShape(const MatrixProductArguments& a, ElementType element) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  const std::uint64_t leftExtent = a.leftDepthStride == 1 ? a.depth : a.rows;
  const std::uint64_t rightExtent = a.rightDepthStride == 1 ? a.depth : a.columns;
  const bool isAligned = isTileAligned(a.left) && isTileAligned(a.right) && isTileAligned(a.out) && a.bias % 4 == 0;
  return element == ElementType::bf16 && isAligned && leftExtent % 8 == 0 && rightExtent % 8 == 0 && a.columns % 8 == 0 &&
         a.depth > 0 && a.rows < most && a.columns < most && a.depth < most;
}

inline TileLaunch matrixProductLaunch(const MatrixProductArguments& product, ElementType element, TileTarget target) {
  if (!hasTileShape(product, element)) {
    const char* name = element == ElementType::bf16 ? "matrix_product_plain_bf16" : "matrix_product_plain_f32";
    return tileLaunch(name, tilesFor(product.rows, 64) * tilesFor(product.columns, 64), 1, 256, 0, product);
  }
  const MatrixProductNames& names = target.hopper ? kMatrixProductNamesHopper : kMatrixProductNames;
  const MatrixProductTile& size = target.hopper ? kMatrixProductTileHopper : kMatrixProductTile;
  const char* name = product.leftDepthStride != 1    ? names.acrossAcross
                     : product.rightDepthStride != 1 ? names.alongAcross
                                                     : names.alongAlong;
  return tileLaunch(name, tilesFor(product.rows, size.rows) * tilesFor(product.columns, size.columns), 1, size.threads,
                    size.sharedBytes, product);
}

/// The product of a call; the gradient of a bias is left to the caller.
template <class Call>
TileLaunches linearLaunches(const Call& call, TileTarget target) {
  TileLaunches launches;
  const MatrixProductArguments product = productOf(call);
  if (product.rows == 0 || product.columns == 0) return launches;
  launches.add(matrixProductLaunch(product, call.element, target));
  return launches;
}

}  // namespace offload
