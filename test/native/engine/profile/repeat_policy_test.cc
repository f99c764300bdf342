#include "engine/profile/repeat_policy.h"

#include <doctest/doctest.h>

using namespace offload;

TEST_CASE("the median is the middle sample, or the mean of the two in the middle") {
  CHECK(medianOf({3, 1, 2}) == 2);
  CHECK(medianOf({4, 1, 2, 3}) == 2.5);
  CHECK(medianOf({}) == 0);
}

TEST_CASE("a median is stable once two more samples moved it by at most half a percent") {
  CHECK_FALSE(isMedianStable({100, 100}));
  CHECK(isMedianStable({100, 100, 100}));
  // Medians after each sample: 100, 100.5, 101.
  CHECK_FALSE(isMedianStable({100, 101, 101.1}));
  CHECK(isMedianStable({100, 100.4, 100.2}));
  // An outlier does not move it.
  CHECK(isMedianStable({100, 100.1, 99.9, 250, 100}));
  CHECK_FALSE(isMedianStable({100, 110, 120, 130, 140}));
}
