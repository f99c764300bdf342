// Correctness and speed of the tile kernels on a GPU, outside the engine.
//
//   for k in native/cuda/kernels/{attention,matrix_product}*.cu; do
//     nvcc -std=c++20 -gencode arch=compute_90a,code=sm_90a -cubin -o build/$(basename $k .cu).cubin $k; done
//   nvcc -std=c++20 -O2 -arch=sm_90 -Inative -o build/gpu_kernels test/bench/gpu_kernels.cu
//   build/gpu_kernels [--portable] [--times | --checks] build/*.cubin
//
// Every result is compared with products in fp32 of the same bf16 inputs that share no code with the kernels, and with a second
// run bit by bit. `--portable` leaves the kernels for sm_90a out; `--times` measures only, `--checks` compares small cases only (for
// compute-sanitizer). Exit status 1 when a result is wrong.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cuda/kernels/attention_launch.h"
#include "cuda/kernels/matrix_product_launch.h"
#include "gpu_reference.cuh"

using namespace offload;

namespace {

std::map<std::string, cudaKernel_t> kernels;
TileTarget target{.hopper = true};
bool allRight = true;

/// Keeps kernels of earlier files.
void loadKernels(const char* path) {
  cudaLibrary_t library{};
  check(cudaLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0), path);
  unsigned count = 0;
  check(cudaLibraryGetKernelCount(&count, library), path);
  std::vector<cudaKernel_t> found(count);
  check(cudaLibraryEnumerateKernels(found.data(), count, library), path);
  for (const cudaKernel_t kernel : found) {
    const char* name = nullptr;
    check(cudaFuncGetName(&name, reinterpret_cast<const void*>(kernel)), path);
    kernels.emplace(name, kernel);
  }
}

cudaKernel_t findKernel(const char* name) {
  const auto found = kernels.find(name);
  if (found != kernels.end()) return found->second;
  std::fprintf(stderr, "no kernel %s\n", name);
  std::exit(2);
}

void launch(const TileLaunches& launches) {
  for (const TileLaunch& one : launches) {
    const void* kernel = reinterpret_cast<const void*>(findKernel(one.kernel));
    if (one.sharedBytes > 48 * 1024) {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(one.sharedBytes)), one.kernel);
    }
    void* arguments[] = {const_cast<std::byte*>(one.arguments.data())};
    check(cudaLaunchKernel(kernel, dim3(one.gridX, one.gridY), dim3(one.threads), arguments, one.sharedBytes, nullptr), one.kernel);
  }
}

/// Device memory, never given back: the program is short.
template <class T>
T* allocate(std::uint64_t count) {
  void* pointer = nullptr;
  check(cudaMalloc(&pointer, std::max<std::uint64_t>(count * sizeof(T), 256)), "cudaMalloc");
  check(cudaMemset(pointer, 0xff, count * sizeof(T)), "cudaMemset");
  return static_cast<T*>(pointer);
}
template <class T>
std::uint64_t addressOf(T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

struct Tensor {
  std::uint64_t count;
  std::uint16_t* bf16;
  float* f32;

  explicit Tensor(std::uint64_t n) : count(n), bf16(allocate<std::uint16_t>(n)), f32(allocate<float>(n)) {}
  Tensor(std::uint64_t n, std::uint64_t seed, float deviation) : Tensor(n) { fill<<<1024, 256>>>(bf16, f32, n, seed, deviation); }
  void release() {
    cudaFree(bf16);
    cudaFree(f32);
  }
};

/// ||got - expected|| / ||expected||; infinite for a value that is not finite.
double relativeError(const std::vector<float>& got, const std::vector<float>& expected) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!std::isfinite(got[i])) return INFINITY;
    difference += (static_cast<double>(got[i]) - expected[i]) * (static_cast<double>(got[i]) - expected[i]);
    norm += static_cast<double>(expected[i]) * expected[i];
  }
  return std::sqrt(difference / std::max(norm, 1e-30));
}
std::vector<float> floatsOf(const float* device, std::uint64_t count) {
  std::vector<float> host(count);
  check(cudaMemcpy(host.data(), device, count * 4, cudaMemcpyDefault), "copy");
  return host;
}
std::vector<std::uint16_t> bitsOf(const std::uint16_t* device, std::uint64_t count) {
  std::vector<std::uint16_t> host(count);
  check(cudaMemcpy(host.data(), device, count * 2, cudaMemcpyDefault), "copy");
  return host;
}
std::vector<float> floatsOf(const std::uint16_t* device, std::uint64_t count) {
  std::vector<float> host(count);
  const std::vector<std::uint16_t> bits = bitsOf(device, count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t word = static_cast<std::uint32_t>(bits[i]) << 16;
    std::memcpy(&host[i], &word, 4);
  }
  return host;
}

