#include "sim/open_sim_device.h"

#include "sim/sim_device.h"

namespace offload {

std::variant<std::unique_ptr<Device>, Problem> openSimDevice(const std::string& name, const std::atomic<bool>& cancelled) {
  auto found = findDeviceProfile(name);
  if (auto* problem = std::get_if<Problem>(&found)) return std::move(*problem);
  return std::make_unique<SimDevice>(std::move(std::get<DeviceProfile>(found)), cancelled);
}

}  // namespace offload
