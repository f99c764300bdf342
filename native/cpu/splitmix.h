#pragma once

#include <cstdint>

namespace offload {

/// 2^64 divided by the golden ratio, the step of splitmix64.
inline constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

/// The finaliser of splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014; constants
/// of Stafford's variant 13).
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

/// The first output of a splitmix64 generator whose state is `state`.
constexpr std::uint64_t splitmix64(std::uint64_t state) { return mix(state + kGolden); }

/// Element i of the pseudo-normal sequence of `seed`, not yet scaled: the sum of the four 16-bit lanes of
/// splitmix64(splitmix64(seed) + i), minus its mean of 131070. Hashing the seed first keeps the sequences of neighbouring
/// seeds from being shifts of each other.
constexpr std::int32_t centredLaneSum(std::uint64_t hashedSeed, std::uint64_t i) {
  const std::uint64_t hash = splitmix64(hashedSeed + i);
  const std::uint64_t sum = (hash & 0xffffU) + ((hash >> 16U) & 0xffffU) + ((hash >> 32U) & 0xffffU) + (hash >> 48U);
  return static_cast<std::int32_t>(sum) - 131070;
}

/// Standard deviation of centredLaneSum for ideal lanes: sqrt(4 * (65536^2 - 1) / 12).
inline constexpr double kLaneSumDeviation = 37837.22723720648;

/// FillNormal's factor: each element is E(float(centredLaneSum) * scale), one rounding per step.
constexpr float normalScale(float stddev) { return static_cast<float>(static_cast<double>(stddev) / kLaneSumDeviation); }

}  // namespace offload
