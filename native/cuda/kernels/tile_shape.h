#pragma once

#include <cstdint>

namespace offload::tile {

constexpr int kSlabColumns = 64;
constexpr int kLineBytes = 128;

/// Shared memory of a tile of bf16. Columns are rounded up to whole slabs; see tile.cuh.
template <int Rows, int Columns>
inline constexpr std::uint32_t kTileBytes = static_cast<std::uint32_t>((Columns + kSlabColumns - 1) / kSlabColumns * Rows * kLineBytes);

}  // namespace offload::tile
