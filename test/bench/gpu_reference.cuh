#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/*
 * Inputs and slow references of gpu_kernels.cu: products and softmax in fp32, a block at a time, without any code of the kernels.
 */

namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

__device__ std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Roughly normal values rounded to bf16, and the same as floats.
__global__ void fill(std::uint16_t* bf16, float* f32, std::uint64_t count, std::uint64_t seed, float deviation) {
  for (std::uint64_t i = blockIdx.x * 256ULL + threadIdx.x; i < count; i += 256ULL * gridDim.x) {
    const std::uint64_t bits = mix(seed * 0x9e3779b97f4a7c15ULL + i);
    float sum = 0;
    for (int lane = 0; lane < 4; ++lane) sum += static_cast<float>((bits >> (16 * lane)) & 0xffff) / 65536.0F - 0.5F;
    const std::uint32_t rounded = (__float_as_uint(sum * 1.732F * deviation) + 0x8000U) & 0xffff0000U;
    bf16[i] = static_cast<std::uint16_t>(rounded >> 16);
    f32[i] = __uint_as_float(rounded);
  }
}

/// out(i, j) = scale * sum over k of left(i, k) right(k, j) (+ out), by strides.
__global__ void multiply(const float* left, std::uint64_t leftRow, std::uint64_t leftK, const float* right, std::uint64_t rightK,
                         std::uint64_t rightColumn, float* out, std::uint64_t outRow, int rows, int columns, int depth, float scale,
                         bool accumulate) {
  __shared__ float a[16][17];
  __shared__ float b[16][17];
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < depth; k += 16) {
    const int ka = k + threadIdx.x;
    const int kb = k + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = row < rows && ka < depth ? left[row * leftRow + ka * leftK] : 0;
    b[threadIdx.y][threadIdx.x] = column < columns && kb < depth ? right[kb * rightK + column * rightColumn] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
    __syncthreads();
  }
  if (row >= rows || column >= columns) return;
  float& to = out[row * outRow + column];
  to = scale * sum + (accumulate ? to : 0);
}

/// scores [seq, seq] become causal weights; a block a row.
__global__ void softmax(float* scores, float* logSumExp, int seq) {
  __shared__ float shared[256];
  float* row = scores + static_cast<std::uint64_t>(blockIdx.x) * seq;
  const int visible = blockIdx.x + 1;
  float largest = -INFINITY;
  for (int j = threadIdx.x; j < visible; j += 256) largest = fmaxf(largest, row[j]);
  shared[threadIdx.x] = largest;
  __syncthreads();
  for (int i = 0; i < 256; ++i) largest = fmaxf(largest, shared[i]);
  __syncthreads();
  float sum = 0;
  for (int j = threadIdx.x; j < visible; j += 256) sum += expf(row[j] - largest);
  shared[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 256; ++i) sum += shared[i];
  for (int j = threadIdx.x; j < seq; j += 256) row[j] = j < visible ? expf(row[j] - largest) / sum : 0;
  if (threadIdx.x == 0) logSumExp[blockIdx.x] = largest + logf(sum);
}

/// gradWeights become gradScores: weights * (gradWeights - sum of weights * gradWeights).
__global__ void softmaxBackward(const float* weights, float* grad, int seq) {
  __shared__ float shared[256];
  const std::uint64_t offset = static_cast<std::uint64_t>(blockIdx.x) * seq;
  float sum = 0;
  for (int j = threadIdx.x; j < seq; j += 256) sum += weights[offset + j] * grad[offset + j];
  shared[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 256; ++i) sum += shared[i];
  for (int j = threadIdx.x; j < seq; j += 256) grad[offset + j] = weights[offset + j] * (grad[offset + j] - sum);
}

struct Strides {
  std::uint64_t first;
  std::uint64_t second;
};
void multiply(const float* left, Strides l, const float* right, Strides r, float* out, std::uint64_t outRow, int rows, int columns,
              int depth, float scale, bool accumulate) {
  const dim3 grid((columns + 15) / 16, (rows + 15) / 16);
  multiply<<<grid, dim3(16, 16)>>>(left, l.first, l.second, right, r.first, r.second, out, outRow, rows, columns, depth, scale, accumulate);
  check(cudaGetLastError(), "reference");
}

}  // namespace
