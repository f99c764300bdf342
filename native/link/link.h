#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/problem.h"
#include "engine/device/device_factory.h"

namespace offload {

/// GB/s (10^9 bytes per second) of large copies. `bothGBps` is the sum of the two directions while both are under way; 0 where
/// they never are, as with copies of pageable memory that hold the host up.
struct LinkRates {
  double d2hGBps = 0;
  double h2dGBps = 0;
  double bothGBps = 0;
};

/// GB/s of copies of one size, each alone on an empty stream: what starting a copy takes counts.
struct SizedRates {
  std::uint64_t sizeBytes = 0;
  double d2hGBps = 0;
  double h2dGBps = 0;
};

/// What the connection between host and device carries.
struct LinkResult {
  DeviceInfo device;
  std::optional<LinkRates> pinned;   ///< nothing where no memory could be pinned
  /// Pinned copies of the sizes that offload copies have (8, 32 and 64 MiB), of those smaller than the buffers.
  std::vector<SizedRates> pinnedBySize;
  std::optional<LinkRates> pageable; ///< nothing where a simulated device does not know them
  std::optional<bool> isVerified;    ///< the pattern came back whole; nothing on a simulated device, which moves no bytes
  std::vector<Warning> warnings;
};

/// Copies a pattern of `bufferBytes` back and forth `repeats` times in each direction and both at once. All copies of a
/// measurement are queued before the first is waited for, so launch costs do not count. Throws EngineError.
LinkResult measureLink(Device& device, std::uint64_t bufferBytes, int repeats, const std::atomic<bool>& cancelled);

/// Opens a device by name and measures its link with buffers that suit it: one line of JSON
/// `{device, pinned: {d2hGBps, h2dGBps, bothGBps} | null, pinnedBySize: [{sizeBytes, d2hGBps, h2dGBps}], pageable: {…} | null,
/// verified: true | false | null, warnings}`.
/// Problems: those of the factory, LINK_CORRUPT where the pattern did not come back, DEVICE_OUT_OF_MEMORY, HOST_OUT_OF_MEMORY,
/// CANCELLED. With `isCalibrating` the JSON has a member `profile` more: a device profile for simulations (link/calibrate.h).
std::variant<std::string, Problem> runLink(const std::string& deviceName, const DeviceFactory& openDevice, const std::atomic<bool>& cancelled,
                                           bool isCalibrating = false);

}  // namespace offload