double medianMs(const std::function<void()>& work) {
  cudaEvent_t begin{};
  cudaEvent_t end{};
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> samples;
  for (int i = 0; i < 13; ++i) {
    cudaEventRecord(begin);
    work();
    cudaEventRecord(end);
    check(cudaEventSynchronize(end), "kernel");
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (i >= 3) samples.push_back(ms);
  }
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

struct AttentionCase {
  int batch, seq, heads, keyHeads, dim;
  bool compare = true;
  bool time = false;
};

void verdict(const char* what, double error, double limit) {
  const bool right = error <= limit;
  allRight = allRight && right;
  std::printf(" %s %.1e%s", what, error, right ? "" : " WRONG");
}

void runAttention(const AttentionCase& c, ElementType element) {
  const bool isBf16 = element == ElementType::bf16;
  const std::uint64_t queries = static_cast<std::uint64_t>(c.batch) * c.seq * c.heads * c.dim;
  const std::uint64_t keys = static_cast<std::uint64_t>(c.batch) * c.seq * c.keyHeads * c.dim;
  const std::uint64_t rows = static_cast<std::uint64_t>(c.batch) * c.seq * c.heads;
  std::vector<Tensor> in{{queries, 1, 2}, {keys, 2, 2}, {keys, 3, 1}, {queries, 4, 1}};
  std::vector<Tensor> out{Tensor(queries), Tensor(queries), Tensor(keys), Tensor(keys)};
  float* logSumExp = allocate<float>(rows);
  float* delta = allocate<float>(rows);
  const auto address = [&](const Tensor& t) { return isBf16 ? addressOf(t.bf16) : addressOf(t.f32); };
  const auto u = [](int value) { return static_cast<std::uint32_t>(value); };
  const AttentionForward forward{element, address(in[0]), address(in[1]), address(in[2]), address(out[0]), addressOf(logSumExp),
                                 u(c.batch), u(c.seq), u(c.heads), u(c.keyHeads), u(c.dim)};
  const AttentionBackward backward{element, address(in[3]), address(in[0]), address(in[1]), address(in[2]), address(out[0]),
                                   addressOf(logSumExp), addressOf(delta), address(out[1]), address(out[2]), address(out[3]),
                                   u(c.batch), u(c.seq), u(c.heads), u(c.keyHeads), u(c.dim)};
  std::printf("attention %s b%d s%d h%d/%d d%d:", isBf16 ? "bf16" : "f32", c.batch, c.seq, c.heads, c.keyHeads, c.dim);
  launch(attentionForwardLaunches(forward, target));
  launch(attentionBackwardLaunches(backward, target));
  check(cudaDeviceSynchronize(), "attention");
  if (c.compare) {
    const auto results = [&](const Tensor& t) { return isBf16 ? floatsOf(t.bf16, t.count) : floatsOf(t.f32, t.count); };
    std::vector<std::vector<float>> first;
    for (const Tensor& t : out) first.push_back(results(t));
    const std::vector<float> firstLog = floatsOf(logSumExp, rows);
    launch(attentionForwardLaunches(forward, target));
    launch(attentionBackwardLaunches(backward, target));
    check(cudaDeviceSynchronize(), "attention");
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (std::memcmp(results(out[i]).data(), first[i].data(), 4 * first[i].size()) == 0) continue;
      std::printf(" SECOND RUN DIFFERS");
      allRight = false;
    }
    std::vector<Tensor> expected{Tensor(queries), Tensor(queries), Tensor(keys), Tensor(keys)};
    float* expectedLog = allocate<float>(rows);
    float* weights = allocate<float>(static_cast<std::uint64_t>(c.seq) * c.seq);
    float* grads = allocate<float>(static_cast<std::uint64_t>(c.seq) * c.seq);
    const float scale = 1.0F / std::sqrt(static_cast<float>(c.dim));
    const std::uint64_t qs = static_cast<std::uint64_t>(c.heads) * c.dim;
    const std::uint64_t ks = static_cast<std::uint64_t>(c.keyHeads) * c.dim;
    const std::uint64_t s = c.seq;
    const int group = c.heads / c.keyHeads;
    for (int b = 0; b < c.batch; ++b) {
      for (int h = 0; h < c.heads; ++h) {
        const std::uint64_t q = b * s * qs + static_cast<std::uint64_t>(h) * c.dim;
        const std::uint64_t k = b * s * ks + static_cast<std::uint64_t>(h / group) * c.dim;
        const bool more = h % group != 0;
        multiply(in[0].f32 + q, {qs, 1}, in[1].f32 + k, {1, ks}, weights, s, c.seq, c.seq, c.dim, scale, false);
        softmax<<<c.seq, 256>>>(weights, expectedLog + (static_cast<std::uint64_t>(b) * c.heads + h) * s, c.seq);
        multiply(weights, {s, 1}, in[2].f32 + k, {ks, 1}, expected[0].f32 + q, qs, c.seq, c.dim, c.seq, 1, false);
        multiply(in[3].f32 + q, {qs, 1}, in[2].f32 + k, {1, ks}, grads, s, c.seq, c.seq, c.dim, 1, false);
        softmaxBackward<<<c.seq, 256>>>(weights, grads, c.seq);
        multiply(grads, {s, 1}, in[1].f32 + k, {ks, 1}, expected[1].f32 + q, qs, c.seq, c.dim, c.seq, scale, false);
        multiply(grads, {1, s}, in[0].f32 + q, {qs, 1}, expected[2].f32 + k, ks, c.seq, c.dim, c.seq, scale, more);
        multiply(weights, {1, s}, in[3].f32 + q, {qs, 1}, expected[3].f32 + k, ks, c.seq, c.dim, c.seq, 1, more);
      }
    }
    check(cudaDeviceSynchronize(), "reference");
    const char* names[] = {"out", "dq", "dk", "dv"};
    for (std::size_t i = 0; i < out.size(); ++i) {
      // One key has a softmax of exactly one: its gradients are rounding errors of zero.
      if (c.seq == 1 && (i == 1 || i == 2)) continue;
      verdict(names[i], relativeError(first[i], floatsOf(expected[i].f32, expected[i].count)), isBf16 ? 1e-2 : 1e-4);
    }
    verdict("lse", relativeError(firstLog, floatsOf(expectedLog, rows)), 1e-4);
    for (Tensor& t : expected) t.release();
    cudaFree(expectedLog);
    cudaFree(weights);
    cudaFree(grads);
  }
  if (c.time) {
    const double flops = 2.0 * c.batch * c.heads * static_cast<double>(c.seq) * c.seq * c.dim;
    const double forwardMs = medianMs([&] { launch(attentionForwardLaunches(forward, target)); });
    const double backwardMs = medianMs([&] { launch(attentionBackwardLaunches(backward, target)); });
    std::printf(" forward %.4f ms (%.0f TFLOP/s) backward %.4f ms (%.0f TFLOP/s)", forwardMs, flops / forwardMs / 1e9, backwardMs,
                2.5 * flops / backwardMs / 1e9);
    for (const TileLaunch& one : attentionBackwardLaunches(backward, target)) {
      TileLaunches single;
      single.add(one);
      std::printf(" %s %.4f", one.kernel, medianMs([&] { launch(single); }));
    }
  }
  std::printf("\n");
  std::fflush(stdout);
  for (Tensor& t : in) t.release();
  for (Tensor& t : out) t.release();
  cudaFree(logSumExp);
  cudaFree(delta);
}

