#pragma once

#include <cstdint>
#include <vector>

namespace offload {

/// The middle of the samples, or the mean of the two in the middle; 0 without samples.
double medianOf(std::vector<double> samples);

/// Whether one more sample would hardly move the median: it was within 0.5 % of its present value after each of the last two
/// samples as well.
bool isMedianStable(const std::vector<double>& samples);

/// Where a run ends that may take as many steps as it likes: at a stable median, or at these limits.
inline constexpr std::uint32_t kMostRepeatedSteps = 50;
inline constexpr double kMostRepeatedMs = 20'000;

}  // namespace offload
