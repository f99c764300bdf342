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

/// `word` of `bytes` bytes from `input`, the tail padded with zeros.
__device__ std::uint64_t wordAt(const unsigned char* input, std::uint64_t bytes, std::uint64_t word) {
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < 8 && 8 * word + i < bytes; ++i) value |= static_cast<std::uint64_t>(input[8 * word + i]) << (8 * i);
  return value;
}

constexpr int kChecksumThreads = 256;

template <class E>
__device__ __forceinline__ void fillConstantOf(std::uint64_t out, std::uint64_t count, float value) {
  forOwnPack(count, [=]<int N>(std::uint64_t first) {
    float values[N];
    for (float& each : values) each = value;
    storePack<N>(at<E>(out) + first, values);
  });
}

template <class E>
__device__ __forceinline__ void fillNormalOf(std::uint64_t out, std::uint64_t count, std::uint64_t hashedSeed, float scale) {
  forOwnPack(count, [=]<int N>(std::uint64_t first) {
    float values[N];
#pragma unroll
    for (int i = 0; i < N; ++i) values[i] = static_cast<float>(centredLaneSum(hashedSeed, first + i)) * scale;
    storePack<N>(at<E>(out) + first, values);
  });
}

/// cos and sin of one (row, j): the halves of a row repeat each other.
template <class E>
__device__ __forceinline__ void rotaryTablesOf(std::uint64_t cosine, std::uint64_t sine, std::uint64_t rows, std::uint32_t seq,
                                               std::uint32_t headDim, double theta) {
  const std::uint32_t half = headDim / 2;
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= rows * half) return;
  const std::uint64_t row = i / half;
  const auto j = static_cast<std::uint32_t>(i % half);
  const double angle = static_cast<double>(row % seq) * pow(theta, -2.0 * j / headDim);
  double s;
  double c;
  sincos(angle, &s, &c);
  const std::uint64_t base = row * headDim + j;
  at<E>(cosine)[base] = at<E>(cosine)[base + half] = fromFloat<E>(static_cast<float>(c));
  at<E>(sine)[base] = at<E>(sine)[base + half] = fromFloat<E>(static_cast<float>(s));
}

}  // namespace
}  // namespace offload

OFFLOAD_ELEMENT_KERNELS(fillConstant, (std::uint64_t out, std::uint64_t count, float value), (out, count, value))

OFFLOAD_ELEMENT_KERNELS(fillNormal, (std::uint64_t out, std::uint64_t count, std::uint64_t hashedSeed, float scale),
                        (out, count, hashedSeed, scale))

OFFLOAD_ELEMENT_KERNELS(rotaryTables,
                        (std::uint64_t cosine, std::uint64_t sine, std::uint64_t rows, std::uint32_t seq, std::uint32_t headDim, double theta),
                        (cosine, sine, rows, seq, headDim, theta))

extern "C" __global__ void fillTokens(std::uint64_t out, std::uint64_t count, std::uint64_t seed, std::uint32_t vocab) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) offload::at<int>(out)[i] = static_cast<int>(offload::splitmix64(seed + i) % vocab);
}

/// Adds to `out`, which starts zeroed. The atomic sum is of integers: its order does not matter.
extern "C" __global__ void checksum(std::uint64_t input, std::uint64_t bytes, std::uint64_t out) {
  using namespace offload;
  __shared__ unsigned long long partials[kChecksumThreads / 32];
  const std::uint64_t wholeWords = bytes / 8;
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * kChecksumThreads;
  const std::uint64_t thread = static_cast<std::uint64_t>(blockIdx.x) * kChecksumThreads + threadIdx.x;
  unsigned long long sum = 0;
  for (std::uint64_t i = thread; i < wholeWords; i += step) sum += mix(at<const std::uint64_t>(input)[i] + (i + 1) * kGolden);
  if (thread == 0 && bytes % 8 != 0) sum += mix(wordAt(at<const unsigned char>(input), bytes, wholeWords) + (wholeWords + 1) * kGolden);
  sum = sumOfBlock<kChecksumThreads>(sum, partials);
  if (threadIdx.x == 0) atomicAdd(at<unsigned long long>(out), sum);
}

/// For tests of faults: the context is lost after it.
extern "C" __global__ void fault() { asm volatile("trap;"); }
