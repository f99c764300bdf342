#include "element.cuh"
#include "reduce.cuh"

/*
 * SwiGLU, rotary, sums of two tensors, the loss, and rows filled with a bias.
 */

namespace offload {
namespace {

constexpr int kLossThreads = 256;

__device__ __forceinline__ float sigmoid(float x) { return 1.0F / (1.0F + __expf(-x)); }

template <class E>
__device__ __forceinline__ void swiGluForwardOf(std::uint64_t gate, std::uint64_t up, std::uint64_t silu, std::uint64_t product,
                                                std::uint64_t count) {
  forOwnPack(count, [=]<int N>(std::uint64_t first) {
    float g[N];
    float u[N];
    loadPack<N>(at<const E>(gate) + first, g);
    loadPack<N>(at<const E>(up) + first, u);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      g[i] = throughElement<E>(g[i] * sigmoid(g[i]));
      u[i] *= g[i];
    }
    storePack<N>(at<E>(silu) + first, g);
    storePack<N>(at<E>(product) + first, u);
  });
}

template <class E>
__device__ __forceinline__ void swiGluBackwardOf(std::uint64_t gradProduct, std::uint64_t gate, std::uint64_t up, std::uint64_t silu,
                                                 std::uint64_t gradGate, std::uint64_t gradUp, std::uint64_t count) {
  forOwnPack(count, [=]<int N>(std::uint64_t first) {
    float grad[N];
    float g[N];
    float u[N];
    float a[N];
    loadPack<N>(at<const E>(gradProduct) + first, grad);
    loadPack<N>(at<const E>(gate) + first, g);
    loadPack<N>(at<const E>(up) + first, u);
    loadPack<N>(at<const E>(silu) + first, a);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const float s = sigmoid(g[i]);
      u[i] = grad[i] * u[i] * (s * (1.0F + g[i] * (1.0F - s)));
      a[i] *= grad[i];
    }
    storePack<N>(at<E>(gradGate) + first, u);
    storePack<N>(at<E>(gradUp) + first, a);
  });
}

template <class E>
__device__ __forceinline__ void addOf(std::uint64_t left, std::uint64_t right, std::uint64_t out, std::uint64_t count) {
  forOwnPack(count, [=]<int N>(std::uint64_t first) {
    float a[N];
    float b[N];
    loadPack<N>(at<const E>(left) + first, a);
    loadPack<N>(at<const E>(right) + first, b);
#pragma unroll
    for (int i = 0; i < N; ++i) a[i] += b[i];
    storePack<N>(at<E>(out) + first, a);
  });
}

/// N pairs (j, j + half) of one head of one row.
template <class E, int N>
__device__ __forceinline__ void rotatePairs(const E* input, const E* cosine, const E* sine, E* out, std::uint32_t half, bool inverse) {
  float low[N];
  float high[N];
  float lowCosine[N];
  float highCosine[N];
  float lowSine[N];
  float highSine[N];
  loadPack<N>(input, low);
  loadPack<N>(input + half, high);
  loadPack<N>(cosine, lowCosine);
  loadPack<N>(cosine + half, highCosine);
  // The transpose takes the sine of the other half.
  loadPack<N>(sine + (inverse ? half : 0), lowSine);
  loadPack<N>(sine + (inverse ? 0 : half), highSine);
  const float sign = inverse ? -1.0F : 1.0F;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const float rotated = low[i] * lowCosine[i] - sign * high[i] * lowSine[i];
    high[i] = high[i] * highCosine[i] + sign * low[i] * highSine[i];
    low[i] = rotated;
  }
  storePack<N>(out, low);
  storePack<N>(out + half, high);
}

template <class E>
__device__ __forceinline__ void rotaryOf(std::uint64_t input, std::uint64_t cosine, std::uint64_t sine, std::uint64_t out,
                                         std::uint64_t rows, std::uint32_t heads, std::uint32_t headDim, std::uint32_t inverse) {
  const std::uint32_t half = headDim / 2;
  const std::uint32_t pack = half % 8 == 0 ? 8 : 1;
  const std::uint32_t packs = half / pack;
  const std::uint64_t index = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= rows * heads * packs) return;
  const auto j = static_cast<std::uint32_t>(index % packs) * pack;
  const std::uint64_t vector = index / packs;
  const std::uint64_t table = vector / heads * headDim + j;
  const std::uint64_t place = vector * headDim + j;
  const auto rotate = [&]<int N>() {
    rotatePairs<E, N>(at<const E>(input) + place, at<const E>(cosine) + table, at<const E>(sine) + table, at<E>(out) + place, half,
                      inverse != 0);
  };
  if (pack == 8) {
    rotate.template operator()<8>();
  } else {
    rotate.template operator()<1>();
  }
}

