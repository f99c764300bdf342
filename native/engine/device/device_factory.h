#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "engine/base/problem.h"
#include "engine/device/device.h"

namespace offload {

/// Opens a device by the name of the request ("auto", "cpu", ...). The engine knows no device itself. The flag outlives the
/// device: a device drops queued work once it is set, and `synchronize` and `hostWait` then throw CANCELLED.
using DeviceFactory =
    std::function<std::variant<std::unique_ptr<Device>, Problem>(const std::string& name, const std::atomic<bool>& cancelled)>;

}  // namespace offload
