#pragma once

#include <cstddef>
#include <vector>

#include "engine/strategy/copy_key.h"
#include "engine/strategy/logical_order.h"
#include "engine/strategy/verl_groups.h"

namespace offload {

/// Group whose commit completes the copy of offload group i, for each of `groups` over `layers` layers: spread evenly, with
/// the first `layers mod groups` of them one commit further apart. Both at least 1, `groups` at most `layers`.
std::vector<std::size_t> offloadWindows(std::size_t groups, std::size_t layers);

/// verl's asynchronous double buffer: a stream per direction; at most two groups live on the device.
///
/// With `CopyKey::original` two views of one storage share the first one's copy, which the framework makes in the order of
/// that view's elements; the second comes back in the wrong order where the two orders differ.
class VerlDoubleBuffer final : public VerlGroups {
 public:
  VerlDoubleBuffer(Autograd& autograd, HostPool& pool, const std::vector<ModuleId>& layers, std::size_t moduleCount, CopyKey key);
  ~VerlDoubleBuffer() override;

  void abandon() noexcept override;
  std::size_t aliveKeys() const override;

 private:
  struct Saved;
  class PackedSaved;
  struct HostGroupCopy;
  struct Group;

  std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor) override;
  void commitForward() override;
  void commitBackward() override;
  void startOffload(std::size_t index);
  void startReload(std::size_t index);
  void takeReleasedMemory(StreamId stream, Lane lane);
  void waitBothWays(StreamId stream, Lane lane, const char* name);
  bool isSame(const Tensor& first, const Tensor& second) const;
  void copyOut(Group& group, HostGroupCopy& copy);
  Tensor copyBack(HostGroupCopy& copy);

  CopyKey key_;
  std::vector<std::size_t> windows_;
  DeviceStream d2hStream_;
  DeviceStream h2dStream_;
  LogicalOrder logicalOrder_;
  std::vector<Group> groups_;
  std::vector<Tensor> arriving_;   ///< copies on the way back
  std::size_t offloaded_ = 0;   ///< groups whose copies to the host are complete
};

}  // namespace offload
