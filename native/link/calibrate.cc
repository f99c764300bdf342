#include "link/calibrate.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/device/device_handles.h"

namespace offload {
namespace {

/// Sizes of the measurement: those of a large layer on a GPU, small ones where threads compute.
struct Sizes {
  std::uint32_t rows;
  std::uint32_t inWidth;
  std::uint32_t outWidth;
  std::uint64_t copyBytes;
  std::uint64_t pinBytes;
};

constexpr Sizes kOnGpu{8192, 4096, 12288, std::uint64_t{1} << 29, std::uint64_t{1} << 28};
constexpr Sizes kOnCpu{256, 512, 512, std::uint64_t{16} << 20, std::uint64_t{16} << 20};
constexpr int kRepeats = 10;
/// A plain copy comes this near to a data sheet's bandwidth.
constexpr double kCopyShare = 0.9;

/// The shortest of several runs, ns: what the device can do when nothing is in the way.
template <typename Queue>
double shortestNs(Device& device, const std::atomic<bool>& cancelled, Queue queue) {
  queue();
  device.synchronize();
  device.forgetTickets();
  std::vector<Ticket> tickets;
  for (int i = 0; i < kRepeats; ++i) {
    if (cancelled) throw EngineError({"CANCELLED", "The calibration was cancelled.", "", "Start it again when you want its result."});
    tickets.push_back(queue());
  }
  device.synchronize();
  double shortest = std::numeric_limits<double>::infinity();
  for (const Ticket ticket : tickets) {
    const Interval at = device.interval(ticket);
    shortest = std::min(shortest, at.endNs - at.startNs);
  }
  return std::max(shortest, 1.0);
}

double matmulTflops(Device& device, const Sizes& sizes, const std::atomic<bool>& cancelled) {
  const auto bytes = [](std::uint64_t rows, std::uint64_t columns) { return rows * columns * 2; };
  const DeviceBuffer input(device, bytes(sizes.rows, sizes.inWidth));
  const DeviceBuffer weight(device, bytes(sizes.outWidth, sizes.inWidth));
  const DeviceBuffer out(device, bytes(sizes.rows, sizes.outWidth));
  constexpr auto element = ElementType::bf16;
  device.launch(kComputeStream, FillNormal{element, input.address(), std::uint64_t{sizes.rows} * sizes.inWidth, 1, 1.0f});
  device.launch(kComputeStream, FillNormal{element, weight.address(), std::uint64_t{sizes.outWidth} * sizes.inWidth, 2, 0.02f});
  const LinearForward product{element, input.address(), weight.address(), 0, out.address(), sizes.rows, sizes.inWidth, sizes.outWidth};
  const double ns = shortestNs(device, cancelled, [&] { return device.launch(kComputeStream, product); });
  return 2e-3 * sizes.rows * sizes.inWidth * sizes.outWidth / ns;
}

double memoryGBps(Device& device, const Sizes& sizes, const std::atomic<bool>& cancelled) {
  const DeviceBuffer from(device, sizes.copyBytes);
  const DeviceBuffer to(device, sizes.copyBytes);
  device.launch(kComputeStream, Memset{from.address(), sizes.copyBytes});
  const double ns = shortestNs(device, cancelled, [&] {
    return device.copyOnDevice(kComputeStream, to.address(), from.address(), sizes.copyBytes);
  });
  return 2.0 * static_cast<double>(sizes.copyBytes) / ns;
}

double pinMsPerGiB(Device& device, const Sizes& sizes) {
  const double startNs = device.nowNs();
  const auto address = device.allocatePinned(sizes.pinBytes);
  const double tookNs = device.nowNs() - startNs;
  if (!address) return 0;
  device.releasePinned(*address);
  return tookNs / 1e6 / (static_cast<double>(sizes.pinBytes) / 1073741824.0);
}

}  // namespace

DeviceProfile calibrate(Device& device, const LinkResult& link, const std::atomic<bool>& cancelled) {
  const DeviceInfo info = device.info();
  if (info.kind == "sim") {
    throw EngineError({"CALIBRATION_SIMULATED", "A simulated device is not calibrated.", "It is a profile already.",
                       "Use --device cuda on a machine with a GPU."});
  }
  const Sizes& sizes = info.kind == "cpu" ? kOnCpu : kOnGpu;
  DeviceProfile profile = std::get<DeviceProfile>(findDeviceProfile("H200"));
  profile.name = info.name;
  profile.aliases = {};
  profile.source = "Measured here (" + info.matmul + ", " + info.driver.value_or("no driver") +
                   "): link, pinning, a matrix product and a copy on the device. Shares of the peaks and host costs are those fitted "
                   "on an H200.";
  profile.isMeasured = true;
  profile.memoryBytes = std::max<std::uint64_t>(device.availableBytes(), 1U << 20U);
  const LinkRates rates = link.pinned ? *link.pinned : link.pageable.value_or(LinkRates{});
  profile.d2hGBps = std::max(rates.d2hGBps, 0.001);
  profile.h2dGBps = std::max(rates.h2dGBps, 0.001);
  profile.bothGBps = rates.bothGBps > 0 ? rates.bothGBps : std::max(profile.d2hGBps, profile.h2dGBps);

  profile.pageable.reset();
  if (link.pageable) profile.pageable = PageableRates{std::max(link.pageable->d2hGBps, 0.001), std::max(link.pageable->h2dGBps, 0.001)};

  // The measured rate is a share of the peak.
  profile.matmulTflops = std::max(matmulTflops(device, sizes, cancelled) / profile.matmulShare, 0.001);
  profile.memoryGBps = std::max(memoryGBps(device, sizes, cancelled) / kCopyShare, 0.1);
  if (const double pinMs = pinMsPerGiB(device, sizes); pinMs > 0) profile.pinMsPerGiB = pinMs;
  profile.timeUncertainty = 0.15;
  return profile;
}

}  // namespace offload
