#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <variant>

#include "engine/device.h"
#include "engine/problem.h"

namespace offload {

/// The engine's DeviceFactory: "auto" and "cpu" open the CPU device. "cuda" and "sim:NAME" are DEVICE_UNAVAILABLE as long as
/// this version lacks them, any other name is DEVICE_UNKNOWN.
std::variant<std::unique_ptr<Device>, Problem> openDevice(const std::string& name, const std::atomic<bool>& cancelled);

}  // namespace offload
