#pragma once

#include <cstdint>

namespace offload {

/// Storage of a bf16 in kernels without tensor cores.
struct Bf16 {
  std::uint16_t bits;
};

__device__ __forceinline__ float toFloat(float value) { return value; }
__device__ __forceinline__ float toFloat(Bf16 value) { return __uint_as_float(static_cast<std::uint32_t>(value.bits) << 16); }

template <class E>
__device__ __forceinline__ E fromFloat(float value);
template <>
__device__ __forceinline__ float fromFloat<float>(float value) {
  return value;
}
template <>
__device__ __forceinline__ Bf16 fromFloat<Bf16>(float value) {
  std::uint32_t packed;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(0.0F), "f"(value));
  return Bf16{static_cast<std::uint16_t>(packed)};
}

}  // namespace offload
