#include <doctest/doctest.h>

#include "device_arrays.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr std::uint32_t kHidden = 130, kVocab = 11;

std::vector<std::int32_t> someIds(std::size_t rows) {
  std::vector<std::int32_t> ids(rows);
  for (std::size_t i = 0; i < rows; ++i) ids[i] = static_cast<std::int32_t>(i * 7 % 10);  // 10 is never used
  return ids;
}

}  // namespace

TEST_CASE("the embedding copies rows of the table") {
  for (const ElementType element : kElements) {
    DeviceArrays arrays;
    const auto ids = someIds(500);
    const auto table = randomValues(kVocab * kHidden, 1);
    const auto out = arrays.room(element, ids.size() * kHidden);
    arrays.run(EmbeddingForward{element, arrays.uploadRaw(ids), arrays.upload(element, table), out, ids.size(), kHidden, kVocab});
    std::vector<float> expected;
    for (const std::int32_t id : ids) expected.insert(expected.end(), table.begin() + id * int{kHidden}, table.begin() + (id + 1) * int{kHidden});
    CHECK(arrays.download(element, out, expected.size()) == expected);
  }
}

TEST_CASE("the embedding's gradient adds to what is there, rounding once per id") {
  for (const ElementType element : kElements) {
    DeviceArrays arrays;
    const auto ids = someIds(500);
    const auto grads = randomValues(ids.size() * kHidden, 2), before = randomValues(kVocab * kHidden, 3);
    const auto table = arrays.upload(element, before);
    arrays.run(EmbeddingBackward{element, arrays.uploadRaw(ids), arrays.upload(element, grads), table, ids.size(), kHidden, kVocab});
    std::vector<double> expected(before.begin(), before.end());
    for (std::size_t r = 0; r < ids.size(); ++r) {
      for (std::size_t c = 0; c < kHidden; ++c) expected[static_cast<std::size_t>(ids[r]) * kHidden + c] += grads[r * kHidden + c];
    }
    const auto after = arrays.download(element, table, before.size());
    CHECK(largestError(after, expected) < tolerance(element));
    CHECK(std::vector<float>(after.end() - kHidden, after.end()) == std::vector<float>(before.end() - kHidden, before.end()));
  }
}

TEST_CASE("an id outside the table fails instead of reading elsewhere") {
  for (const std::int32_t id : {std::int32_t{kVocab}, -1}) {
    DeviceArrays arrays;
    const auto ids = arrays.uploadRaw(std::vector<std::int32_t>{id});
    const auto table = arrays.upload(ElementType::f32, randomValues(kVocab * kHidden, 1)), out = arrays.room(ElementType::f32, kHidden);
    CHECK_THROWS_AS(arrays.run(EmbeddingForward{ElementType::f32, ids, table, out, 1, kHidden, kVocab}), EngineError);
    CHECK_THROWS_AS(arrays.run(EmbeddingBackward{ElementType::f32, ids, out, table, 1, kHidden, kVocab}), EngineError);
  }
}