struct ProductCase {
  int rows, in, out;
  bool compare = true;
  bool time = false;
};

void runProducts(const ProductCase& c, ElementType element) {
  const bool isBf16 = element == ElementType::bf16;
  const std::uint64_t s = c.rows;
  const std::uint64_t n = c.in;
  const std::uint64_t m = c.out;
  Tensor input(s * n, 5, 1), weight(m * n, 6, 1), gradOut(s * m, 7, 1), bias(m, 8, 20);
  Tensor out(s * m), gradInput(s * n), gradWeight(m * n);
  const auto address = [&](const Tensor& t) { return isBf16 ? addressOf(t.bf16) : addressOf(t.f32); };
  const std::uint32_t inWidth = c.in;
  const std::uint32_t outWidth = c.out;
  const LinearForward forward{element, address(input), address(weight), address(bias), address(out), s, inWidth, outWidth};
  const LinearBackwardInput backwardInput{element, address(gradOut), address(weight), address(gradInput), s, inWidth, outWidth};
  const LinearBackwardWeight backwardWeight{element, address(gradOut), address(input), address(gradWeight), 0, s, inWidth, outWidth};
  const TileLaunches forms[] = {linearLaunches(forward, target), linearLaunches(backwardInput, target), linearLaunches(backwardWeight, target)};
  std::printf("linear %s %d x %d -> %d:", isBf16 ? "bf16" : "f32", c.rows, c.in, c.out);
  for (const TileLaunches& form : forms) launch(form);
  check(cudaDeviceSynchronize(), "linear");
  if (c.compare) {
    const Tensor* results[] = {&out, &gradInput, &gradWeight};
    const char* names[] = {"out", "gradInput", "gradWeight"};
    float* expected = allocate<float>(std::max({s * m, s * n, m * n}));
    std::vector<float> ones(std::max(s, m), 1.0F);
    float* one = allocate<float>(ones.size());
    check(cudaMemcpy(one, ones.data(), 4 * ones.size(), cudaMemcpyDefault), "copy");
    for (int i = 0; i < 3; ++i) {
      if (i == 0) {
        multiply(one, {1, 0}, bias.f32, {0, 1}, expected, m, c.rows, c.out, 1, 1, false);
        multiply(input.f32, {n, 1}, weight.f32, {1, n}, expected, m, c.rows, c.out, c.in, 1, true);
      }
      if (i == 1) multiply(gradOut.f32, {m, 1}, weight.f32, {n, 1}, expected, n, c.rows, c.in, c.out, 1, false);
      if (i == 2) multiply(gradOut.f32, {1, m}, input.f32, {n, 1}, expected, n, c.out, c.in, c.rows, 1, false);
      check(cudaDeviceSynchronize(), "reference");
      const std::uint64_t count = results[i]->count;
      const std::vector<float> got = isBf16 ? floatsOf(results[i]->bf16, count) : floatsOf(results[i]->f32, count);
      verdict(names[i], relativeError(got, floatsOf(expected, count)), isBf16 ? 4e-3 : 1e-4);
    }
    cudaFree(expected);
    cudaFree(one);
  }
  for (const TileLaunches& form : forms) {
    if (!c.time) break;
    TileLaunches product;
    product.add(*form.begin());
    const double ms = medianMs([&] { launch(product); });
    std::printf(" %s %.4f ms (%.0f TFLOP/s)", form.begin()->kernel, ms, 2.0 * s * n * m / ms / 1e9);
  }
  std::printf("\n");
  std::fflush(stdout);
  for (Tensor* t : {&input, &weight, &gradOut, &bias, &out, &gradInput, &gradWeight}) t->release();
}

}  // namespace

