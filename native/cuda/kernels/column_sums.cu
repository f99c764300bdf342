#include "element.cuh"

/*
 * Sums over the rows of a matrix, or of the product of two, in two steps: blocks sum ranges of rows, then one thread a column
 * adds their partial sums. Ranges depend on the shape alone, so the order of every sum does too.
 */

namespace offload {
namespace {

constexpr int kThreads = 256;

/// A block has `lanes` threads along the columns, each with a pack of N, and kThreads / lanes rows at once.
template <class E, int N>
__device__ __forceinline__ void sumRange(const E* left, const E* right, float* partials, std::uint64_t rows, std::uint64_t rowsPerBlock,
                                         std::uint32_t width, std::uint32_t lanes) {
  __shared__ float shared[kThreads * N];
  const std::uint32_t lane = threadIdx.x % lanes;
  const std::uint32_t line = threadIdx.x / lanes;
  const std::uint32_t lines = kThreads / lanes;
  const std::uint32_t column = N * (blockIdx.y * lanes + lane);
  const std::uint64_t firstRow = blockIdx.x * rowsPerBlock;
  const std::uint64_t endRow = firstRow + rowsPerBlock < rows ? firstRow + rowsPerBlock : rows;
  float sums[N] = {};
  if (column < width) {
#pragma unroll 4
    for (std::uint64_t row = firstRow + line; row < endRow; row += lines) {
      float a[N];
      loadPack<N>(left + row * width + column, a);
      if (right != nullptr) {
        float b[N];
        loadPack<N>(right + row * width + column, b);
#pragma unroll
        for (int i = 0; i < N; ++i) a[i] *= b[i];
      }
#pragma unroll
      for (int i = 0; i < N; ++i) sums[i] += a[i];
    }
  }
#pragma unroll
  for (int i = 0; i < N; ++i) shared[threadIdx.x * N + i] = sums[i];
  __syncthreads();
  if (line != 0 || column >= width) return;
  for (std::uint32_t other = 1; other < lines; ++other) {
#pragma unroll
    for (int i = 0; i < N; ++i) sums[i] += shared[(other * lanes + lane) * N + i];
  }
  storePack<N>(partials + static_cast<std::uint64_t>(blockIdx.x) * width + column, sums);
}

template <class E>
__device__ __forceinline__ void columnSumsOf(std::uint64_t left, std::uint64_t right, std::uint64_t partials, std::uint64_t rows,
                                             std::uint64_t rowsPerBlock, std::uint32_t width, std::uint32_t lanes) {
  if (width % 8 == 0) {
    sumRange<E, 8>(at<const E>(left), at<const E>(right), at<float>(partials), rows, rowsPerBlock, width, lanes);
  } else {
    sumRange<E, 1>(at<const E>(left), at<const E>(right), at<float>(partials), rows, rowsPerBlock, width, lanes);
  }
}

template <class E>
__device__ __forceinline__ void finishColumnSumsOf(std::uint64_t partials, std::uint64_t out, std::uint32_t ranges, std::uint32_t width) {
  const std::uint32_t column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  float sum = 0;
#pragma unroll 8
  for (std::uint32_t range = 0; range < ranges; ++range) sum += at<const float>(partials)[static_cast<std::uint64_t>(range) * width + column];
  at<E>(out)[column] = fromFloat<E>(sum);
}

}  // namespace
}  // namespace offload

/// partials f32 [gridDim.x, width]; right 0 for sums of left alone; gridDim.y blocks share a row.
OFFLOAD_ELEMENT_KERNELS(columnSums,
                        (std::uint64_t left, std::uint64_t right, std::uint64_t partials, std::uint64_t rows, std::uint64_t rowsPerBlock,
                         std::uint32_t width, std::uint32_t lanes),
                        (left, right, partials, rows, rowsPerBlock, width, lanes))

OFFLOAD_ELEMENT_KERNELS(finishColumnSums, (std::uint64_t partials, std::uint64_t out, std::uint32_t ranges, std::uint32_t width),
                        (partials, out, ranges, width))
