#include <cmath>
#include <cstring>
#include <vector>

#include "cpu/element.h"
#include "cpu/element_range.h"
#include "cpu/kernels.h"
#include "cpu/splitmix.h"

namespace offload {

void runKernel(const Memset& call, RowPool& pool) {
  auto* out = pointerTo<unsigned char>(call.out);
  forEachRange(pool, call.bytes, 8 * kElementsPerTask,
               [&](std::uint64_t first, std::uint64_t end, std::uint64_t) { std::memset(out + first, 0, end - first); });
}

void runKernel(const FillConstant& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    auto* out = pointerTo<E>(call.out);
    const E value = fromFloat<E>(call.value);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t i = first; i < end; ++i) out[i] = value;
    });
  });
}

void runKernel(const FillNormal& call, RowPool& pool) {
  const std::uint64_t hashedSeed = splitmix64(call.seed);
  const float scale = normalScale(call.stddev);
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    auto* out = pointerTo<E>(call.out);
    forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t i = first; i < end; ++i) {
        out[i] = fromFloat<E>(static_cast<float>(centredLaneSum(hashedSeed, i)) * scale);
      }
    });
  });
}

void runKernel(const FillTokens& call, RowPool& pool) {
  auto* out = pointerTo<std::int32_t>(call.out);
  forEachRange(pool, call.count, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
    for (std::uint64_t i = first; i < end; ++i) out[i] = static_cast<std::int32_t>(splitmix64(call.seed + i) % call.vocab);
  });
}

void runKernel(const Checksum& call, RowPool& pool) {
  const auto* input = pointerTo<const unsigned char>(call.input);
  const std::uint64_t words = tasksFor(call.bytes, 8);
  std::vector<std::uint64_t> sums(tasksFor(words, kElementsPerTask));
  forEachRange(pool, words, kElementsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t task) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = first; i < end; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, input + 8 * i, std::min<std::uint64_t>(8, call.bytes - 8 * i));
      sum += mix(word + (i + 1) * kGolden);
    }
    sums[task] = sum;
  });
  std::uint64_t total = 0;
  for (const std::uint64_t sum : sums) total += sum;
  std::memcpy(pointerTo<unsigned char>(call.out), &total, sizeof total);
}

void runKernel(const RotaryTables& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    auto* cosine = pointerTo<E>(call.cos);
    auto* sine = pointerTo<E>(call.sin);
    const std::uint32_t half = call.headDim / 2;
    std::vector<double> frequencies(half);
    for (std::uint32_t j = 0; j < half; ++j) {
      frequencies[j] = std::pow(static_cast<double>(call.theta), -2.0 * j / call.headDim);
    }
    forEachRange(pool, call.rows, rowsPerTask(call.headDim), [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      for (std::uint64_t row = first; row < end; ++row) {
        const auto position = static_cast<double>(row % call.seq);
        for (std::uint32_t j = 0; j < call.headDim; ++j) {
          const double angle = position * frequencies[j % half];
          cosine[row * call.headDim + j] = fromFloat<E>(static_cast<float>(std::cos(angle)));
          sine[row * call.headDim + j] = fromFloat<E>(static_cast<float>(std::sin(angle)));
        }
      }
    });
  });
}

}  // namespace offload
