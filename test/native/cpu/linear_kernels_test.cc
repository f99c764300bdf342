#include <doctest/doctest.h>

#include "device_arrays.h"

using namespace offload;
using namespace offload::testing;

namespace {

struct Sizes {
  std::uint64_t rows;
  std::uint32_t in, out;
};

// Smaller than a strip, odd, and more than one tile in every direction.
constexpr Sizes kSizes[] = {{1, 1, 1}, {5, 7, 3}, {130, 300, 137}};

}  // namespace

TEST_CASE("a linear layer and both gradients match loops in double precision") {
  forEachInstructionSet([] {
    for (const Sizes s : kSizes) {
      for (const ElementType element : kElements) {
        CAPTURE(s.rows);
        DeviceArrays arrays;
        const auto x = randomValues(s.rows * s.in, 1);
        const auto w = randomValues(std::size_t{s.in} * s.out, 2);
        const auto b = randomValues(s.out, 3);
        const auto g = randomValues(s.rows * s.out, 4);
        std::vector<double> out(s.rows * s.out), gx(x.size()), gw(w.size()), gb(b.size());
        for (std::uint64_t r = 0; r < s.rows; ++r) {
          for (std::uint32_t o = 0; o < s.out; ++o) {
            const double grad = g[r * s.out + o];
            double sum = b[o];
            for (std::uint32_t i = 0; i < s.in; ++i) {
              sum += static_cast<double>(x[r * s.in + i]) * w[std::size_t{o} * s.in + i];
              gx[r * s.in + i] += grad * w[std::size_t{o} * s.in + i];
              gw[std::size_t{o} * s.in + i] += grad * x[r * s.in + i];
            }
            out[r * s.out + o] = sum;
            gb[o] += grad;
          }
        }
        const auto dx = arrays.upload(element, x), dw = arrays.upload(element, w), db = arrays.upload(element, b);
        const auto dg = arrays.upload(element, g);
        const auto dout = arrays.room(element, out.size()), dgx = arrays.room(element, x.size());
        const auto dgw = arrays.room(element, w.size()), dgb = arrays.room(element, b.size());
        arrays.run(LinearForward{element, dx, dw, db, dout, s.rows, s.in, s.out});
        arrays.run(LinearBackwardInput{element, dg, dw, dgx, s.rows, s.in, s.out});
        arrays.run(LinearBackwardWeight{element, dg, dx, dgw, dgb, s.rows, s.in, s.out});
        CHECK(largestError(arrays.download(element, dout, out.size()), out) < tolerance(element));
        CHECK(largestError(arrays.download(element, dgx, gx.size()), gx) < tolerance(element));
        CHECK(largestError(arrays.download(element, dgw, gw.size()), gw) < tolerance(element));
        CHECK(largestError(arrays.download(element, dgb, gb.size()), gb) < tolerance(element));
      }
    }
  });
}

TEST_CASE("a bias of 0 is none, in both directions") {
  DeviceArrays arrays;
  const auto x = arrays.upload(ElementType::f32, {1, 2}), w = arrays.upload(ElementType::f32, {3, 4, 5, 6});
  const auto out = arrays.room(ElementType::f32, 2);
  arrays.run(LinearForward{ElementType::f32, x, w, 0, out, 1, 2, 2});
  CHECK(arrays.download(ElementType::f32, out, 2) == std::vector<float>{11, 17});
  const auto gw = arrays.room(ElementType::f32, 4);
  arrays.run(LinearBackwardWeight{ElementType::f32, out, x, gw, 0, 1, 2, 2});
  CHECK(arrays.download(ElementType::f32, gw, 4) == std::vector<float>{11, 22, 17, 34});
}

TEST_CASE("a matrix product has the same bits for any number of threads and any repetition") {
  const Sizes s{257, 300, 141};
  std::vector<std::vector<std::uint16_t>> results;
  for (const unsigned threads : {1U, 2U, 5U, 5U}) {
    DeviceArrays arrays(threads);
    const auto x = arrays.upload(ElementType::bf16, randomValues(s.rows * s.in, 1));
    const auto g = arrays.upload(ElementType::bf16, randomValues(s.rows * s.out, 2));
    const auto gw = arrays.room(ElementType::bf16, std::size_t{s.in} * s.out);
    arrays.run(LinearBackwardWeight{ElementType::bf16, g, x, gw, 0, s.rows, s.in, s.out});
    results.push_back(arrays.downloadRaw<std::uint16_t>(gw, std::size_t{s.in} * s.out));
  }
  for (const auto& result : results) CHECK(result == results.front());
}

TEST_CASE("gradients of a linear layer match finite differences") {
  DeviceArrays arrays;
  const Sizes s{4, 5, 3};
  const auto x = randomValues(s.rows * s.in, 1), w = randomValues(15, 2), b = randomValues(3, 3), g = randomValues(s.rows * s.out, 4);
  const auto loss = [&](const std::vector<float>& input, const std::vector<float>& weight, const std::vector<float>& bias) {
    const auto out = arrays.room(ElementType::f32, g.size());
    arrays.run(LinearForward{ElementType::f32, arrays.uploadRaw(input), arrays.uploadRaw(weight), arrays.uploadRaw(bias), out, s.rows,
                             s.in, s.out});
    return dot(arrays.download(ElementType::f32, out, g.size()), g);
  };
  const auto dg = arrays.uploadRaw(g), gx = arrays.room(ElementType::f32, x.size()), gw = arrays.room(ElementType::f32, w.size());
  const auto gb = arrays.room(ElementType::f32, b.size());
  arrays.run(LinearBackwardInput{ElementType::f32, dg, arrays.uploadRaw(w), gx, s.rows, s.in, s.out});
  arrays.run(LinearBackwardWeight{ElementType::f32, dg, arrays.uploadRaw(x), gw, gb, s.rows, s.in, s.out});
  const auto along = [](const auto& f) { return std::function<double(const std::vector<float>&)>(f); };
  CHECK(largestError(arrays.download(ElementType::f32, gx, x.size()),
                     numericGradient(x, along([&](const auto& p) { return loss(p, w, b); }))) < 1e-4);
  CHECK(largestError(arrays.download(ElementType::f32, gw, w.size()),
                     numericGradient(w, along([&](const auto& p) { return loss(x, p, b); }))) < 1e-4);
  CHECK(largestError(arrays.download(ElementType::f32, gb, b.size()),
                     numericGradient(b, along([&](const auto& p) { return loss(x, w, p); }))) < 1e-4);
}
