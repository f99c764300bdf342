#pragma once

#include <cstdint>

namespace offload::tile {

inline constexpr int kSlabColumns = 64;
inline constexpr int kLineBytes = 128;

/// Shared memory of a tile of bf16. Columns are rounded up to whole slabs; see tile.cuh.
constexpr std::uint32_t tileBytes(int rows, int columns) {
  return static_cast<std::uint32_t>((columns + kSlabColumns - 1) / kSlabColumns * rows * kLineBytes);
}

/// The same for kernels, where a constexpr function of the host cannot be called.
template <int Rows, int Columns>
inline constexpr std::uint32_t kTileBytes = tileBytes(Rows, Columns);

}  // namespace offload::tile
