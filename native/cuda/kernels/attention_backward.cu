#include "attention.cuh"
#include "attention_rows.cuh"
#include "attention_scores.cuh"
#include "attention_tiles.h"
#include "tile.cuh"

/*
 * Causal attention backward on tensor cores (mma.sync). With P = exp(scale Q K^T - logSumExp), dP = dO V^T and
 * dS = P (dP - delta):  dV = P^T dO,  dK = scale dS^T Q,  dQ = scale dS K.
 * Two kernels compute P and dP anew, so that each gradient has one block that adds its terms in a fixed order, without atomics:
 * one owns a tile of keys and walks over the queries of all heads that read it, the other owns a tile of queries.
 */

namespace offload {
namespace {

/// Gradients of keys and values. BN keys, of which each warp owns 16; BQ queries a step; Split warps share the same keys
/// and divide the columns of the gradients.
template <AttentionTile Tile>
__device__ __forceinline__ void attendBackwardKeys(const AttentionArguments& call) {
  constexpr int D = Tile.headDim;
  constexpr int BN = Tile.rows;
  constexpr int BQ = Tile.step;
  constexpr int Split = Tile.split;
  constexpr int threads = Tile.threads;
  static_assert(threads == BN / 16 * Split * 32);
  constexpr int width = D / Split;
  constexpr std::uint32_t keyBytes = tile::kTileBytes<BN, D>;
  constexpr std::uint32_t queryBytes = tile::kTileBytes<BQ, D>;
  constexpr std::uint32_t halfBytes = tile::kTileBytes<BQ, width>;
  constexpr std::uint32_t stepBytes = 2 * queryBytes + 2 * BQ * sizeof(float);
  extern __shared__ __align__(1024) unsigned char memory[];
  const std::uint32_t keyTile = tile::sharedAddress(memory);
  const std::uint32_t valueTile = keyTile + keyBytes;
  const std::uint32_t steps = valueTile + keyBytes;

  const int thread = threadIdx.x;
  const int lane = thread & 31;
  const int warpRow = thread / 32 / Split * 16;
  const int part = thread / 32 % Split;
  const std::uint32_t group = call.heads / call.keyValueHeads;
  const std::uint32_t batch = blockIdx.x / call.keyValueHeads;
  const std::uint32_t firstHead = blockIdx.x % call.keyValueHeads * group;
  const std::uint32_t firstKey = blockIdx.y * BN;
  const std::uint32_t firstTile = firstKey / BQ;
  const std::uint32_t tilesPerHead = (call.seq + BQ - 1) / BQ - firstTile;
  const AttentionHead keyPlace(call, batch, firstHead);

  const auto copyQueries = [&](std::uint32_t step) {
    const AttentionHead place(call, batch, firstHead + step / tilesPerHead);
    const std::uint32_t first = (firstTile + step % tilesPerHead) * BQ;
    const std::uint32_t to = steps + (step & 1) * stepBytes;
    tile::copyTile<BQ, D, threads>(to, at<const std::uint16_t>(call.query) + place.queryBase, place.queryStride, first, call.seq,
                                   call.headDim, thread);
    tile::copyTile<BQ, D, threads>(to + queryBytes, at<const std::uint16_t>(call.gradOut) + place.queryBase, place.queryStride, first,
                                   call.seq, call.headDim, thread);
    copyRowNumbers<BQ, threads>(to + 2 * queryBytes, call, place.rowBase, first, thread);
    tile::commitCopies();
  };

  tile::copyTile<BN, D, threads>(keyTile, at<const std::uint16_t>(call.key) + keyPlace.keyBase, keyPlace.keyStride, firstKey, call.seq,
                                 call.headDim, thread);
  tile::copyTile<BN, D, threads>(valueTile, at<const std::uint16_t>(call.value) + keyPlace.keyBase, keyPlace.keyStride, firstKey,
                                 call.seq, call.headDim, thread);
  copyQueries(0);

  const float scaleLog2 = call.scale * kLog2E;
  float gradKey[1][width / 8][4] = {};
  float gradValue[1][width / 8][4] = {};
  const std::uint32_t count = group * tilesPerHead;
  for (std::uint32_t step = 0; step < count; ++step) {
    tile::waitForCopies<0>();
    __syncthreads();
    if (step + 1 < count) copyQueries(step + 1);
    const std::uint32_t first = (firstTile + step % tilesPerHead) * BQ;
    if (first + BQ <= firstKey + warpRow) continue;
    const std::uint32_t offset = (step & 1) * stepBytes;
    const std::uint32_t queryTile = steps + offset;
    const std::uint32_t gradOutTile = queryTile + queryBytes;
    const float* logSumExp = reinterpret_cast<const float*>(memory + 2 * keyBytes + offset + 2 * queryBytes) + 2 * (lane & 3);

    float weights[1][BQ / 8][4] = {};
    addProducts<1, BN, BQ, D>(weights, keyTile, queryTile, warpRow, lane);
    takeWeightsOfColumns(weights[0], logSumExp, scaleLog2, firstKey + warpRow, first, lane);
    addWeighted<1, BQ, width>(gradValue, weights, gradOutTile + part * halfBytes, lane);

    float gradScores[1][BQ / 8][4] = {};
    addProducts<1, BN, BQ, D>(gradScores, valueTile, gradOutTile, warpRow, lane);
    takeGradScoresOfColumns(gradScores[0], weights[0], logSumExp + BQ);
    addWeighted<1, BQ, width>(gradKey, gradScores, queryTile + part * halfBytes, lane);
  }

  __syncthreads();
  constexpr std::uint32_t partBytes = tile::kTileBytes<BN, width>;
  const std::uint32_t column = part * width;
  const std::uint32_t columns = call.headDim > column ? call.headDim - column : 0;
  tile::storeRows<BN>(gradKey[0], call.scale, call.scale, keyTile + part * partBytes, warpRow,
                      at<std::uint16_t>(call.gradKey) + keyPlace.keyBase + column, keyPlace.keyStride, firstKey + warpRow, call.seq,
                      columns, lane);
  tile::storeRows<BN>(gradValue[0], 1, 1, valueTile + part * partBytes, warpRow,
                      at<std::uint16_t>(call.gradValue) + keyPlace.keyBase + column, keyPlace.keyStride, firstKey + warpRow, call.seq,
                      columns, lane);
}

/// Gradients of queries: BM queries of one head, 16 a warp; BN keys a step.
template <AttentionTile Tile>
__device__ __forceinline__ void attendBackwardQueries(const AttentionArguments& call) {
  constexpr int D = Tile.headDim;
  constexpr int BM = Tile.rows;
  constexpr int BN = Tile.step;
  constexpr int threads = Tile.threads;
  static_assert(threads == BM / 16 * 32);
  constexpr std::uint32_t queryBytes = tile::kTileBytes<BM, D>;
  constexpr std::uint32_t keyBytes = tile::kTileBytes<BN, D>;
  extern __shared__ __align__(1024) unsigned char memory[];
  const std::uint32_t queryTile = tile::sharedAddress(memory);
  const std::uint32_t gradOutTile = queryTile + queryBytes;
  const std::uint32_t steps = gradOutTile + queryBytes;

  const int thread = threadIdx.x;
  const int lane = thread & 31;
  const int warpRow = thread / 32 * 16;
  const AttentionHead place(call, blockIdx.x / call.heads, blockIdx.x % call.heads);
  const std::uint32_t firstQuery = (gridDim.y - 1 - blockIdx.y) * BM;
  const std::uint32_t firstRow = firstQuery + warpRow;
  const std::uint32_t tiles = (min(call.seq, firstQuery + BM) + BN - 1) / BN;
  const std::uint16_t* keys = at<const std::uint16_t>(call.key) + place.keyBase;
  const std::uint16_t* values = at<const std::uint16_t>(call.value) + place.keyBase;
  const auto copyKeysAndValues = [&](std::uint32_t t) {
    const std::uint32_t to = steps + (t & 1) * 2 * keyBytes;
    tile::copyTile<BN, D, threads>(to, keys, place.keyStride, t * BN, call.seq, call.headDim, thread);
    tile::copyTile<BN, D, threads>(to + keyBytes, values, place.keyStride, t * BN, call.seq, call.headDim, thread);
    tile::commitCopies();
  };
  tile::copyTile<BM, D, threads>(queryTile, at<const std::uint16_t>(call.query) + place.queryBase, place.queryStride, firstQuery,
                                 call.seq, call.headDim, thread);
  tile::copyTile<BM, D, threads>(gradOutTile, at<const std::uint16_t>(call.gradOut) + place.queryBase, place.queryStride, firstQuery,
                                 call.seq, call.headDim, thread);
  copyKeysAndValues(0);

  const float scaleLog2 = call.scale * kLog2E;
  float shift[2];
  float delta[2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const std::uint32_t row = min(firstRow + (lane >> 2) + 8 * r, call.seq - 1);
    shift[r] = at<const float>(call.logSumExp)[place.rowBase + row] * kLog2E;
    delta[r] = at<const float>(call.delta)[place.rowBase + row];
  }
  float gradQuery[1][D / 8][4] = {};
  for (std::uint32_t t = 0; t < tiles; ++t) {
    tile::waitForCopies<0>();
    __syncthreads();
    if (t + 1 < tiles) copyKeysAndValues(t + 1);
    const std::uint32_t firstKey = t * BN;
    if (firstKey >= firstRow + 16) continue;
    const std::uint32_t keyTile = steps + (t & 1) * 2 * keyBytes;
    float scores[1][BN / 8][4] = {};
    addProducts<1, BM, BN, D>(scores, queryTile, keyTile, warpRow, lane);
    float gradScores[1][BN / 8][4] = {};
    addProducts<1, BM, BN, D>(gradScores, gradOutTile, keyTile + keyBytes, warpRow, lane);
    takeWeightsOfRows(scores[0], shift, scaleLog2, firstRow, firstKey, lane);
    takeGradScoresOfRows(gradScores[0], scores[0], delta);
    addWeighted<1, BN, D>(gradQuery, gradScores, keyTile, lane);
  }
  __syncwarp();
  tile::storeRows<BM>(gradQuery[0], call.scale, call.scale, queryTile, warpRow, at<std::uint16_t>(call.gradQuery) + place.queryBase,
                      place.queryStride, firstRow, call.seq, call.headDim, lane);
}

}  // namespace
}  // namespace offload