/// Each block sums a range of packs in double precision, as many as squares of fp32 need to stay exact.
template <class E>
__device__ __forceinline__ void lossForwardOf(std::uint64_t hidden, std::uint64_t hidden32, std::uint64_t partials, std::uint64_t count) {
  __shared__ double shared[kLossThreads / 32];
  double sum = 0;
  const auto take = [&]<int N>(std::uint64_t first) {
    float x[N];
    loadPack<N>(at<const E>(hidden) + first, x);
    storePack<N>(at<float>(hidden32) + first, x);
#pragma unroll
    for (int i = 0; i < N; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  };
  const std::uint64_t step = 8ULL * gridDim.x * kLossThreads;
  for (std::uint64_t first = 8 * (static_cast<std::uint64_t>(blockIdx.x) * kLossThreads + threadIdx.x); first < count; first += step) {
    if (first + 8 <= count) {
      take.template operator()<8>(first);
    } else {
      for (std::uint64_t i = first; i < count; ++i) take.template operator()<1>(i);
    }
  }
  sum = sumOfBlock<kLossThreads>(sum, shared);
  if (threadIdx.x == 0) at<double>(partials)[blockIdx.x] = sum;
}

template <class E>
__device__ __forceinline__ void lossBackwardOf(std::uint64_t hidden32, std::uint64_t gradHidden, std::uint64_t count, float factor) {
  forOwnPack(count, [=]<int N>(std::uint64_t first) {
    float x[N];
    loadPack<N>(at<const float>(hidden32) + first, x);
#pragma unroll
    for (int i = 0; i < N; ++i) x[i] *= factor;
    storePack<N>(at<E>(gradHidden) + first, x);
  });
}

/// One thread an element: the matrix product that follows costs much more.
template <class E>
__device__ __forceinline__ void biasRowsOf(std::uint64_t bias, std::uint64_t out, std::uint64_t count, std::uint32_t width) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) at<E>(out)[i] = at<const E>(bias)[i % width];
}

}  // namespace
}  // namespace offload

OFFLOAD_ELEMENT_KERNELS(swiGluForward, (std::uint64_t gate, std::uint64_t up, std::uint64_t silu, std::uint64_t product, std::uint64_t count),
                        (gate, up, silu, product, count))

OFFLOAD_ELEMENT_KERNELS(swiGluBackward,
                        (std::uint64_t gradProduct, std::uint64_t gate, std::uint64_t up, std::uint64_t silu, std::uint64_t gradGate,
                         std::uint64_t gradUp, std::uint64_t count),
                        (gradProduct, gate, up, silu, gradGate, gradUp, count))

OFFLOAD_ELEMENT_KERNELS(add, (std::uint64_t left, std::uint64_t right, std::uint64_t out, std::uint64_t count), (left, right, out, count))

OFFLOAD_ELEMENT_KERNELS(rotary,
                        (std::uint64_t input, std::uint64_t cosine, std::uint64_t sine, std::uint64_t out, std::uint64_t rows,
                         std::uint32_t heads, std::uint32_t headDim, std::uint32_t inverse),
                        (input, cosine, sine, out, rows, heads, headDim, inverse))

/// partials: one double a block.
OFFLOAD_ELEMENT_KERNELS(lossForward, (std::uint64_t hidden, std::uint64_t hidden32, std::uint64_t partials, std::uint64_t count),
                        (hidden, hidden32, partials, count))

OFFLOAD_ELEMENT_KERNELS(lossBackward, (std::uint64_t hidden32, std::uint64_t gradHidden, std::uint64_t count, float factor),
                        (hidden32, gradHidden, count, factor))

OFFLOAD_ELEMENT_KERNELS(biasRows, (std::uint64_t bias, std::uint64_t out, std::uint64_t count, std::uint32_t width), (bias, out, count, width))

/// One block.
extern "C" __global__ void finishLoss(std::uint64_t partials, std::uint32_t ranges, std::uint64_t loss, std::uint64_t count) {
  using namespace offload;
  __shared__ double shared[kLossThreads / 32];
  double sum = 0;
  for (std::uint32_t range = threadIdx.x; range < ranges; range += kLossThreads) sum += at<const double>(partials)[range];
  sum = sumOfBlock<kLossThreads>(sum, shared);
  if (threadIdx.x == 0) *at<float>(loss) = static_cast<float>(sum / static_cast<double>(count));
}
