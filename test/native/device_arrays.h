#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "cpu/cpu_device.h"
#include "cpu/element.h"
#include "cpu/instruction_sets.h"

namespace offload::testing {

/// A CpuDevice with arrays that go in and out as floats, for tests of single kernels.
class DeviceArrays {
 public:
  explicit DeviceArrays(unsigned kernelThreads = 2) : device(cancelled, {.kernelThreads = kernelThreads}) {}

  template <class T>
  DeviceAddress uploadRaw(const std::vector<T>& values) {
    const DeviceAddress address = device.allocate(values.size() * sizeof(T), kComputeStream);
    device.copyToDevice(kComputeStream, address, reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(T));
    device.synchronize();
    return address;
  }

  template <class T>
  std::vector<T> downloadRaw(DeviceAddress address, std::size_t count) {
    std::vector<T> values(count);
    device.copyToHost(kComputeStream, reinterpret_cast<std::byte*>(values.data()), address, count * sizeof(T));
    device.synchronize();
    return values;
  }

  DeviceAddress upload(ElementType element, const std::vector<float>& values) {
    if (element == ElementType::f32) return uploadRaw(values);
    std::vector<Bf16> stored(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) stored[i] = fromFloat<Bf16>(values[i]);
    return uploadRaw(stored);
  }

  std::vector<float> download(ElementType element, DeviceAddress address, std::size_t count) {
    if (element == ElementType::f32) return downloadRaw<float>(address, count);
    const auto stored = downloadRaw<Bf16>(address, count);
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = toFloat(stored[i]);
    return values;
  }

  /// Room for `count` elements, filled with a pattern that no kernel produces by luck.
  DeviceAddress room(ElementType element, std::size_t count) { return uploadRaw(std::vector<unsigned char>(count * bytesPerElement(element), 0xee)); }

  void run(const KernelCall& call) {
    device.launch(kComputeStream, call);
    device.synchronize();
  }

  std::atomic<bool> cancelled{false};
  CpuDevice device;
};

/// Uniform values in [-1, 1) that bf16 stores exactly, so that both element types see the same inputs.
inline std::vector<float> randomValues(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(static_cast<int>(generator() >> 24U) - 128) / 128.0F;
  return values;
}

/// Largest |a - b| / (1 + |b|).
inline double largestError(const std::vector<float>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : 1e30;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const double error = std::abs(a[i] - b[i]) / (1 + std::abs(b[i]));
    // A NaN must not pass as small.
    largest = error <= largest ? largest : (error == error ? error : 1e30);
  }
  return largest;
}

/// One unit of rounding to bf16 is 2^-8; sums in fp32 add little.
inline double tolerance(ElementType element) { return element == ElementType::bf16 ? 1.0 / 128 : 2e-5; }

inline double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

/// Central differences of `function` at `point`.
inline std::vector<double> numericGradient(std::vector<float> point, const std::function<double(const std::vector<float>&)>& function,
                                           float step = 1.0F / 128) {
  std::vector<double> gradient(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) {
    const float middle = point[i];
    point[i] = middle + step;
    const double above = function(point);
    point[i] = middle - step;
    const double below = function(point);
    point[i] = middle;
    gradient[i] = (above - below) / (2.0 * step);
  }
  return gradient;
}

/// Calls `body` once per instruction set that this machine has.
template <class Body>
void forEachInstructionSet(const Body& body) {
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    instructionSetLimit = set;
    if (widestInstructionSet() == set) body();
  }
  instructionSetLimit = InstructionSet::avx512;
}

inline constexpr ElementType kElements[] = {ElementType::bf16, ElementType::f32};

}  // namespace offload::testing
