#include "devices/open_device.h"

#include <utility>

#include "cpu/cpu_device.h"
#include "cuda/open_cuda_device.h"
#include "sim/open_sim_device.h"

namespace offload {
namespace {

/// A GPU where one can be used, else the CPU with the reason as a warning.
std::variant<std::unique_ptr<Device>, Problem> openBest(const std::atomic<bool>& cancelled) {
  auto opened = openCudaDevice(cancelled);
  const auto* problem = std::get_if<Problem>(&opened);
  if (problem == nullptr) return opened;
  CpuDeviceOptions options;
  options.openingWarnings = {{"DEVICE_FALLBACK", "The CPU was used, since no GPU can be: " + problem->message + " (" + problem->code +
                                                     "; the device cuda tells more.)"}};
  return std::make_unique<CpuDevice>(cancelled, std::move(options));
}

}  // namespace

std::variant<std::unique_ptr<Device>, Problem> openDevice(const std::string& name, const std::atomic<bool>& cancelled) {
  if (name == "auto") return openBest(cancelled);
  if (name == "cpu") return std::make_unique<CpuDevice>(cancelled);
  if (name == "cuda") return openCudaDevice(cancelled);
  if (name.starts_with("sim:")) return openSimDevice(name.substr(4), cancelled);
  return Problem{"DEVICE_UNKNOWN", "There is no device of the name asked for.", "Known are auto, cpu, cuda and sim:NAME.",
                 "Use the device auto or cpu."};
}

}  // namespace offload
