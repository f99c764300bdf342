#include "attention.cuh"
#include "attention_scores.cuh"
#include "attention_softmax.cuh"
#include "attention_tiles.h"
#include "tile.cuh"

/*
 * Causal attention forward on tensor cores (mma.sync), by the online softmax: a block owns BM query rows of one head and walks
 * over the keys in tiles of BN; of the scores only one tile exists, in registers. Keys and values of the next tile are copied
 * while this one is computed. Scores are kept in units of log2: exp(x) = 2^(x * log2 e).
 */

namespace offload {
namespace {

template <AttentionTile Tile>
__device__ __forceinline__ void attendForward(const AttentionArguments& call) {
  constexpr int D = Tile.headDim;
  constexpr int BM = Tile.rows;
  constexpr int BN = Tile.step;
  constexpr int threads = Tile.threads;
  constexpr int M = BM / 16 / (threads / 32);
  constexpr std::uint32_t queryBytes = tile::kTileBytes<BM, D>;
  constexpr std::uint32_t tileStep = tile::kTileBytes<BN, D>;
  extern __shared__ __align__(1024) unsigned char memory[];
  const std::uint32_t queryTile = tile::sharedAddress(memory);
  const std::uint32_t keyTiles = queryTile + queryBytes;
  const std::uint32_t valueTiles = keyTiles + 2 * tileStep;

  const int thread = threadIdx.x;
  const int lane = thread & 31;
  const int warpRow = thread / 32 * 16 * M;
  const AttentionHead place(call, blockIdx.x / call.heads, blockIdx.x % call.heads);
  // Blocks with the most keys start first.
  const std::uint32_t firstQuery = (gridDim.y - 1 - blockIdx.y) * BM;
  const std::uint32_t visibleKeys = min(call.seq, firstQuery + BM);
  const std::uint32_t tiles = (visibleKeys + BN - 1) / BN;
  const std::uint16_t* keys = at<const std::uint16_t>(call.key) + place.keyBase;
  const std::uint16_t* values = at<const std::uint16_t>(call.value) + place.keyBase;
  const auto copyKeysAndValues = [&](std::uint32_t t) {
    const std::uint32_t to = (t & 1) * tileStep;
    tile::copyTile<BN, D, threads>(keyTiles + to, keys, place.keyStride, t * BN, call.seq, call.headDim, thread);
    tile::copyTile<BN, D, threads>(valueTiles + to, values, place.keyStride, t * BN, call.seq, call.headDim, thread);
    tile::commitCopies();
  };

  tile::copyTile<BM, D, threads>(queryTile, at<const std::uint16_t>(call.query) + place.queryBase, place.queryStride, firstQuery,
                                 call.seq, call.headDim, thread);
  copyKeysAndValues(0);

  const float scaleLog2 = call.scale * kLog2E;
  float out[M][D / 8][4] = {};
  float largest[M][2];
  float sum[M][2] = {};
#pragma unroll
  for (int m = 0; m < M; ++m) largest[m][0] = largest[m][1] = -INFINITY;

  for (std::uint32_t t = 0; t < tiles; ++t) {
    tile::waitForCopies<0>();
    __syncthreads();
    if (t + 1 < tiles) copyKeysAndValues(t + 1);
    const std::uint32_t firstKey = t * BN;
    if (firstKey >= firstQuery + warpRow + 16 * M) continue;
    const std::uint32_t from = (t & 1) * tileStep;
    float scores[M][BN / 8][4] = {};
    addProducts<M, BM, BN, D>(scores, queryTile, keyTiles + from, warpRow, lane);
#pragma unroll
    for (int m = 0; m < M; ++m) {
      const std::uint32_t firstRow = firstQuery + warpRow + 16 * m;
      if (firstKey + BN - 1 > firstRow) hideLaterKeys(scores[m], firstRow, firstKey, lane);
      float shrink[2];
      takeSoftmaxStep(scores[m], largest[m], sum[m], shrink, scaleLog2);
      scaleRows(out[m], shrink);
    }
    addWeighted<M, BN, D>(out, scores, valueTiles + from, lane);
  }

#pragma unroll
  for (int m = 0; m < M; ++m) {
    finishForward<BM>(call, place, out[m], largest[m], sum[m], queryTile, warpRow + 16 * m, firstQuery, lane);
  }
}

}  // namespace
}  // namespace offload

#define OFFLOAD_ATTENTION_FORWARD(NAME, TILE)                                                                         \
  extern "C" __global__ void __launch_bounds__(offload::TILE.threads) NAME(const offload::AttentionArguments call) { \
    offload::attendForward<offload::TILE>(call);                                                                     \
  }

OFFLOAD_ATTENTION_FORWARD(attention_forward_64, kForward64)
OFFLOAD_ATTENTION_FORWARD(attention_forward_96, kForward96)
OFFLOAD_ATTENTION_FORWARD(attention_forward_128, kForward128)
OFFLOAD_ATTENTION_FORWARD(attention_forward_256, kForward256)
