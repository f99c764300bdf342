#pragma once

#include <cstdint>

/// Sums over the threads of a block in an order that depends on nothing but the block's shape.
namespace offload {

/// The sum over each group of `Lanes` neighbouring lanes, in all of them.
template <int Lanes, class T>
__device__ __forceinline__ T sumOfLanes(T value) {
#pragma unroll
  for (int step = Lanes / 2; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffU, value, step);
  return value;
}

/// The sum over the block's `Threads` threads, in all of them. `partials` has room for Threads / 32 values; callers that use it
/// again synchronise in between.
template <int Threads, class T>
__device__ __forceinline__ T sumOfBlock(T value, T* partials) {
  value = sumOfLanes<32>(value);
  if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = value;
  __syncthreads();
  T sum = 0;
#pragma unroll
  for (int warp = 0; warp < Threads / 32; ++warp) sum += partials[warp];
  return sum;
}

}  // namespace offload
