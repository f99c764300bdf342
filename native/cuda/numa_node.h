#pragma once

#include <array>
#include <optional>
#include <string>

namespace offload::cuda {

/// Memory node that a PCI device hangs on, from sysfs; nothing on machines that name none. `busId` as the driver writes it,
/// "0000:4B:00.0".
std::optional<int> numaNodeOf(const std::string& busId, const std::string& devicesFolder = "/sys/bus/pci/devices");

/// Nodes that a policy can name: what the kernel supports at most.
inline constexpr unsigned long kMostNodes = 1024;
using NodeMask = std::array<unsigned long, kMostNodes / (8 * sizeof(unsigned long))>;

/// While it lives, the calling thread's new pages come from `node` as long as that has some (set_mempolicy, MPOL_PREFERRED);
/// then its policy is again what it was, such as that of numactl.
class PreferredNode {
 public:
  explicit PreferredNode(std::optional<int> node) noexcept;
  ~PreferredNode();
  PreferredNode(const PreferredNode&) = delete;
  PreferredNode& operator=(const PreferredNode&) = delete;

 private:
  bool isSet_ = false;
  int policyBefore_ = 0;
  NodeMask nodesBefore_{};
};

}  // namespace offload::cuda
