#include "element.cuh"
#include "reduce.cuh"

/*
 * Fills and checksums: integer arithmetic that gives the same bits as on any other device (native/cpu/splitmix.h).
 */

namespace offload {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

/// The finaliser of splitmix64.
__device__ __forceinline__ std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

__device__ __forceinline__ std::uint64_t splitmix64(std::uint64_t state) { return mix(state + kGolden); }

__device__ __forceinline__ int centredLaneSum(std::uint64_t hashedSeed, std::uint64_t i) {
  const std::uint64_t hash = splitmix64(hashedSeed + i);
  const std::uint64_t sum = (hash & 0xffffU) + ((hash >> 16U) & 0xffffU) + ((hash >> 32U) & 0xffffU) + (hash >> 48U);
  return static_cast<int>(sum) - 131070;
}

template <class E>
__device__ void fillConstant(E* out, std::uint64_t count, float value) {
  forOwnPack(count, [=]<int N>(std::uint64_t first) {
    float values[N];
    for (float& each : values) each = value;
    storePack<N>(out + first, values);
  });
}

template <class E>
__device__ void fillNormal(E* out, std::uint64_t count, std::uint64_t hashedSeed, float scale) {
  forOwnPack(count, [=]<int N>(std::uint64_t first) {
    float values[N];
#pragma unroll
    for (int i = 0; i < N; ++i) values[i] = static_cast<float>(centredLaneSum(hashedSeed, first + i)) * scale;
    storePack<N>(out + first, values);
  });
}

}  // namespace
}  // namespace offload

OFFLOAD_ELEMENT_KERNELS(fillConstant, offload::fillConstant, (void* out, std::uint64_t count, float value),
                        (static_cast<decltype(offload::Bf16{}, nullptr)>(nullptr)))
