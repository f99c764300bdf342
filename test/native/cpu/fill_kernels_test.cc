#include <doctest/doctest.h>

#include <cmath>

#include "cpu/splitmix.h"
#include "device_arrays.h"

using namespace offload;
using namespace offload::testing;

TEST_CASE("splitmix64 is the published generator") {
  // The first outputs of the reference implementation for state 1234567.
  CHECK(splitmix64(1234567) == 6457827717110365317ULL);
  CHECK(splitmix64(1234567 + kGolden) == 3203168211198807973ULL);
  CHECK(splitmix64(1234567 + 2 * kGolden) == 9817491932198370423ULL);
}

TEST_CASE("tokens are splitmix64(seed + i) modulo the vocabulary") {
  DeviceArrays arrays;
  constexpr std::size_t count = 70000;
  const auto ids = arrays.room(ElementType::f32, count);
  arrays.run(FillTokens{ids, count, 1234567, 1000});
  const auto values = arrays.downloadRaw<std::int32_t>(ids, count);
  CHECK(values[0] == 317);
  for (std::size_t i = 0; i < count; i += 777) CHECK(static_cast<std::uint64_t>(values[i]) == splitmix64(1234567 + i) % 1000);
}

TEST_CASE("pseudo-normal weights: the same lanes for both types, mean 0, deviation as asked") {
  DeviceArrays arrays;
  constexpr std::size_t count = 100000;
  const auto wide = arrays.room(ElementType::f32, count), narrow = arrays.room(ElementType::bf16, count);
  arrays.run(FillNormal{ElementType::f32, wide, count, 7, 0.02F});
  arrays.run(FillNormal{ElementType::bf16, narrow, count, 7, 0.02F});
  const auto values = arrays.download(ElementType::f32, wide, count);
  const auto rounded = arrays.download(ElementType::bf16, narrow, count);

  const std::uint64_t hash = splitmix64(splitmix64(7) + 3);
  const double lanes = static_cast<double>((hash & 0xffff) + (hash >> 16 & 0xffff) + (hash >> 32 & 0xffff) + (hash >> 48));
  CHECK(values[3] == doctest::Approx((lanes - 131070) / std::sqrt((65536.0 * 65536 - 1) / 3) * 0.02).epsilon(1e-6));

  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += values[i];
    REQUIRE(rounded[i] == toFloat(fromFloat<Bf16>(values[i])));
  }
  CHECK(std::abs(sum / count) < 0.02 * 4 / std::sqrt(count));
  CHECK(std::sqrt(dot(values, values) / count) == doctest::Approx(0.02).epsilon(0.01));
}

TEST_CASE("neighbouring seeds give unrelated weights") {
  DeviceArrays arrays;
  constexpr std::size_t count = 1000;
  const auto a = arrays.room(ElementType::f32, count), b = arrays.room(ElementType::f32, count);
  arrays.run(FillNormal{ElementType::f32, a, count, 7, 1});
  arrays.run(FillNormal{ElementType::f32, b, count, 8, 1});
  auto first = arrays.download(ElementType::f32, a, count);
  auto second = arrays.download(ElementType::f32, b, count);
  first.erase(first.begin());
  second.pop_back();
  CHECK(std::abs(dot(first, second)) / count < 0.2);
}

TEST_CASE("the checksum is the sum of mixed words, the tail padded with zeros") {
  DeviceArrays arrays;
  const std::vector<unsigned char> bytes{1, 0, 0, 0, 0, 0, 0, 0, 2, 3};
  const auto out = arrays.room(ElementType::f32, 2);
  arrays.run(Checksum{arrays.uploadRaw(bytes), bytes.size(), out});
  CHECK(arrays.downloadRaw<std::uint64_t>(out, 1)[0] == mix(1 + kGolden) + mix(0x302 + 2 * kGolden));
  arrays.run(Checksum{arrays.uploadRaw(bytes), 0, out});
  CHECK(arrays.downloadRaw<std::uint64_t>(out, 1)[0] == 0);
}

TEST_CASE("the checksum sees one changed bit and two swapped words in a long input") {
  DeviceArrays arrays(3);
  std::vector<std::uint64_t> words(100000);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = splitmix64(i);
  const auto out = arrays.room(ElementType::f32, 2);
  const auto checksum = [&] {
    const auto input = arrays.uploadRaw(words);
    arrays.run(Checksum{input, words.size() * 8, out});
    arrays.device.release(input);
    return arrays.downloadRaw<std::uint64_t>(out, 1)[0];
  };
  const std::uint64_t before = checksum();
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < words.size(); ++i) expected += mix(words[i] + (i + 1) * kGolden);
  CHECK(before == expected);
  words[77777] ^= 1;
  CHECK(checksum() != before);
  words[77777] ^= 1;
  std::swap(words[5], words[6]);
  CHECK(checksum() != before);
}

TEST_CASE("constants, zeros and rotary tables") {
  for (const ElementType element : kElements) {
    DeviceArrays arrays;
    const auto out = arrays.room(element, 70000);
    arrays.run(FillConstant{element, out, 70000, 1.5F});
    CHECK(arrays.download(element, out, 70000) == std::vector<float>(70000, 1.5F));
    arrays.run(Memset{out, 70000 * bytesPerElement(element) - 2});
    CHECK(arrays.downloadRaw<unsigned char>(out, 9) == std::vector<unsigned char>(9, 0));
    CHECK(arrays.downloadRaw<std::uint16_t>(out + 70000 * bytesPerElement(element) - 2, 1)[0] == 0x3fc0);

    constexpr std::uint32_t seq = 6, dim = 8, rows = 12;
    const auto c = arrays.room(element, rows * dim), s = arrays.room(element, rows * dim);
    arrays.run(RotaryTables{element, c, s, rows, seq, dim, 10000});
    std::vector<double> cosine(rows * dim), sine(rows * dim);
    for (std::size_t i = 0; i < rows * dim; ++i) {
      const double angle = static_cast<double>(i / dim % seq) * std::pow(10000.0, -2.0 * static_cast<double>(i % dim % (dim / 2)) / dim);
      cosine[i] = std::cos(angle);
      sine[i] = std::sin(angle);
    }
    CHECK(largestError(arrays.download(element, c, rows * dim), cosine) < tolerance(element));
    CHECK(largestError(arrays.download(element, s, rows * dim), sine) < tolerance(element));
  }
}

TEST_CASE("bf16 rounds to nearest, ties to even, and keeps NaN") {
  CHECK(fromFloat<Bf16>(1.0F) == Bf16{0x3f80});
  CHECK(fromFloat<Bf16>(1.00390625F) == Bf16{0x3f80});   // halfway, lower neighbour even
  CHECK(fromFloat<Bf16>(1.01171875F) == Bf16{0x3f82});   // halfway, upper neighbour even
  CHECK(fromFloat<Bf16>(1.00390637F) == Bf16{0x3f81});   // just above halfway
  CHECK(fromFloat<Bf16>(3.4e38F) == Bf16{0x7f80});       // beyond the largest: infinity
  CHECK(std::isnan(toFloat(fromFloat<Bf16>(std::nanf("")))));
  CHECK(std::isnan(toFloat(fromFloat<Bf16>(std::bit_cast<float>(0x7f800001U)))));
}