/// delta[batch, head, row] = sum over the head of gradOut * out; a warp per row and head, 8 elements a lane and step.
extern "C" __global__ void __launch_bounds__(128) attention_delta(const offload::AttentionArguments call) {
  using namespace offload;
  const std::uint64_t index = static_cast<std::uint64_t>(blockIdx.x) * 4 + threadIdx.x / 32;
  const std::uint64_t rows = static_cast<std::uint64_t>(call.batch) * call.seq;
  if (index >= rows * call.heads) return;
  const int lane = threadIdx.x & 31;
  const std::uint16_t* gradOut = at<const std::uint16_t>(call.gradOut) + index * call.headDim;
  const std::uint16_t* out = at<const std::uint16_t>(call.out) + index * call.headDim;
  float sum = 0;
  for (std::uint32_t d = lane * 8; d < call.headDim; d += 256) {
    const uint4 left = *reinterpret_cast<const uint4*>(gradOut + d);
    const uint4 right = *reinterpret_cast<const uint4*>(out + d);
    sum += tile::unpackLow(left.x) * tile::unpackLow(right.x) + tile::unpackHigh(left.x) * tile::unpackHigh(right.x);
    sum += tile::unpackLow(left.y) * tile::unpackLow(right.y) + tile::unpackHigh(left.y) * tile::unpackHigh(right.y);
    sum += tile::unpackLow(left.z) * tile::unpackLow(right.z) + tile::unpackHigh(left.z) * tile::unpackHigh(right.z);
    sum += tile::unpackLow(left.w) * tile::unpackLow(right.w) + tile::unpackHigh(left.w) * tile::unpackHigh(right.w);
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, step);
  if (lane != 0) return;
  const std::uint64_t row = index / call.heads;
  at<float>(call.delta)[(row / call.seq * call.heads + index % call.heads) * call.seq + row % call.seq] = sum;
}

