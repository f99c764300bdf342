#include "attention.cuh"
#include "attention_softmax.cuh"
#include "attention_tiles.h"
#include "tile_wgmma.cuh"

/*
 * The forward of attention_forward.cu for sm_90a: 128 query rows a block, two warpgroups with 64 each, 128 keys a step; a third
 * warpgroup copies keys and values. The scores of the next keys are multiplied while the softmax of these is under way.
 */

namespace offload {
namespace {

constexpr int kQueries = kForward128Hopper.rows;
constexpr int kKeys = kForward128Hopper.step;
constexpr int kStages = kForwardStagesHopper;
static_assert(kForward64Hopper.rows == kQueries && kForward64Hopper.step == kKeys);

template <int D>
struct ForwardMemory {
  static constexpr std::uint32_t query = 0;
  static constexpr std::uint32_t keys = query + tile::kTileBytes<kQueries, D>;
  static constexpr std::uint32_t values = keys + kStages * tile::kTileBytes<kKeys, D>;
  static constexpr std::uint32_t barriers = values + kStages * tile::kTileBytes<kKeys, D>;
};

/// scores = query rows of this warpgroup * key^T; not waited for.
template <int D>
__device__ __forceinline__ void startScores(float (&scores)[kKeys / 8][4], tile::Operand query, std::uint32_t keyTile) {
  const tile::Operand key = tile::alongOperand(keyTile);
#pragma unroll
  for (int d = 0; d < D; d += 16) {
    tile::multiplyTile<0, 0>(scores, tile::advanceAlong<kQueries>(query, d), tile::advanceAlong<kKeys>(key, d), d == 0);
  }
  tile::commitProducts();
}

/// out += weights * value; not waited for.
template <int D>
__device__ __forceinline__ void startValues(float (&out)[D / 8][4], const std::uint32_t (&weights)[kKeys / 16][4], std::uint32_t valueTile,
                                            bool isFirst) {
  const tile::Operand value = tile::acrossOperand(valueTile, kKeys * tile::kLineBytes);
#pragma unroll
  for (int k = 0; k < kKeys / 16; ++k) tile::multiplyRows<1>(out, weights[k], tile::advanceAcross(value, 16 * k), isFirst && k == 0);
  tile::commitProducts();
}

template <int D>
__device__ __forceinline__ void attendForwardHopper(const AttentionArguments& call) {
  using Memory = ForwardMemory<D>;
  constexpr std::uint32_t tileStep = tile::kTileBytes<kKeys, D>;
  extern __shared__ __align__(1024) unsigned char memory[];
  const std::uint32_t base = tile::sharedAddress(memory);
  const tile::StageRing<kStages> keyRing{base + Memory::barriers};
  const tile::StageRing<kStages> valueRing{base + Memory::barriers + 2 * 8 * kStages};

  const int thread = threadIdx.x;
  const AttentionHead place(call, blockIdx.x / call.heads, blockIdx.x % call.heads);
  const std::uint32_t firstQuery = (gridDim.y - 1 - blockIdx.y) * kQueries;
  const std::uint32_t tiles = (min(call.seq, firstQuery + kQueries) + kKeys - 1) / kKeys;
  if (thread == 0) {
    keyRing.init(8);
    valueRing.init(8);
  }
  __syncthreads();

  if (thread < tile::kWarpgroup) {
    tile::lowerRegisters<56>();
    tile::copyTile<kQueries, D, tile::kWarpgroup>(base, at<const std::uint16_t>(call.query) + place.queryBase, place.queryStride,
                                                  firstQuery, call.seq, call.headDim, thread);
    const std::uint16_t* keys = at<const std::uint16_t>(call.key) + place.keyBase;
    const std::uint16_t* values = at<const std::uint16_t>(call.value) + place.keyBase;
    // The queries travel with the first keys.
    for (std::uint32_t t = 0; t < tiles; ++t) {
      keyRing.waitFree(t);
      tile::copyTile<kKeys, D, tile::kWarpgroup>(base + Memory::keys + t % kStages * tileStep, keys, place.keyStride, t * kKeys, call.seq,
                                                 call.headDim, thread);
      tile::arriveAfterCopies(keyRing.full(t));
      valueRing.waitFree(t);
      tile::copyTile<kKeys, D, tile::kWarpgroup>(base + Memory::values + t % kStages * tileStep, values, place.keyStride, t * kKeys,
                                                 call.seq, call.headDim, thread);
      tile::arriveAfterCopies(valueRing.full(t));
    }
    tile::waitForAllCopies();
    return;
  }

  tile::raiseRegisters<224>();
  const int lane = thread & 31;
  const int group = thread / tile::kWarpgroup - 1;
  const std::uint32_t firstRow = firstQuery + 16 * (thread / 32 - 4);
  const float scaleLog2 = call.scale * kLog2E;
  const tile::Operand query = tile::alongOperand(base + 64 * group * tile::kLineBytes);
  float out[D / 8][4];
  float scores[kKeys / 8][4];
  std::uint32_t weights[kKeys / 16][4];
  float largest[2] = {-INFINITY, -INFINITY};
  float sum[2] = {};
  float shrink[2];

  for (std::uint32_t t = 0; t < tiles; ++t) {
    keyRing.waitFull(t);
    tile::beginProducts();
    startScores<D>(scores, query, base + Memory::keys + t % kStages * tileStep);
    if (t > 0) {
      valueRing.waitFull(t - 1);
      tile::beginProducts();
      startValues<D>(out, weights, base + Memory::values + (t - 1) % kStages * tileStep, t == 1);
      tile::waitForProducts<1>();
    } else {
      tile::waitForProducts<0>();
    }
    tile::takeSums(scores);
    keyRing.release(t, lane);
    if ((t + 1) * kKeys - 1 > firstRow) hideLaterKeys(scores, firstRow, t * kKeys, lane);
    takeSoftmaxStep(scores, largest, sum, shrink, scaleLog2);
    if (t > 0) {
      tile::waitForProducts<0>();
      tile::takeSums(out);
      valueRing.release(t - 1, lane);
      if (!isUnchanged(shrink)) scaleRows(out, shrink);
    }
#pragma unroll
    for (int k = 0; k < kKeys / 16; ++k) tile::packLeft(weights[k], scores[2 * k], scores[2 * k + 1]);
  }
  valueRing.waitFull(tiles - 1);
  tile::beginProducts();
  startValues<D>(out, weights, base + Memory::values + (tiles - 1) % kStages * tileStep, tiles == 1);
  tile::waitForProducts<0>();
  tile::takeSums(out);

  // The query rows of this warpgroup are read no more: outputs are stored through them.
  tile::joinWarpgroup(group);
  finishForward<kQueries>(call, place, out, largest, sum, base, 16 * (thread / 32 - 4), firstQuery, lane);
}

}  // namespace
}  // namespace offload

#define OFFLOAD_ATTENTION_HOPPER(NAME, TILE)                                                                             \
  extern "C" __global__ void __launch_bounds__(offload::TILE.threads, 1) NAME(const offload::AttentionArguments call) { \
    offload::attendForwardHopper<offload::TILE.headDim>(call);                                                          \
  }

OFFLOAD_ATTENTION_HOPPER(attention_forward_64_hopper, kForward64Hopper)
OFFLOAD_ATTENTION_HOPPER(attention_forward_128_hopper, kForward128Hopper)
