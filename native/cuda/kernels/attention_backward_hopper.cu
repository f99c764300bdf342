#include "attention.cuh"
#include "attention_rows.cuh"
#include "attention_tiles.h"
#include "tile_wgmma.cuh"

/*
 * The two gradient kernels of attention_backward.cu for sm_90a. Two warpgroups multiply (wgmma), 64 rows each; a third copies.
 * Scores, weights and their gradients stay in registers.
 */

namespace offload {
namespace {

constexpr int kRows = kBackward128Hopper.rows;
constexpr int kStep = kBackward128Hopper.step;
constexpr int kStages = kBackwardStagesHopper;
static_assert(kBackward64Hopper.rows == kRows && kBackward64Hopper.step == kStep);

/// products = 64 rows of a tile of kRows * right^T; not waited for.
template <int D>
__device__ __forceinline__ void startProducts(float (&products)[kStep / 8][4], tile::Operand left, std::uint32_t rightTile) {
  const tile::Operand right = tile::alongOperand(rightTile);
#pragma unroll
  for (int d = 0; d < D; d += 16) {
    tile::multiplyTile<0, 0>(products, tile::advanceAlong<kRows>(left, d), tile::advanceAlong<kStep>(right, d), d == 0);
  }
  tile::commitProducts();
}

__device__ __forceinline__ void packRows(std::uint32_t (&packed)[kStep / 16][4], const float (&rows)[kStep / 8][4]) {
#pragma unroll
  for (int k = 0; k < kStep / 16; ++k) tile::packLeft(packed[k], rows[2 * k], rows[2 * k + 1]);
}

/// sums += weights * right; not waited for.
template <int D>
__device__ __forceinline__ void startWeighted(float (&sums)[D / 8][4], const std::uint32_t (&weights)[kStep / 16][4],
                                              std::uint32_t rightTile) {
  const tile::Operand right = tile::acrossOperand(rightTile, kStep * tile::kLineBytes);
#pragma unroll
  for (int k = 0; k < kStep / 16; ++k) tile::multiplyRows<1>(sums, weights[k], tile::advanceAcross(right, 16 * k), false);
  tile::commitProducts();
}

/// 128 keys: gradients of keys and values; a stage holds 64 queries, their gradients, log-sum-exp and delta.
template <int D>
__device__ __forceinline__ void attendBackwardKeysHopper(const AttentionArguments& call) {
  constexpr std::uint32_t keyBytes = tile::kTileBytes<kRows, D>;
  constexpr std::uint32_t queryBytes = tile::kTileBytes<kStep, D>;
  constexpr std::uint32_t stageBytes = 2 * queryBytes;
  constexpr std::uint32_t rowsAt = 2 * keyBytes + kStages * stageBytes;
  constexpr std::uint32_t barriersAt = rowsAt + kStages * 2 * kStep * sizeof(float);
  extern __shared__ __align__(1024) unsigned char memory[];
  const std::uint32_t base = tile::sharedAddress(memory);
  const tile::StageRing<kStages> ring{base + barriersAt};

  const int thread = threadIdx.x;
  const std::uint32_t headsPerKey = call.heads / call.keyValueHeads;
  const std::uint32_t batch = blockIdx.x / call.keyValueHeads;
  const std::uint32_t firstHead = blockIdx.x % call.keyValueHeads * headsPerKey;
  const std::uint32_t firstKey = blockIdx.y * kRows;
  const std::uint32_t firstTile = firstKey / kStep;
  const std::uint32_t tilesPerHead = (call.seq + kStep - 1) / kStep - firstTile;
  const std::uint32_t count = headsPerKey * tilesPerHead;
  const AttentionHead keyPlace(call, batch, firstHead);
  if (thread == 0) ring.init(2 * tile::kWarpgroup, 2 * tile::kWarpgroup);
  __syncthreads();

  if (thread < tile::kWarpgroup) {
    tile::lowerRegisters<40>();
    // Keys and values travel with the first stage.
    tile::copyTile<kRows, D, tile::kWarpgroup>(base, at<const std::uint16_t>(call.key) + keyPlace.keyBase, keyPlace.keyStride, firstKey,
                                               call.seq, call.headDim, thread);
    tile::copyTile<kRows, D, tile::kWarpgroup>(base + keyBytes, at<const std::uint16_t>(call.value) + keyPlace.keyBase,
                                               keyPlace.keyStride, firstKey, call.seq, call.headDim, thread);
    for (std::uint32_t step = 0; step < count; ++step) {
      ring.waitFree(step);
      const AttentionHead place(call, batch, firstHead + step / tilesPerHead);
      const std::uint32_t first = (firstTile + step % tilesPerHead) * kStep;
      const std::uint32_t to = base + 2 * keyBytes + step % kStages * stageBytes;
      tile::copyTile<kStep, D, tile::kWarpgroup>(to, at<const std::uint16_t>(call.query) + place.queryBase, place.queryStride, first,
                                                 call.seq, call.headDim, thread);
      tile::copyTile<kStep, D, tile::kWarpgroup>(to + queryBytes, at<const std::uint16_t>(call.gradOut) + place.queryBase,
                                                 place.queryStride, first, call.seq, call.headDim, thread);
      tile::arriveAfterCopies(ring.full(step));
      // Row numbers are read by ordinary loads, so ordinary stores bring them, each thread one, beside the copies under way.
      static_assert(2 * kStep == tile::kWarpgroup);
      float* rowNumbers = reinterpret_cast<float*>(memory + rowsAt) + step % kStages * 2 * kStep;
      rowNumbers[thread] = loadRowNumber<kStep>(call, place.rowBase, first, thread);
      tile::arrive(ring.full(step));
    }
    tile::waitForAllCopies();
    return;
  }

  tile::raiseRegisters<232>();
  const int lane = thread & 31;
  const int group = thread / tile::kWarpgroup - 1;
  const int warpRow = 16 * (thread / 32 - 4);
  const float scaleLog2 = call.scale * kLog2E;
  const tile::Operand keys = tile::alongOperand(base + 64 * group * tile::kLineBytes);
  const tile::Operand values = tile::advance(keys, keyBytes);
  float gradKey[D / 8][4] = {};
  float gradValue[D / 8][4] = {};
  float weights[kStep / 8][4];
  float gradScores[kStep / 8][4];
  std::uint32_t packed[kStep / 16][4];
  std::uint32_t packedGrad[kStep / 16][4];
  const auto queryTileOf = [&](std::uint32_t step) { return base + 2 * keyBytes + step % kStages * stageBytes; };
  // Turns scores, which must be there, into the two left operands, while the gradients of weights are multiplied.
  const auto takeStep = [&](std::uint32_t step) {
    const std::uint32_t first = (firstTile + step % tilesPerHead) * kStep;
    const float* logSumExp = reinterpret_cast<const float*>(memory + rowsAt) + step % kStages * 2 * kStep + 2 * (lane & 3);
    tile::beginProducts();
    startProducts<D>(gradScores, values, queryTileOf(step) + queryBytes);
    takeWeightsOfColumns(weights, logSumExp, scaleLog2, firstKey + warpRow, first, lane);
    packRows(packed, weights);
    tile::waitForProducts<0>();
    tile::takeSums(gradScores);
    packGradScoresOfColumns(packedGrad, gradScores, packed, logSumExp + kStep);
  };
  ring.waitFull(0);
  tile::beginProducts();
  startProducts<D>(weights, keys, queryTileOf(0));
  tile::waitForProducts<0>();
  tile::takeSums(weights);
  for (std::uint32_t step = 0; step + 1 < count; ++step) {
    takeStep(step);
    ring.waitFull(step + 1);
    tile::beginProducts();
    startWeighted<D>(gradValue, packed, queryTileOf(step) + queryBytes);
    startWeighted<D>(gradKey, packedGrad, queryTileOf(step));
    startProducts<D>(weights, keys, queryTileOf(step + 1));
    tile::waitForProducts<0>();
    tile::takeSums(gradValue);
    tile::takeSums(gradKey);
    tile::takeSums(weights);
    // Every lane for itself: it has read row numbers by ordinary loads, which must come before the next stores there.
    tile::arrive(ring.free(step));
  }
  takeStep(count - 1);
  tile::beginProducts();
  startWeighted<D>(gradValue, packed, queryTileOf(count - 1) + queryBytes);
  startWeighted<D>(gradKey, packedGrad, queryTileOf(count - 1));
  tile::waitForProducts<0>();
  tile::takeSums(gradValue);
  tile::takeSums(gradKey);

  // The keys and values of this warpgroup are read no more: their gradients are stored through them.
  tile::joinWarpgroup(group);
  tile::storeRows<kRows>(gradKey, call.scale, call.scale, base, warpRow, at<std::uint16_t>(call.gradKey) + keyPlace.keyBase,
                         keyPlace.keyStride, firstKey + warpRow, call.seq, call.headDim, lane);
  tile::storeRows<kRows>(gradValue, 1, 1, base + keyBytes, warpRow, at<std::uint16_t>(call.gradValue) + keyPlace.keyBase,
                         keyPlace.keyStride, firstKey + warpRow, call.seq, call.headDim, lane);
}

/// 128 queries: their gradients; a stage holds 64 keys and values.
template <int D>
__device__ __forceinline__ void attendBackwardQueriesHopper(const AttentionArguments& call) {
  constexpr std::uint32_t queryBytes = tile::kTileBytes<kRows, D>;
  constexpr std::uint32_t keyBytes = tile::kTileBytes<kStep, D>;
  constexpr std::uint32_t stageBytes = 2 * keyBytes;
  extern __shared__ __align__(1024) unsigned char memory[];
  const std::uint32_t base = tile::sharedAddress(memory);
  const tile::StageRing<kStages> ring{base + 2 * queryBytes + kStages * stageBytes};

  const int thread = threadIdx.x;
  const AttentionHead place(call, blockIdx.x / call.heads, blockIdx.x % call.heads);
  const std::uint32_t firstQuery = (gridDim.y - 1 - blockIdx.y) * kRows;
  const std::uint32_t tiles = (min(call.seq, firstQuery + kRows) + kStep - 1) / kStep;
  if (thread == 0) ring.init(8);
  __syncthreads();

  if (thread < tile::kWarpgroup) {
    tile::lowerRegisters<56>();
    tile::copyTile<kRows, D, tile::kWarpgroup>(base, at<const std::uint16_t>(call.query) + place.queryBase, place.queryStride, firstQuery,
                                               call.seq, call.headDim, thread);
    tile::copyTile<kRows, D, tile::kWarpgroup>(base + queryBytes, at<const std::uint16_t>(call.gradOut) + place.queryBase,
                                               place.queryStride, firstQuery, call.seq, call.headDim, thread);
    const std::uint16_t* keys = at<const std::uint16_t>(call.key) + place.keyBase;
    const std::uint16_t* values = at<const std::uint16_t>(call.value) + place.keyBase;
    for (std::uint32_t t = 0; t < tiles; ++t) {
      ring.waitFree(t);
      const std::uint32_t to = base + 2 * queryBytes + t % kStages * stageBytes;
      tile::copyTile<kStep, D, tile::kWarpgroup>(to, keys, place.keyStride, t * kStep, call.seq, call.headDim, thread);
      tile::copyTile<kStep, D, tile::kWarpgroup>(to + keyBytes, values, place.keyStride, t * kStep, call.seq, call.headDim, thread);
      tile::arriveAfterCopies(ring.full(t));
    }
    tile::waitForAllCopies();
    return;
  }

  tile::raiseRegisters<224>();
  const int lane = thread & 31;
  const int group = thread / tile::kWarpgroup - 1;
  const int warpRow = 16 * (thread / 32 - 4);
  const std::uint32_t firstRow = firstQuery + warpRow;
  const float scaleLog2 = call.scale * kLog2E;
  float shift[2];
  float delta[2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const std::uint64_t row = place.rowBase + min(firstRow + (lane >> 2) + 8 * r, call.seq - 1);
    shift[r] = at<const float>(call.logSumExp)[row] * kLog2E;
    delta[r] = at<const float>(call.delta)[row];
  }
  const tile::Operand query = tile::alongOperand(base + 64 * group * tile::kLineBytes);
  const tile::Operand gradOut = tile::advance(query, queryBytes);
  float gradQuery[D / 8][4] = {};
  float scores[kStep / 8][4];
  float gradScores[kStep / 8][4];
  std::uint32_t packed[kStep / 16][4];
  const auto keyTileOf = [&](std::uint32_t t) { return base + 2 * queryBytes + t % kStages * stageBytes; };
  const auto startScores = [&](std::uint32_t t) {
    ring.waitFull(t);
    tile::beginProducts();
    startProducts<D>(scores, query, keyTileOf(t));
    startProducts<D>(gradScores, gradOut, keyTileOf(t) + keyBytes);
  };
  startScores(0);
  tile::waitForProducts<0>();
  tile::takeSums(scores);
  tile::takeSums(gradScores);
  takeWeightsOfRows(scores, shift, scaleLog2, firstRow, 0, lane);
  takeGradScoresOfRows(gradScores, scores, delta);
  packRows(packed, gradScores);
  // The product of one step runs behind the scores of the next, beside their pointwise part.
  for (std::uint32_t t = 1; t < tiles; ++t) {
    startScores(t);
    startWeighted<D>(gradQuery, packed, keyTileOf(t - 1));
    tile::waitForProducts<2>();
    tile::takeSums(scores);
    takeWeightsOfRows(scores, shift, scaleLog2, firstRow, t * kStep, lane);
    tile::waitForProducts<1>();
    tile::takeSums(gradScores);
    takeGradScoresOfRows(gradScores, scores, delta);
    tile::waitForProducts<0>();
    tile::takeSums(gradQuery);
    ring.release(t - 1, lane);
    packRows(packed, gradScores);
  }
  tile::beginProducts();
  startWeighted<D>(gradQuery, packed, keyTileOf(tiles - 1));
  tile::waitForProducts<0>();
  tile::takeSums(gradQuery);
  tile::joinWarpgroup(group);
  tile::storeRows<kRows>(gradQuery, call.scale, call.scale, base, warpRow, at<std::uint16_t>(call.gradQuery) + place.queryBase,
                         place.queryStride, firstRow, call.seq, call.headDim, lane);
}

}  // namespace
}  // namespace offload

#define OFFLOAD_ATTENTION_HOPPER(NAME, FUNCTION, TILE)                                                                   \
  extern "C" __global__ void __launch_bounds__(offload::TILE.threads, 1) NAME(const offload::AttentionArguments call) { \
    offload::FUNCTION<offload::TILE.headDim>(call);                                                                     \
  }

OFFLOAD_ATTENTION_HOPPER(attention_backward_keys_64_hopper, attendBackwardKeysHopper, kBackward64Hopper)
OFFLOAD_ATTENTION_HOPPER(attention_backward_keys_128_hopper, attendBackwardKeysHopper, kBackward128Hopper)
OFFLOAD_ATTENTION_HOPPER(attention_backward_queries_64_hopper, attendBackwardQueriesHopper, kBackward64Hopper)
OFFLOAD_ATTENTION_HOPPER(attention_backward_queries_128_hopper, attendBackwardQueriesHopper, kBackward128Hopper)
