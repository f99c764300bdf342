#include "cpu/matrix_product.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu/instruction_sets.h"
#include "cpu/vector_of.h"

namespace offload {
namespace {

// One task computes a tile of kTileRows x kTileColumns of the output. Its operands are copied to fp32 in strips of kStripRows
// rows and 2 * lanes columns, kDepth deep: one strip pair fits the first-level cache, both blocks the second.
constexpr std::size_t kStripRows = 6;
constexpr std::size_t kTileRows = 120;
constexpr std::size_t kTileColumns = 128;
constexpr std::size_t kDepth = 256;
static_assert(kTileRows % kStripRows == 0);

/// block[strip][k][w] = float(source(strip * width + w, k)); rows beyond `count` are zero.
template <class E>
void packStrips(const E* source, std::size_t stride, std::size_t depthStride, std::size_t count, std::size_t depth,
                std::size_t width, float* block) {
  for (std::size_t first = 0; first < count; first += width) {
    const std::size_t present = std::min(width, count - first);
    const E* strip = source + first * stride;
    if (present < width) std::fill(block, block + depth * width, 0.0F);
    if (stride == 1) {
      for (std::size_t k = 0; k < depth; ++k) {
        for (std::size_t w = 0; w < present; ++w) block[k * width + w] = toFloat(strip[k * depthStride + w]);
      }
    } else {
      for (std::size_t w = 0; w < present; ++w) {
        for (std::size_t k = 0; k < depth; ++k) block[k * width + w] = toFloat(strip[w * stride + k * depthStride]);
      }
    }
    block += depth * width;
  }
}

/// Adds one depth block to the tile: sums [kTileRows, kTileColumns] += left strips * right strips.
struct MultiplyBlocks {
  template <int Lanes>
  OFFLOAD_KERNEL_BODY void run(const float* left, const float* right, std::size_t rows, std::size_t columns, std::size_t depth,
                               float* sums) {
    using Vector = typename VectorOf<Lanes>::Type;
    constexpr std::size_t width = 2 * Lanes;
    for (std::size_t column = 0; column < columns; column += width) {
      const float* rightStrip = right + column * depth;
      for (std::size_t row = 0; row < rows; row += kStripRows) {
        const float* leftStrip = left + row * depth;
        Vector low[kStripRows] = {};
        Vector high[kStripRows] = {};
        for (std::size_t k = 0; k < depth; ++k) {
          Vector rightLow;
          Vector rightHigh;
          std::memcpy(&rightLow, rightStrip + k * width, sizeof(Vector));
          std::memcpy(&rightHigh, rightStrip + k * width + Lanes, sizeof(Vector));
#pragma GCC unroll 6
          for (std::size_t r = 0; r < kStripRows; ++r) {
            const float factor = leftStrip[k * kStripRows + r];
            low[r] += factor * rightLow;
            high[r] += factor * rightHigh;
          }
        }
#pragma GCC unroll 6
        for (std::size_t r = 0; r < kStripRows; ++r) {
          float* target = sums + (row + r) * kTileColumns + column;
          Vector sumLow;
          Vector sumHigh;
          std::memcpy(&sumLow, target, sizeof(Vector));
          std::memcpy(&sumHigh, target + Lanes, sizeof(Vector));
          sumLow += low[r];
          sumHigh += high[r];
          std::memcpy(target, &sumLow, sizeof(Vector));
          std::memcpy(target + Lanes, &sumHigh, sizeof(Vector));
        }
      }
    }
  }
};

std::size_t columnStripWidth() {
  switch (widestInstructionSet()) {
    case InstructionSet::avx512: return 32;
    case InstructionSet::avx2: return 16;
    case InstructionSet::baseline: break;
  }
  return 8;
}

struct TileMemory {
  std::vector<float> left = std::vector<float>(kTileRows * kDepth);
  std::vector<float> right = std::vector<float>(kTileColumns * kDepth);
  std::vector<float> sums = std::vector<float>(kTileRows * kTileColumns);
};

template <class E>
void storeTile(const MatrixProduct<E>& product, const std::vector<float>& sums, std::size_t firstRow, std::size_t rows,
               std::size_t firstColumn, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float* from = sums.data() + r * kTileColumns;
    E* to = product.out + (firstRow + r) * product.columns + firstColumn;
    if (product.bias == nullptr) {
      for (std::size_t c = 0; c < columns; ++c) to[c] = fromFloat<E>(from[c]);
    } else {
      for (std::size_t c = 0; c < columns; ++c) to[c] = fromFloat<E>(from[c] + toFloat(product.bias[firstColumn + c]));
    }
  }
}

template <class E>
void multiplyTiles(const MatrixProduct<E>& product, RowPool& pool) {
  const std::size_t tileRows = (product.rows + kTileRows - 1) / kTileRows;
  const std::size_t tileColumns = (product.columns + kTileColumns - 1) / kTileColumns;
  const std::size_t width = columnStripWidth();
  pool.forEach(tileRows * tileColumns, [&](std::uint64_t task) {
    const std::size_t firstRow = task % tileRows * kTileRows;
    const std::size_t firstColumn = task / tileRows * kTileColumns;
    const std::size_t rows = std::min(kTileRows, product.rows - firstRow);
    const std::size_t columns = std::min(kTileColumns, product.columns - firstColumn);
    thread_local TileMemory memory;
    std::fill(memory.sums.begin(), memory.sums.end(), 0.0F);
    for (std::size_t k = 0; k < product.depth; k += kDepth) {
      if (pool.isCancelled()) return;
      const std::size_t depth = std::min(kDepth, product.depth - k);
      const MatrixView<E>& left = product.left;
      const MatrixView<E>& right = product.right;
      packStrips(left.base + firstRow * left.rowStride + k * left.columnStride, left.rowStride, left.columnStride, rows, depth,
                 kStripRows, memory.left.data());
      packStrips(right.base + k * right.rowStride + firstColumn * right.columnStride, right.columnStride, right.rowStride,
                 columns, depth, width, memory.right.data());
      runWidest<MultiplyBlocks, const float*, const float*>(memory.left.data(), memory.right.data(), rows, columns, depth,
                                                            memory.sums.data());
    }
    storeTile(product, memory.sums, firstRow, rows, firstColumn, columns);
  });
}

}  // namespace

void multiply(const MatrixProduct<Bf16>& product, RowPool& pool) { multiplyTiles(product, pool); }
void multiply(const MatrixProduct<float>& product, RowPool& pool) { multiplyTiles(product, pool); }

}  // namespace offload
