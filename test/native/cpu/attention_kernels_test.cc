#include <doctest/doctest.h>

#include <cmath>

#include "device_arrays.h"

using namespace offload;
using namespace offload::testing;

namespace {

struct Dims {
  std::uint32_t batch, seq, heads, keyHeads, dim;
  std::size_t queries() const { return std::size_t{batch} * seq * heads * dim; }
  std::size_t keys() const { return std::size_t{batch} * seq * keyHeads * dim; }
  std::size_t rows() const { return std::size_t{batch} * seq * heads; }
};

// No multiple of rows, panels or tasks; one that is; one with grouped heads and several tasks.
constexpr Dims kDims[] = {{1, 1, 1, 1, 2}, {2, 9, 2, 1, 6}, {1, 64, 2, 2, 32}, {1, 133, 4, 2, 40}};

struct Reference {
  std::vector<double> out, logSumExp;
};

Reference attend(const Dims& n, const std::vector<float>& q, const std::vector<float>& k, const std::vector<float>& v) {
  Reference result{std::vector<double>(n.queries()), std::vector<double>(n.rows())};
  for (std::uint32_t b = 0; b < n.batch; ++b) {
    for (std::uint32_t h = 0; h < n.heads; ++h) {
      const std::uint32_t kh = h / (n.heads / n.keyHeads);
      for (std::uint32_t i = 0; i < n.seq; ++i) {
        const std::size_t query = ((std::size_t{b} * n.seq + i) * n.heads + h) * n.dim;
        std::vector<double> weights(i + 1);
        double sum = 0;
        for (std::uint32_t j = 0; j <= i; ++j) {
          const std::size_t key = ((std::size_t{b} * n.seq + j) * n.keyHeads + kh) * n.dim;
          double score = 0;
          for (std::uint32_t d = 0; d < n.dim; ++d) score += static_cast<double>(q[query + d]) * k[key + d];
          sum += weights[j] = std::exp(score / std::sqrt(n.dim));
        }
        result.logSumExp[(std::size_t{b} * n.heads + h) * n.seq + i] = std::log(sum);
        for (std::uint32_t j = 0; j <= i; ++j) {
          const std::size_t value = ((std::size_t{b} * n.seq + j) * n.keyHeads + kh) * n.dim;
          for (std::uint32_t d = 0; d < n.dim; ++d) result.out[query + d] += weights[j] / sum * v[value + d];
        }
      }
    }
  }
  return result;
}

struct Attention {
  DeviceArrays& arrays;
  Dims n;
  ElementType element;
  DeviceAddress q, k, v, out, logSumExp;

  Attention(DeviceArrays& where, const Dims& dims, ElementType type, const std::vector<float>& query, const std::vector<float>& key,
            const std::vector<float>& value)
      : arrays(where), n(dims), element(type), q(where.upload(type, query)), k(where.upload(type, key)), v(where.upload(type, value)),
        out(where.room(type, dims.queries())), logSumExp(where.room(ElementType::f32, dims.rows())) {
    arrays.run(AttentionForward{element, q, k, v, out, logSumExp, n.batch, n.seq, n.heads, n.keyHeads, n.dim});
  }

  struct Gradients {
    DeviceAddress q, k, v;
  };
  Gradients backward(const std::vector<float>& gradOut) {
    const Gradients grads{arrays.room(element, n.queries()), arrays.room(element, n.keys()), arrays.room(element, n.keys())};
    const auto delta = arrays.room(ElementType::f32, n.rows());
    arrays.run(AttentionBackward{element, arrays.upload(element, gradOut), q, k, v, out, logSumExp, delta, grads.q, grads.k, grads.v,
                                 n.batch, n.seq, n.heads, n.keyHeads, n.dim});
    return grads;
  }
};

}  // namespace

TEST_CASE("attention matches a double loop: causal, grouped heads, log-sum-exp") {
  forEachInstructionSet([] {
    for (const Dims& n : kDims) {
      for (const ElementType element : kElements) {
        CAPTURE(n.seq);
        DeviceArrays arrays;
        const auto q = randomValues(n.queries(), 1), k = randomValues(n.keys(), 2), v = randomValues(n.keys(), 3);
        const Reference expected = attend(n, q, k, v);
        const Attention attention(arrays, n, element, q, k, v);
        CHECK(largestError(arrays.download(element, attention.out, n.queries()), expected.out) < tolerance(element));
        CHECK(largestError(arrays.download(ElementType::f32, attention.logSumExp, n.rows()), expected.logSumExp) < 2e-5);
      }
    }
  });
}