#define OFFLOAD_ATTENTION_BACKWARD(NAME, FUNCTION, TILE)                                                              \
  extern "C" __global__ void __launch_bounds__(offload::TILE.threads) NAME(const offload::AttentionArguments call) { \
    offload::FUNCTION<offload::TILE>(call);                                                                          \
  }

OFFLOAD_ATTENTION_BACKWARD(attention_backward_keys_64, attendBackwardKeys, kBackwardKeys64)
OFFLOAD_ATTENTION_BACKWARD(attention_backward_keys_96, attendBackwardKeys, kBackwardKeys96)
OFFLOAD_ATTENTION_BACKWARD(attention_backward_keys_128, attendBackwardKeys, kBackwardKeys128)
OFFLOAD_ATTENTION_BACKWARD(attention_backward_keys_256, attendBackwardKeys, kBackwardKeys256)
OFFLOAD_ATTENTION_BACKWARD(attention_backward_queries_64, attendBackwardQueries, kBackwardQueries64)
OFFLOAD_ATTENTION_BACKWARD(attention_backward_queries_96, attendBackwardQueries, kBackwardQueries96)
OFFLOAD_ATTENTION_BACKWARD(attention_backward_queries_128, attendBackwardQueries, kBackwardQueries128)
OFFLOAD_ATTENTION_BACKWARD(attention_backward_queries_256, attendBackwardQueries, kBackwardQueries256)
