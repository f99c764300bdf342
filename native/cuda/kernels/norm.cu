#include "element.cuh"
#include "reduce.cuh"

/*
 * RMS norm. `Lanes` threads share a row, a power of two up to 256; a block of 256 threads takes 256 / Lanes rows.
 */

namespace offload {
namespace {

constexpr int kThreads = 256;

/// The sum over the threads of a row.
template <int Lanes>
__device__ __forceinline__ float sumOfRow(float value, float* partials) {
  if constexpr (Lanes <= 32) return sumOfLanes<Lanes>(value);
  value = sumOfLanes<32>(value);
  if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = value;
  __syncthreads();
  constexpr int warps = Lanes / 32;
  const int first = threadIdx.x / Lanes * warps;
  float sum = 0;
#pragma unroll
  for (int warp = 0; warp < warps; ++warp) sum += partials[first + warp];
  return sum;
}

template <class E, int N, int Lanes>
__device__ __forceinline__ void forwardRow(std::uint64_t input, std::uint64_t weight, std::uint64_t input32, std::uint64_t rstds,
                                           std::uint64_t normalised, std::uint64_t out, std::uint64_t rows, std::uint32_t width, float eps) {
  __shared__ float partials[kThreads / 32];
  const std::uint64_t row = static_cast<std::uint64_t>(blockIdx.x) * (kThreads / Lanes) + threadIdx.x / Lanes;
  const std::uint32_t lane = threadIdx.x % Lanes;
  const std::uint64_t base = row * width;
  float squares = 0;
  if (row < rows) {
    for (std::uint32_t j = N * lane; j < width; j += N * Lanes) {
      float x[N];
      loadPack<N>(at<const E>(input) + base + j, x);
      storePack<N>(at<float>(input32) + base + j, x);
#pragma unroll
      for (int i = 0; i < N; ++i) squares += x[i] * x[i];
    }
  }
  const float rstd = 1.0F / sqrtf(sumOfRow<Lanes>(squares, partials) / static_cast<float>(width) + eps);
  if (row >= rows) return;
  if (lane == 0) at<float>(rstds)[row] = rstd;
  for (std::uint32_t j = N * lane; j < width; j += N * Lanes) {
    float x[N];
    float w[N];
    // The row again, from the cache.
    loadPack<N>(at<const E>(input) + base + j, x);
    loadPack<N>(at<const E>(weight) + j, w);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      x[i] = throughElement<E>(x[i] * rstd);
      w[i] *= x[i];
    }
    storePack<N>(at<E>(normalised) + base + j, x);
    storePack<N>(at<E>(out) + base + j, w);
  }
}

template <class E, int N, int Lanes>
__device__ __forceinline__ void backwardRow(std::uint64_t gradOut, std::uint64_t weight, std::uint64_t input32, std::uint64_t rstds,
                                            std::uint64_t gradInput, std::uint64_t rows, std::uint32_t width) {
  __shared__ float partials[kThreads / 32];
  const std::uint64_t row = static_cast<std::uint64_t>(blockIdx.x) * (kThreads / Lanes) + threadIdx.x / Lanes;
  const std::uint32_t lane = threadIdx.x % Lanes;
  const std::uint64_t base = row * width;
  float products = 0;
  if (row < rows) {
    for (std::uint32_t j = N * lane; j < width; j += N * Lanes) {
      float g[N];
      float w[N];
      float x[N];
      loadPack<N>(at<const E>(gradOut) + base + j, g);
      loadPack<N>(at<const E>(weight) + j, w);
      loadPack<N>(at<const float>(input32) + base + j, x);
#pragma unroll
      for (int i = 0; i < N; ++i) products += g[i] * w[i] * x[i];
    }
  }
  const float mean = sumOfRow<Lanes>(products, partials) / static_cast<float>(width);
  if (row >= rows) return;
  const float rstd = at<const float>(rstds)[row];
  const float factor = rstd * rstd * rstd * mean;
  for (std::uint32_t j = N * lane; j < width; j += N * Lanes) {
    float g[N];
    float w[N];
    float x[N];
    loadPack<N>(at<const E>(gradOut) + base + j, g);
    loadPack<N>(at<const E>(weight) + j, w);
    loadPack<N>(at<const float>(input32) + base + j, x);
#pragma unroll
    for (int i = 0; i < N; ++i) g[i] = rstd * (g[i] * w[i]) - x[i] * factor;
    storePack<N>(at<E>(gradInput) + base + j, g);
  }
}

/// Calls `row` with the number of lanes as a compile-time constant.
template <class Row>
__device__ __forceinline__ void withLanes(std::uint32_t lanes, const Row& row) {
  switch (lanes) {
    case 8: return row.template operator()<8>();
    case 16: return row.template operator()<16>();
    case 32: return row.template operator()<32>();
    case 128: return row.template operator()<128>();
    default: return row.template operator()<256>();
  }
}

template <class E>
__device__ __forceinline__ void rmsNormForwardOf(std::uint64_t input, std::uint64_t weight, std::uint64_t input32, std::uint64_t rstds,
                                                 std::uint64_t normalised, std::uint64_t out, std::uint64_t rows, std::uint32_t width,
                                                 float eps, std::uint32_t lanes) {
  if (width % 8 != 0) return forwardRow<E, 1, 32>(input, weight, input32, rstds, normalised, out, rows, width, eps);
  withLanes(lanes, [&]<int Lanes>() { forwardRow<E, 8, Lanes>(input, weight, input32, rstds, normalised, out, rows, width, eps); });
}

template <class E>
__device__ __forceinline__ void rmsNormBackwardOf(std::uint64_t gradOut, std::uint64_t weight, std::uint64_t input32, std::uint64_t rstds,
                                                  std::uint64_t gradInput, std::uint64_t rows, std::uint32_t width, std::uint32_t lanes) {
  if (width % 8 != 0) return backwardRow<E, 1, 32>(gradOut, weight, input32, rstds, gradInput, rows, width);
  withLanes(lanes, [&]<int Lanes>() { backwardRow<E, 8, Lanes>(gradOut, weight, input32, rstds, gradInput, rows, width); });
}

}  // namespace
}  // namespace offload

/// lanes: threads of a row; 32 where width is no multiple of 8.
OFFLOAD_ELEMENT_KERNELS(rmsNormForward,
                        (std::uint64_t input, std::uint64_t weight, std::uint64_t input32, std::uint64_t rstds, std::uint64_t normalised,
                         std::uint64_t out, std::uint64_t rows, std::uint32_t width, float eps, std::uint32_t lanes),
                        (input, weight, input32, rstds, normalised, out, rows, width, eps, lanes))

OFFLOAD_ELEMENT_KERNELS(rmsNormBackward,
                        (std::uint64_t gradOut, std::uint64_t weight, std::uint64_t input32, std::uint64_t rstds, std::uint64_t gradInput,
                         std::uint64_t rows, std::uint32_t width, std::uint32_t lanes),
                        (gradOut, weight, input32, rstds, gradInput, rows, width, lanes))