TEST_CASE("large scores do not overflow") {
  const Dims n{1, 40, 1, 1, 4};
  DeviceArrays arrays;
  auto q = randomValues(n.queries(), 1), k = randomValues(n.keys(), 2);
  for (auto* values : {&q, &k}) {
    for (float& value : *values) value *= 40;
  }
  const auto v = randomValues(n.keys(), 3);
  // Scores reach thousands; every output is still an average of values that lie in [-1, 1).
  const Attention attention(arrays, n, ElementType::f32, q, k, v);
  for (const float value : arrays.download(ElementType::f32, attention.out, n.queries())) CHECK(std::abs(value) <= 1.0F);
}

TEST_CASE("gradients of attention match finite differences") {
  for (const Dims n : {Dims{2, 7, 2, 1, 4}, Dims{1, 5, 4, 2, 6}}) {
    const auto q = randomValues(n.queries(), 1), k = randomValues(n.keys(), 2), v = randomValues(n.keys(), 3);
    const auto g = randomValues(n.queries(), 4);
    const auto loss = [&](const std::vector<float>& query, const std::vector<float>& key, const std::vector<float>& value) {
      const Reference result = attend(n, query, key, value);
      double sum = 0;
      for (std::size_t i = 0; i < g.size(); ++i) sum += result.out[i] * g[i];
      return sum;
    };
    forEachInstructionSet([&] {
      DeviceArrays arrays;
      Attention attention(arrays, n, ElementType::f32, q, k, v);
      const auto grads = attention.backward(g);
      CHECK(largestError(arrays.download(ElementType::f32, grads.q, q.size()),
                         numericGradient(q, [&](const auto& p) { return loss(p, k, v); })) < 1e-4);
      CHECK(largestError(arrays.download(ElementType::f32, grads.k, k.size()),
                         numericGradient(k, [&](const auto& p) { return loss(q, p, v); })) < 1e-4);
      CHECK(largestError(arrays.download(ElementType::f32, grads.v, v.size()),
                         numericGradient(v, [&](const auto& p) { return loss(q, k, p); })) < 1e-4);
    });
  }
}

TEST_CASE("the bf16 backward agrees with the f32 backward on a longer sequence") {
  const Dims n{1, 133, 4, 2, 40};
  const auto q = randomValues(n.queries(), 1), k = randomValues(n.keys(), 2), v = randomValues(n.keys(), 3);
  const auto g = randomValues(n.queries(), 4);
  DeviceArrays arrays;
  Attention narrow(arrays, n, ElementType::bf16, q, k, v), wide(arrays, n, ElementType::f32, q, k, v);
  const auto a = narrow.backward(g), b = wide.backward(g);
  const auto compare = [&](DeviceAddress left, DeviceAddress right, std::size_t count) {
    const auto expected = arrays.download(ElementType::f32, right, count);
    return largestError(arrays.download(ElementType::bf16, left, count), {expected.begin(), expected.end()});
  };
  CHECK(compare(a.q, b.q, q.size()) < 0.02);
  CHECK(compare(a.k, b.k, k.size()) < 0.02);
  CHECK(compare(a.v, b.v, v.size()) < 0.02);
}

TEST_CASE("attention has the same bits for any number of threads") {
  const Dims n{2, 133, 4, 2, 24};
  std::vector<std::vector<std::uint16_t>> results;
  for (const unsigned threads : {1U, 3U, 3U}) {
    DeviceArrays arrays(threads);
    Attention attention(arrays, n, ElementType::bf16, randomValues(n.queries(), 1), randomValues(n.keys(), 2), randomValues(n.keys(), 3));
    const auto grads = attention.backward(randomValues(n.queries(), 4));
    auto bits = arrays.downloadRaw<std::uint16_t>(attention.out, n.queries());
    for (const auto& [address, count] : {std::pair{grads.q, n.queries()}, {grads.k, n.keys()}, {grads.v, n.keys()}}) {
      const auto more = arrays.downloadRaw<std::uint16_t>(address, count);
      bits.insert(bits.end(), more.begin(), more.end());
    }
    results.push_back(bits);
  }
  for (const auto& result : results) CHECK(result == results.front());
}
