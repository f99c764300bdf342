#include "engine/strategy/verl_sync.h"

#include "engine/strategy/host_copy.h"

namespace offload {

std::variant<Tensor, std::unique_ptr<PackedTensor>> VerlSync::pack(const Tensor& tensor) {
  if (group() >= offloadedGroups()) return tensor;
  return std::make_unique<HostCopy>(executor(), pool(), tensor, CopyOut::runsOn);
}

}  // namespace offload
