#pragma once

#include <cstdint>

#include "tile_shape.h"

/*
 * Building blocks of the tensor-core kernels: asynchronous copies into shared memory, fragments, bf16 products with fp32 sums.
 * Only instructions of PTX 7.0 for sm_80.
 *
 * A tile of `Rows` x `Columns` bf16 lies in shared memory as slabs of 64 columns; a slab is Rows lines of 128 bytes, and the
 * eight 16-byte pieces of a line are exchanged by XOR with the line's number modulo 8. So neither copies nor fragment loads,
 * straight or transposed, meet in one bank; it is also the 128-byte swizzle that the tensor cores of sm_90a read directly.
 */

namespace offload::tile {

/// Offset of the 16-byte piece `piece` (8 columns) of `row` in a tile of `rows` rows.
__device__ __forceinline__ std::uint32_t pieceOffset(int rows, int row, int piece) {
  return static_cast<std::uint32_t>(((piece >> 3) * rows + row) * kLineBytes + (((piece & 7) ^ (row & 7)) << 4));
}

__device__ __forceinline__ std::uint32_t sharedAddress(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// Starts a copy of 16 bytes, or writes 16 zero bytes where the source is not `present`.
__device__ __forceinline__ void copyPiece(std::uint32_t to, const void* from, bool present) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(present ? 16 : 0) : "memory");
}

__device__ __forceinline__ void commitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until at most `Pending` of the committed groups of copies are under way.
template <int Pending>
__device__ __forceinline__ void waitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

/// Starts copying a tile: rows firstRow ... of a matrix with `rowStride` elements from row to row; rows from `rowLimit` and
/// columns from `columnLimit`, a multiple of 8, become zero. `Threads` threads take part, each at one piece of every
/// Threads / (Columns / 8)-th row, so that a step costs an addition and a comparison.
template <int Rows, int Columns, int Threads>
__device__ __forceinline__ void copyTile(std::uint32_t to, const std::uint16_t* from, std::uint64_t rowStride, std::uint32_t firstRow,
                                         std::uint32_t rowLimit, std::uint32_t columnLimit, int thread) {
  constexpr int pieces = Columns / 8;
  constexpr int usedThreads = Threads / pieces * pieces;
  constexpr int rowStep = Threads / pieces;
  constexpr int steps = (Rows + rowStep - 1) / rowStep;
  if (usedThreads < Threads && thread >= usedThreads) return;
  const int row = thread / pieces;
  const int piece = thread % pieces;
  const std::uint32_t first = firstRow + row;
  const int rowsLeft = piece * 8U < columnLimit && first < rowLimit ? static_cast<int>(rowLimit - first) : 0;
  const std::uint16_t* source = from + first * rowStride + piece * 8;
  const std::uint64_t sourceStep = rowStep * rowStride;
#pragma unroll
  for (int i = 0; i < steps; ++i) {
    const int below = i * rowStep;
    if (steps * rowStep > Rows && row + below >= Rows) break;
    // Where rowStep is a multiple of 8 the exchange of pieces is the same in every step.
    const std::uint32_t offset = rowStep % 8 == 0 ? pieceOffset(Rows, row, piece) + below * kLineBytes : pieceOffset(Rows, row + below, piece);
    copyPiece(to + offset, source, below < rowsLeft);
    source += sourceStep;
  }
}

__device__ __forceinline__ void loadFragment(std::uint32_t (&fragment)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
               : "r"(address));
}

__device__ __forceinline__ void loadFragmentTransposed(std::uint32_t (&fragment)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
               : "r"(address));
}

/// Left operand, 16 rows x 16 of depth, of a tile whose lines run along the depth.
template <int Rows>
__device__ __forceinline__ void loadLeft(std::uint32_t (&fragment)[4], std::uint32_t tile, int row, int depth, int lane) {
  loadFragment(fragment, tile + pieceOffset(Rows, row + (lane & 15), depth / 8 + (lane >> 4)));
}

/// Left operand of a tile whose lines run along the rows of the product (line number = depth).
template <int Lines>
__device__ __forceinline__ void loadLeftTransposed(std::uint32_t (&fragment)[4], std::uint32_t tile, int row, int depth, int lane) {
  const int line = depth + (lane & 7) + ((lane >> 4) << 3);
  loadFragmentTransposed(fragment, tile + pieceOffset(Lines, line, row / 8 + ((lane >> 3) & 1)));
}

