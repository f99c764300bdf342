#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <variant>

#include "engine/base/problem.h"
#include "engine/device/device.h"

namespace offload {

/// The engine's DeviceFactory: "cuda" opens the first GPU that can be used, "cpu" the CPU device, "auto" the first of the two
/// that can be (the CPU then warns why), "sim:NAME" a simulated device. Any other name is DEVICE_UNKNOWN; the rest of the
/// problems are those of openCudaDevice and openSimDevice.
std::variant<std::unique_ptr<Device>, Problem> openDevice(const std::string& name, const std::atomic<bool>& cancelled);

}  // namespace offload
