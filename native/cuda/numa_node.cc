#include "cuda/numa_node.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cctype>
#include <cstddef>
#include <fstream>

namespace offload::cuda {
namespace {

/// linux/mempolicy.h, which not every system has: MPOL_PREFERRED.
constexpr int kPreferredPolicy = 1;

bool readPolicy(int& policy, NodeMask& nodes) {
#if defined(SYS_get_mempolicy)
  return syscall(SYS_get_mempolicy, &policy, nodes.data(), kMostNodes, nullptr, 0UL) == 0;
#else
  (void)policy, (void)nodes;
  return false;
#endif
}

bool setPolicy(int policy, const NodeMask& nodes) {
#if defined(SYS_set_mempolicy)
  return syscall(SYS_set_mempolicy, policy, nodes.data(), kMostNodes) == 0;
#else
  (void)policy, (void)nodes;
  return false;
#endif
}

}  // namespace

std::optional<int> numaNodeOf(const std::string& busId, const std::string& devicesFolder) {
  std::string lower = busId;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::ifstream file(devicesFolder + "/" + lower + "/numa_node");
  int node = -1;
  if (!(file >> node) || node < 0) return std::nullopt;
  return node;
}

PreferredNode::PreferredNode(std::optional<int> node) noexcept {
  if (!node || static_cast<std::size_t>(*node) >= kMostNodes || !readPolicy(policyBefore_, nodesBefore_)) return;
  constexpr std::size_t bits = 8 * sizeof(unsigned long);
  NodeMask mask{};
  mask[static_cast<std::size_t>(*node) / bits] = 1UL << (static_cast<std::size_t>(*node) % bits);
  isSet_ = setPolicy(kPreferredPolicy, mask);
}

PreferredNode::~PreferredNode() {
  if (isSet_) setPolicy(policyBefore_, nodesBefore_);
}

}  // namespace offload::cuda
