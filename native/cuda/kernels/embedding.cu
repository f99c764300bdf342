#include "element.cuh"

/*
 * Rows of the embedding table by token id, and their gradients. Ids outside the table read as zeros and get no gradient.
 */

namespace offload {
namespace {

constexpr int kThreads = 256;

/// One block a row of the output.
template <class E, int N>
__device__ __forceinline__ void copyRow(const int* ids, const E* table, E* out, std::uint32_t hidden, std::uint32_t vocab) {
  const std::uint64_t row = blockIdx.x;
  const auto id = static_cast<std::uint32_t>(ids[row]);
  for (std::uint32_t j = N * threadIdx.x; j < hidden; j += N * kThreads) {
    float values[N] = {};
    if (id < vocab) loadPack<N>(table + static_cast<std::uint64_t>(id) * hidden + j, values);
    storePack<N>(out + row * hidden + j, values);
  }
}

template <class E>
__device__ __forceinline__ void embeddingForwardOf(std::uint64_t ids, std::uint64_t table, std::uint64_t out, std::uint32_t hidden,
                                                   std::uint32_t vocab) {
  if (hidden % 8 == 0) {
    copyRow<E, 8>(at<const int>(ids), at<const E>(table), at<E>(out), hidden, vocab);
  } else {
    copyRow<E, 1>(at<const int>(ids), at<const E>(table), at<E>(out), hidden, vocab);
  }
}

/// Whether an earlier row has the same id: that row's block adds for all.
__device__ __forceinline__ bool isRepeated(const int* ids, std::uint64_t row) {
  const int id = ids[row];
  for (std::uint64_t first = 0; first < row; first += kThreads) {
    const std::uint64_t other = first + threadIdx.x;
    if (__syncthreads_or(other < row && ids[other] == id)) return true;
  }
  return false;
}

/// One block a row that is the first of its id and a range of N * kThreads columns: adds the rows of that id in ascending order.
template <class E, int N>
__device__ __forceinline__ void addRows(const int* ids, const E* gradOut, E* gradTable, std::uint64_t rows, std::uint32_t hidden,
                                        std::uint32_t vocab) {
  __shared__ std::uint32_t matches[kThreads / 32];
  const std::uint64_t row = blockIdx.x;
  const int id = ids[row];
  if (static_cast<std::uint32_t>(id) >= vocab || isRepeated(ids, row)) return;
  const std::uint32_t column = N * (blockIdx.y * kThreads + threadIdx.x);
  const bool isInside = column < hidden;
  E* target = gradTable + static_cast<std::uint64_t>(id) * hidden + column;
  float sums[N] = {};
  if (isInside) loadPack<N>(target, sums);
  for (std::uint64_t first = row / kThreads * kThreads; first < rows; first += kThreads) {
    const std::uint64_t other = first + threadIdx.x;
    const std::uint32_t ballot = __ballot_sync(0xffffffffU, other >= row && other < rows && ids[other] == id);
    if (threadIdx.x % 32 == 0) matches[threadIdx.x / 32] = ballot;
    __syncthreads();
    for (int word = 0; word < kThreads / 32; ++word) {
      for (std::uint32_t left = matches[word]; left != 0; left &= left - 1) {
        if (!isInside) continue;
        float grad[N];
        loadPack<N>(gradOut + (first + 32 * word + __ffs(static_cast<int>(left)) - 1) * hidden + column, grad);
#pragma unroll
        for (int i = 0; i < N; ++i) sums[i] += grad[i];
      }
    }
    __syncthreads();
  }
  if (isInside) storePack<N>(target, sums);
}

template <class E>
__device__ __forceinline__ void embeddingBackwardOf(std::uint64_t ids, std::uint64_t gradOut, std::uint64_t gradTable, std::uint64_t rows,
                                                    std::uint32_t hidden, std::uint32_t vocab) {
  if (hidden % 8 == 0) {
    addRows<E, 8>(at<const int>(ids), at<const E>(gradOut), at<E>(gradTable), rows, hidden, vocab);
  } else {
    addRows<E, 1>(at<const int>(ids), at<const E>(gradOut), at<E>(gradTable), rows, hidden, vocab);
  }
}

}  // namespace
}  // namespace offload

OFFLOAD_ELEMENT_KERNELS(embeddingForward, (std::uint64_t ids, std::uint64_t table, std::uint64_t out, std::uint32_t hidden, std::uint32_t vocab),
                        (ids, table, out, hidden, vocab))

OFFLOAD_ELEMENT_KERNELS(embeddingBackward,
                        (std::uint64_t ids, std::uint64_t gradOut, std::uint64_t gradTable, std::uint64_t rows, std::uint32_t hidden,
                         std::uint32_t vocab),
                        (ids, gradOut, gradTable, rows, hidden, vocab))