int main(int count, char** words) {
  bool isTimed = true;
  bool isChecked = true;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "--portable") == 0) {
      target.hopper = false;
    } else if (std::strcmp(words[i], "--times") == 0) {
      isChecked = false;
    } else if (std::strcmp(words[i], "--checks") == 0) {
      isTimed = false;
    } else {
      loadKernels(words[i]);
    }
  }
  const AttentionCase checks[] = {{1, 1, 4, 2, 128},    {1, 17, 16, 8, 64},   {2, 1000, 16, 8, 128}, {1, 300, 4, 1, 80},
                                  {2, 257, 4, 4, 96},   {1, 515, 8, 2, 256},  {1, 130, 3, 1, 72},    {1, 200, 2, 1, 20},
                                  {2, 640, 16, 2, 64},  {1, 100, 2, 2, 192}};
  if (isChecked) {
    for (const AttentionCase& c : checks) runAttention(c, ElementType::bf16);
    runAttention({2, 150, 4, 2, 64}, ElementType::f32);
    runAttention({1, 33, 3, 1, 100}, ElementType::f32);
    for (const ProductCase& c : {ProductCase{1, 64, 128}, {17, 1000, 520}, {1000, 264, 2048}, {129, 8, 8}, {77, 130, 33}, {4097, 1024, 512}}) {
      runProducts(c, ElementType::bf16);
    }
    runProducts({100, 130, 70}, ElementType::f32);
  }
  if (isTimed) {
    if (isChecked) runAttention({1, 4097, 16, 8, 128}, ElementType::bf16);
    runProducts({8192, 4096, 12288, isChecked, true}, ElementType::bf16);
    runProducts({8192, 4096, 4096, false, true}, ElementType::bf16);
    runAttention({1, 8192, 32, 32, 128, false, true}, ElementType::bf16);
    runAttention({1, 8192, 32, 8, 128, false, true}, ElementType::bf16);
    runAttention({1, 16384, 16, 8, 128, false, true}, ElementType::bf16);
    runAttention({1, 8192, 32, 8, 64, false, true}, ElementType::bf16);
  }
  std::printf(allRight ? "all right\n" : "WRONG RESULTS\n");
  return allRight ? 0 : 1;
}
