#pragma once

#include "link/link.h"
#include "sim/device_profile.h"

namespace offload {

/// A profile of the device that is present, for simulations of other models and settings on it: link, cost of pinning, rate of a
/// large matrix product and of memory are measured; what only a framework's own steps can tell (shares of the peaks, host costs) is
/// taken from the profile that is fitted to such steps. Takes seconds on a GPU. Throws EngineError, CALIBRATION_SIMULATED for a
/// simulated device among others.
DeviceProfile calibrate(Device& device, const LinkResult& link, const std::atomic<bool>& cancelled);

}  // namespace offload
