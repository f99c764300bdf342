#pragma once

#include <bit>
#include <cstdint>

namespace offload {

/// e^x within 2 units in the last place for x in [-87, 88], clamped outside: no branches and no library call, so a loop over
/// it vectorises and the bits do not depend on the C library. x = n ln 2 + r with |r| <= ln 2 / 2; e^r is the Taylor polynomial
/// of degree 7 (truncation error below 2^-27 on that interval); ln 2 is split in two as in Cody and Waite, "Software Manual for the Elementary
/// Functions" (1980).
[[gnu::always_inline]] inline float exponential(float x) {
  x = x < -87.0F ? -87.0F : x;
  x = x > 88.0F ? 88.0F : x;
  constexpr float roundingShift = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
  const float shifted = x * 1.44269504F + roundingShift;
  const float n = shifted - roundingShift;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.0F / 5040.0F;
  p = p * r + 1.0F / 720.0F;
  p = p * r + 1.0F / 120.0F;
  p = p * r + 1.0F / 24.0F;
  p = p * r + 1.0F / 6.0F;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  const std::int32_t exponent = static_cast<std::int32_t>(n);
  return p * std::bit_cast<float>((exponent + 127) << 23);
}

/// 1 / (1 + e^-x).
[[gnu::always_inline]] inline float sigmoid(float x) { return 1.0F / (1.0F + exponential(-x)); }

}  // namespace offload
