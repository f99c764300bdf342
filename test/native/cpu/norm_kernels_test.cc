#include <doctest/doctest.h>

#include <cmath>

#include "device_arrays.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr float kEps = 1e-5F;

struct Norm {
  DeviceAddress input32, rstd, normalised, out;
};

Norm forward(DeviceArrays& arrays, ElementType element, const std::vector<float>& x, const std::vector<float>& weight) {
  const std::size_t rows = x.size() / weight.size();
  const Norm norm{arrays.room(ElementType::f32, x.size()), arrays.room(ElementType::f32, rows), arrays.room(element, x.size()),
                  arrays.room(element, x.size())};
  arrays.run(RmsNormForward{element, arrays.upload(element, x), arrays.upload(element, weight), norm.input32, norm.rstd, norm.normalised,
                            norm.out, rows, static_cast<std::uint32_t>(weight.size()), kEps});
  return norm;
}

}  // namespace

TEST_CASE("the norm writes all four outputs as the eager operator does") {
  for (const ElementType element : kElements) {
    for (const std::uint32_t width : {3U, 16U, 53U}) {
      DeviceArrays arrays;
      constexpr std::size_t rows = 700;
      const auto x = randomValues(rows * width, 1), w = randomValues(width, 2);
      const Norm norm = forward(arrays, element, x, w);
      const auto normalised = arrays.download(element, norm.normalised, x.size());
      std::vector<double> rstd(rows), expectedNormalised(x.size()), expectedOut(x.size());
      for (std::size_t r = 0; r < rows; ++r) {
        double squares = 0;
        for (std::uint32_t j = 0; j < width; ++j) squares += static_cast<double>(x[r * width + j]) * x[r * width + j];
        rstd[r] = 1 / std::sqrt(squares / width + kEps);
        for (std::uint32_t j = 0; j < width; ++j) {
          expectedNormalised[r * width + j] = x[r * width + j] * rstd[r];
          // The product takes the rounded value: that is what the framework multiplies.
          expectedOut[r * width + j] = static_cast<double>(w[j]) * normalised[r * width + j];
        }
      }
      CHECK(arrays.download(ElementType::f32, norm.input32, x.size()) == x);
      CHECK(largestError(arrays.download(ElementType::f32, norm.rstd, rows), rstd) < 1e-6);
      CHECK(largestError(normalised, expectedNormalised) < tolerance(element));
      CHECK(largestError(arrays.download(element, norm.out, x.size()), expectedOut) < tolerance(element));
    }
  }
}

TEST_CASE("gradients of the norm match finite differences") {
  DeviceArrays arrays;
  constexpr std::uint32_t width = 19;
  constexpr std::size_t rows = 3;
  const auto x = randomValues(rows * width, 1), w = randomValues(width, 2), g = randomValues(rows * width, 3);
  const auto loss = [&](const std::vector<float>& input, const std::vector<float>& weight) {
    double sum = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      double squares = 0;
      for (std::uint32_t j = 0; j < width; ++j) squares += static_cast<double>(input[r * width + j]) * input[r * width + j];
      for (std::uint32_t j = 0; j < width; ++j) {
        sum += static_cast<double>(g[r * width + j]) * weight[j] * input[r * width + j] / std::sqrt(squares / width + kEps);
      }
    }
    return sum;
  };
  const Norm norm = forward(arrays, ElementType::f32, x, w);
  const auto gx = arrays.room(ElementType::f32, x.size()), gw = arrays.room(ElementType::f32, width);
  arrays.run(RmsNormBackward{ElementType::f32, arrays.uploadRaw(g), arrays.uploadRaw(w), norm.input32, norm.rstd, norm.normalised, gx, gw,
                             rows, width});
  CHECK(largestError(arrays.download(ElementType::f32, gx, x.size()), numericGradient(x, [&](const auto& p) { return loss(p, w); })) < 1e-3);
  CHECK(largestError(arrays.download(ElementType::f32, gw, width), numericGradient(w, [&](const auto& p) { return loss(x, p); })) < 1e-4);
}

TEST_CASE("the norm's weight gradient has the same bits for any number of threads") {
  constexpr std::uint32_t width = 130;
  constexpr std::size_t rows = 513;
  std::vector<std::vector<std::uint16_t>> results;
  for (const unsigned threads : {1U, 4U}) {
    DeviceArrays arrays(threads);
    const auto w = randomValues(width, 2);
    const Norm norm = forward(arrays, ElementType::bf16, randomValues(rows * width, 1), w);
    const auto gx = arrays.room(ElementType::bf16, rows * width), gw = arrays.room(ElementType::bf16, width);
    arrays.run(RmsNormBackward{ElementType::bf16, arrays.upload(ElementType::bf16, randomValues(rows * width, 3)),
                               arrays.upload(ElementType::bf16, w), norm.input32, norm.rstd, norm.normalised, gx, gw, rows, width});
    results.push_back(arrays.downloadRaw<std::uint16_t>(gw, width));
  }
  CHECK(results[0] == results[1]);
}
