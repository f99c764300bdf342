#pragma once

#include <cstdint>

#include "tile_shape.h"

namespace offload {

/// Shape of one compiled attention kernel, which its source and its launch share. A block owns `rows` queries or keys, and walks over
/// the other side in steps of `step`; the head dimension is padded to `headDim`; `split` warps share the same rows.
struct AttentionTile {
  int headDim;
  int rows;
  int step;
  int threads;
  int split = 1;
};

inline constexpr AttentionTile kForward64{64, 128, 64, 128};
inline constexpr AttentionTile kForward96{96, 64, 64, 128};
inline constexpr AttentionTile kForward128{128, 128, 64, 128};
inline constexpr AttentionTile kForward256{256, 64, 32, 128};

inline constexpr AttentionTile kBackwardKeys64{64, 64, 64, 128};
inline constexpr AttentionTile kBackwardKeys96{96, 64, 32, 128};
inline constexpr AttentionTile kBackwardKeys128{128, 64, 64, 128};
inline constexpr AttentionTile kBackwardKeys256{256, 32, 32, 128, 2};

inline constexpr AttentionTile kBackwardQueries64{64, 64, 64, 128};
inline constexpr AttentionTile kBackwardQueries96{96, 64, 64, 128};
inline constexpr AttentionTile kBackwardQueries128{128, 64, 64, 128};
inline constexpr AttentionTile kBackwardQueries256{256, 64, 16, 128};

/// sm_90a: two warpgroups multiply, one copies.
inline constexpr AttentionTile kForward64Hopper{64, 128, 128, 384};
inline constexpr AttentionTile kForward128Hopper{128, 128, 128, 384};
inline constexpr AttentionTile kBackward64Hopper{64, 128, 64, 384};
inline constexpr AttentionTile kBackward128Hopper{128, 128, 64, 384};
inline constexpr int kForwardStagesHopper = 2;
inline constexpr int kBackwardStagesHopper = 3;

/// Dynamic shared memory. Queries, and two stages of keys and values.
constexpr std::uint32_t forwardBytes(const AttentionTile& t) {
  return tile::tileBytes(t.rows, t.headDim) + 4 * tile::tileBytes(t.step, t.headDim);
}

/// Keys and values, and two stages of queries, their gradients, log-sum-exp and delta.
constexpr std::uint32_t backwardKeysBytes(const AttentionTile& t) {
  return 2 * tile::tileBytes(t.rows, t.headDim) + 2 * (2 * tile::tileBytes(t.step, t.headDim) + 8 * t.step);
}

/// Queries and their gradients, and two stages of keys and values.
constexpr std::uint32_t backwardQueriesBytes(const AttentionTile& t) {
  return 2 * tile::tileBytes(t.rows, t.headDim) + 4 * tile::tileBytes(t.step, t.headDim);
}

/// Two barriers of 8 bytes for each stage of a ring.
constexpr std::uint32_t ringBytes(int stages) { return 16 * stages; }

constexpr std::uint32_t forwardBytesHopper(const AttentionTile& t) {
  return tile::tileBytes(t.rows, t.headDim) +
         2 * (kForwardStagesHopper * tile::tileBytes(t.step, t.headDim) + ringBytes(kForwardStagesHopper));
}

/// Both gradient kernels; that of queries leaves the place of log-sum-exp and delta unused.
constexpr std::uint32_t backwardBytesHopper(const AttentionTile& t) {
  return 2 * tile::tileBytes(t.rows, t.headDim) + kBackwardStagesHopper * (2 * tile::tileBytes(t.step, t.headDim) + 8 * t.step) +
         ringBytes(kBackwardStagesHopper);
}

}  // namespace offload
