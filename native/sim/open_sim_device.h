#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <variant>

#include "engine/base/problem.h"
#include "engine/device/device.h"

namespace offload {

/// Opens the simulated device of a name like `H200` or of a profile file `….json`. Problems: DEVICE_UNKNOWN,
/// DEVICE_PROFILE_INVALID.
std::variant<std::unique_ptr<Device>, Problem> openSimDevice(const std::string& name, const std::atomic<bool>& cancelled);

}  // namespace offload
