#include <doctest/doctest.h>

#include <cmath>

#include "cpu/exponential.h"
#include "device_arrays.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr std::size_t kCount = 40000;  // more than one task

double silu(double x) { return x / (1 + std::exp(-x)); }

std::vector<double> map(const std::vector<float>& a, const std::vector<float>& b, const std::function<double(double, double)>& f) {
  std::vector<double> out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = f(a[i], b[i]);
  return out;
}

}  // namespace

TEST_CASE("exponential is within two units in the last place, and clamped") {
  double worst = 0;
  for (int i = -87000; i <= 88000; i += 7) {
    const float x = static_cast<float>(i) / 1000.0F;
    worst = std::max(worst, std::abs(exponential(x) / std::exp(static_cast<double>(x)) - 1));
  }
  CHECK(worst < std::ldexp(1.0, -22));
  CHECK(exponential(0) == 1.0F);
  CHECK(exponential(-1e30F) == exponential(-87.0F));
  CHECK(std::isfinite(exponential(1e30F)));
}

TEST_CASE("SwiGLU forward rounds silu before the product") {
  forEachInstructionSet([] {
    for (const ElementType element : kElements) {
      DeviceArrays arrays;
      auto gate = randomValues(kCount, 1);
      for (float& value : gate) value *= 8;
      const auto up = randomValues(kCount, 2);
      const auto dsilu = arrays.room(element, kCount), product = arrays.room(element, kCount);
      arrays.run(SwiGluForward{element, arrays.upload(element, gate), arrays.upload(element, up), dsilu, product, kCount});
      const auto rounded = arrays.download(element, dsilu, kCount);
      CHECK(largestError(rounded, map(gate, gate, [](double x, double) { return silu(x); })) < tolerance(element));
      CHECK(largestError(arrays.download(element, product, kCount), map(rounded, up, [](double s, double u) { return s * u; })) <
            tolerance(element) / 1.9);
    }
  });
}

TEST_CASE("gradients of SwiGLU match finite differences") {
  forEachInstructionSet([] {
    DeviceArrays arrays;
    constexpr std::size_t count = 50;
    auto gate = randomValues(count, 1);
    for (float& value : gate) value *= 4;
    const auto up = randomValues(count, 2), g = randomValues(count, 3);
    const auto dgate = arrays.uploadRaw(gate), dup = arrays.uploadRaw(up);
    const auto dsilu = arrays.room(ElementType::f32, count), product = arrays.room(ElementType::f32, count);
    const auto ggate = arrays.room(ElementType::f32, count), gup = arrays.room(ElementType::f32, count);
    arrays.run(SwiGluForward{ElementType::f32, dgate, dup, dsilu, product, count});
    arrays.run(SwiGluBackward{ElementType::f32, arrays.uploadRaw(g), dgate, dup, dsilu, ggate, gup, count});
    const auto loss = [&](const std::vector<float>& a, const std::vector<float>& b) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += g[i] * silu(a[i]) * b[i];
      return sum;
    };
    CHECK(largestError(arrays.download(ElementType::f32, ggate, count), numericGradient(gate, [&](const auto& p) { return loss(p, up); })) <
          1e-4);
    CHECK(largestError(arrays.download(ElementType::f32, gup, count), numericGradient(up, [&](const auto& p) { return loss(gate, p); })) <
          1e-4);
  });
}

TEST_CASE("rotary rotates pairs half a head apart, and its inverse is the transpose") {
  for (const ElementType element : kElements) {
    DeviceArrays arrays;
    constexpr std::uint32_t heads = 3, dim = 8, rows = 5;
    constexpr std::size_t count = rows * heads * dim;
    const auto x = randomValues(count, 1), y = randomValues(count, 2);
    // Unequal halves of the tables: the transpose must take each sine from the right one.
    const auto c = randomValues(rows * dim, 3), s = randomValues(rows * dim, 4);
    const auto dc = arrays.upload(element, c), ds = arrays.upload(element, s);
    const auto forward = arrays.room(element, count), transposed = arrays.room(element, count);
    arrays.run(Rotary{element, arrays.upload(element, x), dc, ds, forward, rows, heads, dim, false});
    arrays.run(Rotary{element, arrays.upload(element, y), dc, ds, transposed, rows, heads, dim, true});
    std::vector<double> expected(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t j = i % dim, table = i / (heads * dim) * dim + j;
      const double rotated = j < dim / 2 ? -x[i + dim / 2] : x[i - dim / 2];
      expected[i] = static_cast<double>(x[i]) * c[table] + rotated * s[table];
    }
    CHECK(largestError(arrays.download(element, forward, count), expected) < tolerance(element));
    // <R x, y> = <x, R^T y>
    const double left = dot(arrays.download(element, forward, count), y), right = dot(arrays.download(element, transposed, count), x);
    CHECK(std::abs(left - right) < (element == ElementType::bf16 ? 0.05 : 1e-4));
  }
}

TEST_CASE("Add may write over its left operand") {
  for (const ElementType element : kElements) {
    DeviceArrays arrays;
    const auto a = randomValues(kCount, 1), b = randomValues(kCount, 2);
    const auto left = arrays.upload(element, a);
    arrays.run(Add{element, left, arrays.upload(element, b), left, kCount});
    CHECK(largestError(arrays.download(element, left, kCount), map(a, b, [](double x, double y) { return x + y; })) < tolerance(element));
  }
}

TEST_CASE("the loss is the mean of squares and its gradient 2 h / n") {
  for (const ElementType element : kElements) {
    DeviceArrays arrays;
    const auto h = randomValues(kCount, 1);
    const auto hidden32 = arrays.room(ElementType::f32, kCount), loss = arrays.room(ElementType::f32, 1);
    const auto grad = arrays.room(element, kCount);
    arrays.run(LossForward{element, arrays.upload(element, h), hidden32, loss, kCount});
    arrays.run(LossBackward{element, hidden32, grad, kCount});
    CHECK(arrays.download(ElementType::f32, hidden32, kCount) == h);
    CHECK(arrays.download(ElementType::f32, loss, 1)[0] == doctest::Approx(dot(h, h) / kCount).epsilon(1e-6));
    auto grads = arrays.download(element, grad, kCount);
    for (float& value : grads) value *= kCount;  // so that the tolerance is relative
    CHECK(largestError(grads, map(h, h, [](double x, double) { return 2 * x; })) < tolerance(element));
  }
}
