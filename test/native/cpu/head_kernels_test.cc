#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "device_arrays.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr std::uint32_t kWidth = 1003;
constexpr std::uint64_t kRows = 6;

/// log(sum(exp(row))).
double logSumOf(const std::vector<float>& values, std::uint64_t row) {
  double sum = 0;
  for (std::uint32_t j = 0; j < kWidth; ++j) sum += std::exp(static_cast<double>(values[row * kWidth + j]));
  return std::log(sum);
}

}  // namespace

TEST_CASE("widening is exact, and narrowing rounds as storing does") {
  DeviceArrays arrays;
  const auto values = randomValues(kRows * kWidth, 1);
  const DeviceAddress narrow = arrays.upload(ElementType::bf16, values);
  const DeviceAddress wide = arrays.room(ElementType::f32, values.size());
  arrays.run(Widen{ElementType::bf16, narrow, wide, values.size()});
  const auto widened = arrays.download(ElementType::f32, wide, values.size());
  CHECK(widened == arrays.download(ElementType::bf16, narrow, values.size()));
  const DeviceAddress again = arrays.room(ElementType::bf16, values.size());
  arrays.run(Narrow{ElementType::bf16, arrays.upload(ElementType::f32, values), again, values.size()});
  CHECK(arrays.download(ElementType::bf16, again, values.size()) == widened);
}

TEST_CASE("log-softmax of rows agrees with double precision, also of large entries") {
  DeviceArrays arrays;
  auto values = randomValues(kRows * kWidth, 2);
  for (std::uint32_t j = 0; j < kWidth; ++j) values[j] = 80.0F + 5.0F * values[j];
  const DeviceAddress out = arrays.room(ElementType::f32, values.size());
  arrays.run(LogSoftmax{arrays.upload(ElementType::f32, values), out, kRows, kWidth});
  const auto found = arrays.download(ElementType::f32, out, values.size());
  for (std::uint64_t row = 0; row < kRows; ++row) {
    const double logSum = logSumOf(values, row);
    for (std::uint32_t j = 0; j < kWidth; ++j) {
      CHECK(found[row * kWidth + j] == doctest::Approx(values[row * kWidth + j] - logSum).epsilon(1e-5));
    }
  }
}

TEST_CASE("the loss is the mean over tokens that have a next one") {
  DeviceArrays arrays;
  const std::vector<std::int32_t> ids = {4, 7, 2, 9, 1, 0};
  const DeviceAddress out = arrays.room(ElementType::f32, kRows * kWidth);
  // Two sequences of three tokens: four of six have a next one.
  arrays.run(NextTokenGradient{arrays.uploadRaw(ids), out, kRows, 3, kWidth, 0.5F});
  const auto gradient = arrays.download(ElementType::f32, out, kRows * kWidth);
  const std::vector<std::pair<std::uint64_t, std::int32_t>> next = {{0, 7}, {1, 2}, {3, 1}, {4, 0}};
  for (const auto& [row, id] : next) CHECK(gradient[row * kWidth + static_cast<std::uint64_t>(id)] == -0.125F);
  CHECK(std::accumulate(gradient.begin(), gradient.end(), 0.0F) == -0.5F);
}

TEST_CASE("the gradient of log-softmax is that of finite differences") {
  DeviceArrays arrays;
  const auto values = randomValues(kRows * kWidth, 3);
  const auto upstream = randomValues(kRows * kWidth, 4);
  const DeviceAddress logSoftmax = arrays.room(ElementType::f32, values.size());
  const DeviceAddress out = arrays.room(ElementType::f32, values.size());
  arrays.run(LogSoftmax{arrays.upload(ElementType::f32, values), logSoftmax, kRows, kWidth});
  arrays.run(LogSoftmaxBackward{arrays.upload(ElementType::f32, upstream), logSoftmax, out, kRows, kWidth});
  const auto found = arrays.download(ElementType::f32, out, values.size());
  // sum(upstream * logSoftmax(values)) of one row, in double precision.
  const auto value = [&](std::uint64_t row, std::uint32_t moved, double by) {
    double sum = 0;
    for (std::uint32_t j = 0; j < kWidth; ++j) sum += std::exp(values[row * kWidth + j] + (j == moved ? by : 0));
    double total = 0;
    for (std::uint32_t j = 0; j < kWidth; ++j) {
      total += upstream[row * kWidth + j] * (values[row * kWidth + j] + (j == moved ? by : 0) - std::log(sum));
    }
    return total;
  };
  constexpr double kStep = 1e-4;
  for (std::uint64_t row = 0; row < kRows; ++row) {
    for (const std::uint32_t j : {0U, 17U, kWidth - 1}) {
      const double slope = (value(row, j, kStep) - value(row, j, -kStep)) / (2 * kStep);
      CHECK(found[row * kWidth + j] == doctest::Approx(slope).epsilon(1e-3));
    }
  }
}
