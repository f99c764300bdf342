#include <doctest/doctest.h>

#include <cmath>

#include "device_arrays.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr std::uint64_t kCount = 70'001;
constexpr float kRate = 1e-2F;
constexpr float kDecay = 0.1F;

/// AdamW as its paper and PyTorch's documentation have it, in double precision.
struct Reference {
  std::vector<double> parameter, first, second;
  int steps = 0;

  explicit Reference(const std::vector<float>& start) : parameter(start.begin(), start.end()), first(start.size()), second(start.size()) {}

  void step(const std::vector<float>& gradient) {
    ++steps;
    for (std::size_t i = 0; i < parameter.size(); ++i) {
      const double grad = gradient[i];
      parameter[i] -= kRate * kDecay * parameter[i];
      first[i] = 0.9 * first[i] + 0.1 * grad;
      second[i] = 0.999 * second[i] + 0.001 * grad * grad;
      const double mean = first[i] / (1 - std::pow(0.9, steps));
      const double square = second[i] / (1 - std::pow(0.999, steps));
      parameter[i] -= kRate * mean / (std::sqrt(square) + 1e-8);
    }
  }
};

}  // namespace

TEST_CASE("AdamW agrees with double precision over several steps, its moments among it") {
  DeviceArrays arrays;
  const auto start = randomValues(kCount, 1);
  Reference reference(start);
  const DeviceAddress parameter = arrays.upload(ElementType::f32, start);
  const DeviceAddress first = arrays.upload(ElementType::f32, std::vector<float>(kCount));
  const DeviceAddress second = arrays.upload(ElementType::f32, std::vector<float>(kCount));
  for (std::uint32_t step = 1; step <= 4; ++step) {
    const auto gradient = randomValues(kCount, 10 + step);
    arrays.run(AdamW{ElementType::f32, parameter, arrays.upload(ElementType::f32, gradient), first, second, kCount, step, kRate, kDecay});
    reference.step(gradient);
  }
  const auto close = [&](DeviceAddress found, const std::vector<double>& expected) {
    return largestError(arrays.download(ElementType::f32, found, kCount), expected);
  };
  CHECK(close(parameter, reference.parameter) < 1e-4);
  CHECK(close(first, reference.first) < 1e-5);
  CHECK(close(second, reference.second) < 1e-5);
}

TEST_CASE("in bf16 each step rounds parameter and moments once") {
  DeviceArrays arrays;
  const auto values = [&](float value) { return arrays.upload(ElementType::bf16, {value}); };
  const DeviceAddress parameter = values(1.0F), first = values(0.0F), second = values(0.0F);
  arrays.run(AdamW{ElementType::bf16, parameter, values(0.5F), first, second, 1, 1, kRate, 0.0F});
  const auto read = [&](DeviceAddress address) { return arrays.download(ElementType::bf16, address, 1)[0]; };
  CHECK(read(parameter) == toFloat(fromFloat<Bf16>(0.99F)));
  CHECK(read(first) == toFloat(fromFloat<Bf16>(0.05F)));
  CHECK(read(second) == toFloat(fromFloat<Bf16>(0.00025F)));
}

TEST_CASE("the norm is that of all gradients together, and clipping keeps what is short enough") {
  DeviceArrays arrays;
  for (const ElementType element : kElements) {
    const std::vector<float> left(kCount, 0.25F), right(kCount, -0.5F);
    const DeviceAddress leftAt = arrays.upload(element, left), rightAt = arrays.upload(element, right);
    const DeviceAddress sum = arrays.uploadRaw(std::vector<double>{0.0});
    arrays.run(SumOfSquares{element, leftAt, sum, kCount});
    arrays.run(SumOfSquares{element, rightAt, sum, kCount});
    const double norm = std::sqrt(arrays.downloadRaw<double>(sum, 1)[0]);
    CHECK(norm == doctest::Approx(std::sqrt(kCount * (0.0625 + 0.25))));
    arrays.run(ClipToNorm{element, rightAt, sum, kCount, static_cast<float>(2 * norm)});
    CHECK(arrays.download(element, rightAt, kCount) == right);
    arrays.run(ClipToNorm{element, rightAt, sum, kCount, static_cast<float>(norm / 2)});
    CHECK(arrays.download(element, rightAt, kCount)[kCount - 1] == doctest::Approx(-0.25).epsilon(0.005));
  }
}
