#include "engine/profile/step_checksum.h"

#include <cstring>
#include <vector>

namespace offload {
namespace {

/// The finaliser of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;
constexpr std::uint64_t kSlotBytes = 8;

}  // namespace

std::uint64_t stepChecksum(Executor& executor, const std::vector<Tensor>& results) {
  Device& device = executor.device();
  // One slot of two f32 elements per tensor holds its 64-bit sum.
  const Tensor sums = executor.allocate(Layout::contiguous(TensorType::f32, {results.size(), 2}), Account::scratch);
  std::vector<std::byte> host(sums.layout.sizeBytes());
  device.launch(kComputeStream, Memset{sums.address(), host.size()});
  std::uint64_t slot = 0;
  for (const Tensor& result : results) {
    const DeviceAddress out = sums.address() + kSlotBytes * slot++;
    if (!result) continue;
    device.launch(kComputeStream, Checksum{result.address(), result.layout.sizeBytes(), out});
  }
  device.copyToHost(kComputeStream, host.data(), sums.address(), host.size());
  device.synchronize();

  std::uint64_t total = 0;
  for (std::size_t index = 0; index < results.size(); ++index) {
    std::uint64_t sum = 0;
    std::memcpy(&sum, host.data() + kSlotBytes * index, kSlotBytes);
    total += mix(sum + (index + 1) * kGolden);
  }
  return total;
}

}  // namespace offload