/// Right operand, 16 of depth x 16 columns, of a tile whose lines run along the depth (line number = column): elements 0 and
/// 1 belong to the first eight columns, 2 and 3 to the others.
template <int Lines>
__device__ __forceinline__ void loadRight(std::uint32_t (&fragment)[4], std::uint32_t tile, int column, int depth, int lane) {
  const int line = column + (lane & 7) + ((lane >> 4) << 3);
  loadFragment(fragment, tile + pieceOffset(Lines, line, depth / 8 + ((lane >> 3) & 1)));
}

/// Right operand of a tile whose lines run along the columns (line number = depth).
template <int Lines>
__device__ __forceinline__ void loadRightTransposed(std::uint32_t (&fragment)[4], std::uint32_t tile, int column, int depth, int lane) {
  const int line = depth + (lane & 7) + (((lane >> 3) & 1) << 3);
  loadFragmentTransposed(fragment, tile + pieceOffset(Lines, line, column / 8 + (lane >> 4)));
}

/// sums (16 x 8) += left (16 x 16) * right (16 x 8). Thread 4 r + c of a warp holds sums (r, 2c), (r, 2c + 1), (r + 8, 2c),
/// (r + 8, 2c + 1).
__device__ __forceinline__ void multiplyAdd(float (&sums)[4], const std::uint32_t (&left)[4], std::uint32_t right0, std::uint32_t right1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1));
}

/// Two values rounded to bf16 (ties to even), `low` in the low half.
__device__ __forceinline__ std::uint32_t packBf16(float low, float high) {
  std::uint32_t packed;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

__device__ __forceinline__ float unpackLow(std::uint32_t packed) { return __uint_as_float(packed << 16); }
__device__ __forceinline__ float unpackHigh(std::uint32_t packed) { return __uint_as_float(packed & 0xffff0000U); }

/// Sums of two neighbouring 16 x 8 tiles as the left operand of the next product.
__device__ __forceinline__ void packLeft(std::uint32_t (&left)[4], const float (&first)[4], const float (&second)[4]) {
  left[0] = packBf16(first[0], first[1]);
  left[1] = packBf16(first[2], first[3]);
  left[2] = packBf16(second[0], second[1]);
  left[3] = packBf16(second[2], second[3]);
}

/// 2^x; 0 for -infinity.
__device__ __forceinline__ float exp2Of(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// Over the four threads that hold one row of sums.
__device__ __forceinline__ float largestOfRow(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffU, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffU, x, 2));
}
__device__ __forceinline__ float sumOfRow(float x) {
  x += __shfl_xor_sync(0xffffffffU, x, 1);
  return x + __shfl_xor_sync(0xffffffffU, x, 2);
}

/// Writes the 16 rows x 8 Tiles columns of one warp, each row times its factor, as bf16 through a piece of shared memory that only
/// this warp uses: row `row` ... of a tile of `Rows` rows. `to` is the matrix's first row; the warp's rows go to firstRow ...
template <int Rows, int Tiles>
__device__ __forceinline__ void storeRows(const float (&sums)[Tiles][4], float factorLow, float factorHigh, std::uint32_t tile, int row,
                                          std::uint16_t* to, std::uint64_t rowStride, std::uint32_t firstRow, std::uint32_t rowLimit,
                                          std::uint32_t columnLimit, int lane) {
  const int group = lane >> 2;
  const std::uint32_t within = (lane & 3) * 4;
  // Other lanes may still read what lies here.
  __syncwarp();
#pragma unroll
  for (int j = 0; j < Tiles; ++j) {
    const std::uint32_t low = packBf16(sums[j][0] * factorLow, sums[j][1] * factorLow);
    const std::uint32_t high = packBf16(sums[j][2] * factorHigh, sums[j][3] * factorHigh);
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(tile + pieceOffset(Rows, row + group, j) + within), "r"(low) : "memory");
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(tile + pieceOffset(Rows, row + group + 8, j) + within), "r"(high) : "memory");
  }
  __syncwarp();
  for (int i = lane; i < 16 * Tiles; i += 32) {
    const int r = i / Tiles;
    const int piece = i % Tiles;
    if (firstRow + r >= rowLimit || piece * 8U >= columnLimit) continue;
    uint4 value;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "r"(tile + pieceOffset(Rows, row + r, piece))
                 : "memory");
    *reinterpret_cast<uint4*>(to + (firstRow + r) * rowStride + piece * 8) = value;
  }
  __syncwarp();
}

}  // namespace offload::tile
