#pragma once

#include <optional>
#include <string>

namespace offload::cuda {

/// Memory node that a PCI device hangs on, from sysfs; nothing on machines that name none. `busId` as the driver writes it,
/// "0000:4B:00.0".
std::optional<int> numaNodeOf(const std::string& busId, const std::string& devicesFolder = "/sys/bus/pci/devices");

/// While it lives, the calling thread's new pages come from `node` as long as that has some (set_mempolicy, MPOL_PREFERRED).
class PreferredNode {
 public:
  explicit PreferredNode(std::optional<int> node) noexcept;
  ~PreferredNode();
  PreferredNode(const PreferredNode&) = delete;
  PreferredNode& operator=(const PreferredNode&) = delete;

 private:
  bool isSet_ = false;
};

}  // namespace offload::cuda
