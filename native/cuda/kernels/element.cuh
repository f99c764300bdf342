#pragma once

#include <cstdint>

#include "tile_element.cuh"

/*
 * Elements of the memory-bound kernels. Such a kernel is compiled for packs of 8 elements, which it moves 16 bytes at a time,
 * and for packs of 1, for rows whose length is no multiple of 8. Only instructions of PTX 7.0 for sm_80.
 */

namespace offload {

/// Device memory as a typed pointer.
template <class T>
__device__ __forceinline__ T* at(std::uint64_t address) {
  return reinterpret_cast<T*>(address);
}

/// Two floats rounded to nearest even; `low` goes to the lower half.
__device__ __forceinline__ std::uint32_t roundedPair(float low, float high) {
  std::uint32_t pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

/// Rounded to the element type and back.
template <class E>
__device__ __forceinline__ float throughElement(float value) {
  return toFloat(fromFloat<E>(value));
}

/// `from` is aligned to 16 bytes where N is 8.
template <int N>
__device__ __forceinline__ void loadPack(const float* from, float (&out)[N]) {
  if constexpr (N == 8) {
    const float4 low = reinterpret_cast<const float4*>(from)[0];
    const float4 high = reinterpret_cast<const float4*>(from)[1];
    out[0] = low.x, out[1] = low.y, out[2] = low.z, out[3] = low.w;
    out[4] = high.x, out[5] = high.y, out[6] = high.z, out[7] = high.w;
  } else {
    for (int i = 0; i < N; ++i) out[i] = from[i];
  }
}

template <int N>
__device__ __forceinline__ void loadPack(const Bf16* from, float (&out)[N]) {
  if constexpr (N == 8) {
    const uint4 pairs = *reinterpret_cast<const uint4*>(from);
    const std::uint32_t words[4] = {pairs.x, pairs.y, pairs.z, pairs.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      out[2 * i] = __uint_as_float(words[i] << 16);
      out[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000U);
    }
  } else {
    for (int i = 0; i < N; ++i) out[i] = toFloat(from[i]);
  }
}

template <int N>
__device__ __forceinline__ void storePack(float* to, const float (&values)[N]) {
  if constexpr (N == 8) {
    reinterpret_cast<float4*>(to)[0] = make_float4(values[0], values[1], values[2], values[3]);
    reinterpret_cast<float4*>(to)[1] = make_float4(values[4], values[5], values[6], values[7]);
  } else {
    for (int i = 0; i < N; ++i) to[i] = values[i];
  }
}

template <int N>
__device__ __forceinline__ void storePack(Bf16* to, const float (&values)[N]) {
  if constexpr (N == 8) {
    *reinterpret_cast<uint4*>(to) = make_uint4(roundedPair(values[0], values[1]), roundedPair(values[2], values[3]),
                                               roundedPair(values[4], values[5]), roundedPair(values[6], values[7]));
  } else {
    for (int i = 0; i < N; ++i) to[i] = fromFloat<Bf16>(values[i]);
  }
}

/// Calls `body(first, N as a compile-time constant)` for this thread's pack of `count` elements, element by element at the end.
template <class Body>
__device__ __forceinline__ void forOwnPack(std::uint64_t count, const Body& body) {
  const std::uint64_t first = 8 * (static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x);
  if (first + 8 <= count) {
    body.template operator()<8>(first);
    return;
  }
  for (std::uint64_t i = first; i < count; ++i) body.template operator()<1>(i);
}

}  // namespace offload

/// Entry points of a kernel for both element types, `name`Bf16 and `name`F32; both call name##Of<E>.
#define OFFLOAD_ELEMENT_KERNELS(name, parameters, arguments)                                 \
  extern "C" __global__ void name##Bf16 parameters { offload::name##Of<offload::Bf16> arguments; } \
  extern "C" __global__ void name##F32 parameters { offload::name##Of<float> arguments; }
