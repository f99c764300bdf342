#include "engine/profile/repeat_policy.h"

#include <algorithm>
#include <cmath>

namespace offload {
namespace {

constexpr double kStableShare = 0.005;
constexpr std::size_t kLastMedians = 3;

}  // namespace

double medianOf(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

bool isMedianStable(const std::vector<double>& samples) {
  if (samples.size() < kLastMedians) return false;
  const double median = medianOf(samples);
  for (std::size_t left = 1; left < kLastMedians; ++left) {
    const std::vector<double> earlier(samples.begin(), samples.end() - static_cast<std::ptrdiff_t>(left));
    if (std::abs(medianOf(earlier) - median) > kStableShare * median) return false;
  }
  return true;
}

}  // namespace offload
