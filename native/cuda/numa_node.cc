#include "cuda/numa_node.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cctype>
#include <fstream>

namespace offload::cuda {
namespace {

// linux/mempolicy.h, which not every system has.
constexpr int kDefaultPolicy = 0;
constexpr int kPreferredPolicy = 1;
constexpr int kMostNodes = 64;

long setPolicy(int policy, const unsigned long* nodes, unsigned long count) {
#if defined(SYS_set_mempolicy)
  return syscall(SYS_set_mempolicy, policy, nodes, count);
#else
  (void)policy, (void)nodes, (void)count;
  return -1;
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
  if (!node || *node >= kMostNodes) return;
  const unsigned long mask = 1UL << static_cast<unsigned>(*node);
  isSet_ = setPolicy(kPreferredPolicy, &mask, kMostNodes + 1) == 0;
}

PreferredNode::~PreferredNode() {
  if (isSet_) setPolicy(kDefaultPolicy, nullptr, 0);
}

}  // namespace offload::cuda
