#include "devices/open_device.h"

#include "cpu/cpu_device.h"
#include "sim/open_sim_device.h"

namespace offload {

std::variant<std::unique_ptr<Device>, Problem> openDevice(const std::string& name, const std::atomic<bool>& cancelled) {
  if (name == "auto" || name == "cpu") return std::make_unique<CpuDevice>(cancelled);
  if (name == "cuda") {
    return Problem{"DEVICE_UNAVAILABLE", "The device cuda is not available.", "This version of the engine runs on the CPU only.",
                   "Use the device cpu with a small model, or fewer layers of a large one."};
  }
  if (name.starts_with("sim:")) return openSimDevice(name.substr(4), cancelled);
  return Problem{"DEVICE_UNKNOWN", "There is no device of the name asked for.", "Known are auto, cpu, cuda and sim:NAME.",
                 "Use the device auto or cpu."};
}

}  // namespace offload
