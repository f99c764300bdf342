#include "attention.cuh"
#include "tile_element.cuh"

/*
 * Attention for f32, and for head dimensions and addresses that the tile kernels cannot take: fp32 arithmetic, one warp per row,
 * 32 rows of the other side a step. Dynamic shared memory: four warps times two rows of headDim floats.
 */

namespace offload {
namespace {

constexpr int kWarps = 4;
constexpr std::uint32_t kAll = 0xffffffffU;

__device__ __forceinline__ float largestOfWarp(float x) {
  for (int step = 16; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(kAll, x, step));
  return x;
}
__device__ __forceinline__ float sumOfWarp(float x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(kAll, x, step);
  return x;
}

template <class E>
__device__ __forceinline__ float dot(const float* left, const E* right, std::uint32_t count) {
  float sum = 0;
  for (std::uint32_t d = 0; d < count; ++d) sum = fmaf(left[d], toFloat(right[d]), sum);
  return sum;
}

/// The row of this warp: index in [0, batch * heads * seq), the last rows (which see the most keys) first.
struct RowOfWarp {
  std::uint32_t batch, head, row;
  bool exists;

  __device__ __forceinline__ RowOfWarp(const AttentionArguments& call, std::uint32_t heads) {
    const std::uint64_t index = static_cast<std::uint64_t>(blockIdx.x) * kWarps + threadIdx.x / 32;
    const std::uint64_t streams = static_cast<std::uint64_t>(call.batch) * heads;
    exists = index < streams * call.seq;
    row = exists ? call.seq - 1 - static_cast<std::uint32_t>(index / streams) : 0;
    batch = static_cast<std::uint32_t>(index % streams / heads);
    head = static_cast<std::uint32_t>(index % heads);
  }
};

template <class E>
__device__ __forceinline__ void attendForwardPlain(const AttentionArguments& call) {
  extern __shared__ float shared[];
  const int lane = threadIdx.x % 32;
  float* query = shared + threadIdx.x / 32 * 2 * call.headDim;
  float* out = query + call.headDim;
  const RowOfWarp mine(call, call.heads);
  if (!mine.exists) return;
  const AttentionHead place(call, mine.batch, mine.head);
  const E* key = at<const E>(call.key) + place.keyBase;
  const E* value = at<const E>(call.value) + place.keyBase;
  const std::uint64_t rowOffset = place.queryBase + mine.row * place.queryStride;
  for (std::uint32_t d = lane; d < call.headDim; d += 32) {
    query[d] = toFloat(at<const E>(call.query)[rowOffset + d]) * call.scale;
    out[d] = 0;
  }
  __syncwarp();
  float largest = -INFINITY;
  float sum = 0;
  for (std::uint32_t first = 0; first <= mine.row; first += 32) {
    const bool isVisible = first + lane <= mine.row;
    const float score = isVisible ? dot(query, key + (first + lane) * place.keyStride, call.headDim) : -INFINITY;
    const float newLargest = fmaxf(largest, largestOfWarp(score));
    const float shrink = expf(largest - newLargest);
    const float weight = expf(score - newLargest);
    largest = newLargest;
    sum = sum * shrink + sumOfWarp(weight);
    const std::uint32_t count = min(32U, mine.row + 1 - first);
    for (std::uint32_t d0 = 0; d0 < call.headDim; d0 += 32) {
      const std::uint32_t d = d0 + lane;
      float total = 0;
      for (std::uint32_t j = 0; j < count; ++j) {
        const float factor = __shfl_sync(kAll, weight, static_cast<int>(j));
        if (d < call.headDim) total = fmaf(factor, toFloat(value[(first + j) * place.keyStride + d]), total);
      }
      if (d < call.headDim) out[d] = out[d] * shrink + total;
    }
  }
  for (std::uint32_t d = lane; d < call.headDim; d += 32) at<E>(call.out)[rowOffset + d] = fromFloat<E>(out[d] / sum);
  if (lane == 0) at<float>(call.logSumExp)[place.rowBase + mine.row] = largest + logf(sum);
}

template <class E>
__device__ __forceinline__ void computeDeltaPlain(const AttentionArguments& call) {
  const int lane = threadIdx.x % 32;
  const RowOfWarp mine(call, call.heads);
  if (!mine.exists) return;
  const AttentionHead place(call, mine.batch, mine.head);
  const std::uint64_t offset = place.queryBase + mine.row * place.queryStride;
  float sum = 0;
  for (std::uint32_t d = lane; d < call.headDim; d += 32) {
    sum = fmaf(toFloat(at<const E>(call.gradOut)[offset + d]), toFloat(at<const E>(call.out)[offset + d]), sum);
  }
  sum = sumOfWarp(sum);
  if (lane == 0) at<float>(call.delta)[place.rowBase + mine.row] = sum;
}

template <class E>
__device__ __forceinline__ void attendBackwardQueriesPlain(const AttentionArguments& call) {
  extern __shared__ float shared[];
  const int lane = threadIdx.x % 32;
  float* query = shared + threadIdx.x / 32 * 2 * call.headDim;
  float* gradOut = query + call.headDim;
  const RowOfWarp mine(call, call.heads);
  if (!mine.exists) return;
  const AttentionHead place(call, mine.batch, mine.head);
  const E* key = at<const E>(call.key) + place.keyBase;
  const E* value = at<const E>(call.value) + place.keyBase;
  const std::uint64_t rowOffset = place.queryBase + mine.row * place.queryStride;
  for (std::uint32_t d = lane; d < call.headDim; d += 32) {
    query[d] = toFloat(at<const E>(call.query)[rowOffset + d]) * call.scale;
    gradOut[d] = toFloat(at<const E>(call.gradOut)[rowOffset + d]);
  }
  __syncwarp();
  const float shift = at<const float>(call.logSumExp)[place.rowBase + mine.row];
  const float delta = at<const float>(call.delta)[place.rowBase + mine.row];
  // 32 columns of the gradient at a time; the scores are computed anew for each.
  for (std::uint32_t d0 = 0; d0 < call.headDim; d0 += 32) {
    const std::uint32_t d = d0 + lane;
    float total = 0;
    for (std::uint32_t first = 0; first <= mine.row; first += 32) {
      float gradScore = 0;
      if (first + lane <= mine.row) {
        const std::uint64_t offset = (first + lane) * place.keyStride;
        const float weight = expf(dot(query, key + offset, call.headDim) - shift);
        gradScore = weight * (dot(gradOut, value + offset, call.headDim) - delta);
      }
      const std::uint32_t count = min(32U, mine.row + 1 - first);
      for (std::uint32_t j = 0; j < count; ++j) {
        const float factor = __shfl_sync(kAll, gradScore, static_cast<int>(j));
        if (d < call.headDim) total = fmaf(factor, toFloat(key[(first + j) * place.keyStride + d]), total);
      }
    }
    if (d < call.headDim) at<E>(call.gradQuery)[rowOffset + d] = fromFloat<E>(total * call.scale);
  }
}

template <class E>
__device__ __forceinline__ void attendBackwardKeysPlain(const AttentionArguments& call) {
  extern __shared__ float shared[];
  const int lane = threadIdx.x % 32;
  float* key = shared + threadIdx.x / 32 * 2 * call.headDim;
  float* value = key + call.headDim;
  const RowOfWarp mine(call, call.keyValueHeads);
  if (!mine.exists) return;
  const std::uint32_t group = call.heads / call.keyValueHeads;
  const AttentionHead keyPlace(call, mine.batch, mine.head * group);
  const std::uint64_t rowOffset = keyPlace.keyBase + mine.row * keyPlace.keyStride;
  for (std::uint32_t d = lane; d < call.headDim; d += 32) {
    key[d] = toFloat(at<const E>(call.key)[rowOffset + d]) * call.scale;
    value[d] = toFloat(at<const E>(call.value)[rowOffset + d]);
  }
  __syncwarp();
  for (std::uint32_t d0 = 0; d0 < call.headDim; d0 += 32) {
    const std::uint32_t d = d0 + lane;
    float totalKey = 0;
    float totalValue = 0;
    for (std::uint32_t head = mine.head * group; head < (mine.head + 1) * group; ++head) {
      const AttentionHead place(call, mine.batch, head);
      const E* query = at<const E>(call.query) + place.queryBase;
      const E* gradOut = at<const E>(call.gradOut) + place.queryBase;
      for (std::uint32_t first = mine.row; first < call.seq; first += 32) {
        float weight = 0;
        float gradScore = 0;
        if (first + lane < call.seq) {
          const std::uint64_t offset = (first + lane) * place.queryStride;
          const std::uint64_t row = place.rowBase + first + lane;
          weight = expf(dot(key, query + offset, call.headDim) - at<const float>(call.logSumExp)[row]);
          gradScore = weight * (dot(value, gradOut + offset, call.headDim) - at<const float>(call.delta)[row]);
        }
        const std::uint32_t count = min(32U, call.seq - first);
        for (std::uint32_t j = 0; j < count; ++j) {
          const float valueFactor = __shfl_sync(kAll, weight, static_cast<int>(j));
          const float keyFactor = __shfl_sync(kAll, gradScore, static_cast<int>(j));
          if (d >= call.headDim) continue;
          totalValue = fmaf(valueFactor, toFloat(gradOut[(first + j) * place.queryStride + d]), totalValue);
          totalKey = fmaf(keyFactor, toFloat(query[(first + j) * place.queryStride + d]), totalKey);
        }
      }
    }
    if (d >= call.headDim) continue;
    at<E>(call.gradKey)[rowOffset + d] = fromFloat<E>(totalKey * call.scale);
    at<E>(call.gradValue)[rowOffset + d] = fromFloat<E>(totalValue);
  }
}

}  // namespace
}  // namespace offload

#define OFFLOAD_ATTENTION_PLAIN(NAME, FUNCTION)                                                                                \
  extern "C" __global__ void __launch_bounds__(128) NAME##_bf16(const offload::AttentionArguments call) {                       \
    offload::FUNCTION<offload::Bf16>(call);                                                                                     \
  }                                                                                                                             \
  extern "C" __global__ void __launch_bounds__(128) NAME##_f32(const offload::AttentionArguments call) { offload::FUNCTION<float>(call); }

OFFLOAD_ATTENTION_PLAIN(attention_forward_plain, attendForwardPlain)
OFFLOAD_ATTENTION_PLAIN(attention_delta_plain, computeDeltaPlain)
OFFLOAD_ATTENTION_PLAIN(attention_backward_keys_plain, attendBackwardKeysPlain)
OFFLOAD_ATTENTION_PLAIN(attention_backward_queries_plain, attendBackwardQueriesPlain)
