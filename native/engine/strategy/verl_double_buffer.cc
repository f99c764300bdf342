#include "engine/strategy/verl_double_buffer.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace offload {

/// What stands for one saved tensor: the tensor itself, or the number of its copy while it is on the host.
struct VerlDoubleBuffer::Saved {
  Tensor tensor;
  Layout layout;
  std::size_t copy = 0;
};

class VerlDoubleBuffer::PackedSaved final : public PackedTensor {
 public:
  explicit PackedSaved(std::shared_ptr<Saved> saved) : saved_(std::move(saved)) {}

  Tensor unpack() override {
    if (!saved_->tensor) throw std::logic_error("a group ran backward before its tensors were back");
    return std::exchange(saved_->tensor, Tensor{});
  }

 private:
  std::shared_ptr<Saved> saved_;
};

struct VerlDoubleBuffer::HostGroupCopy {
  Tensor first;         ///< the tensor that is copied, until it is let go
  Layout layout;        ///< of the copy, which is in the order of its shape if `isRearranged`
  bool isRearranged = false;
  HostBuffer buffer;
};

/// What one layer saved.
struct VerlDoubleBuffer::Group {
  std::int32_t layer = kNoLayer;
  std::vector<std::shared_ptr<Saved>> saved;
  std::vector<HostGroupCopy> copies;
  std::vector<Tensor> leaving;   ///< device tensors that a copy to the host still reads
};

std::vector<std::size_t> offloadWindows(std::size_t groups, std::size_t layers) {
  std::vector<std::size_t> windows(groups);
  const std::size_t shifted = layers % groups;
  for (std::size_t index = 0; index < groups; ++index) {
    windows[index] = layers / groups * (index + 1) - 1 + std::min(index + 1, shifted);
  }
  return windows;
}

VerlDoubleBuffer::VerlDoubleBuffer(Autograd& autograd, HostPool& pool, const std::vector<ModuleId>& layers,
                                   std::size_t moduleCount, CopyKey key)
    : VerlGroups(autograd, pool, layers, moduleCount),
      key_(key),
      windows_(offloadWindows(offloadedGroups(), layerCount())),
      d2hStream_(executor().device(), "d2h"),
      h2dStream_(executor().device(), "h2d"),
      logicalOrder_(executor()),
      groups_(offloadedGroups()) {}

VerlDoubleBuffer::~VerlDoubleBuffer() { abandon(); }

void VerlDoubleBuffer::abandon() noexcept {
  VerlGroups::abandon();
  offloaded_ = 0;
  arriving_.clear();
  for (Group& group : groups_) {
    for (HostGroupCopy& copy : group.copies) {
      try {
        if (copy.buffer) pool().releaseFresh(std::move(copy.buffer));
      } catch (...) {
        // The run ends: it synchronises the device before the allocator below the pool goes.
      }
    }
    group = {};
  }
}

std::size_t VerlDoubleBuffer::aliveKeys() const {
  std::size_t alive = 0;
  for (const Group& group : groups_) alive += group.saved.size();
  return alive;
}

std::variant<Tensor, std::unique_ptr<PackedTensor>> VerlDoubleBuffer::pack(const Tensor& tensor) {
  if (group() >= offloadedGroups()) return tensor;
  Group& current = groups_[group()];
  current.layer = executor().layer();
  current.saved.push_back(std::make_shared<Saved>(Saved{tensor, tensor.layout, 0}));
  return std::make_unique<PackedSaved>(current.saved.back());
}

bool VerlDoubleBuffer::isSame(const Tensor& first, const Tensor& second) const {
  if (first.address() != second.address()) return false;
  return key_ == CopyKey::layout ? first.layout == second.layout : first.layout.type == second.layout.type;
}

void VerlDoubleBuffer::copyOut(Group& group, HostGroupCopy& copy) {
  Tensor source = copy.first;
  copy.isRearranged = key_ == CopyKey::original && !source.layout.isContiguous();
  if (copy.isRearranged) {
    source = logicalOrder_.contiguous(d2hStream_.id(), Lane::d2h, source);
    group.leaving.push_back(source);
  }
  copy.layout = source.layout;
  executor().copyToHost(d2hStream_.id(), copy.buffer.address(), source, "copy to host");
  copy.buffer.lastUse = executor().mark(d2hStream_.id()).event;
  copy.first = {};
}

void VerlDoubleBuffer::startOffload(std::size_t index) {
  Group& group = groups_[index];
  const LayerScope layerScope(executor(), group.layer);
  takeReleasedMemory(d2hStream_.id(), Lane::d2h);
  for (const auto& saved : group.saved) {
    const auto known = std::find_if(group.copies.begin(), group.copies.end(),
                                    [&](const HostGroupCopy& copy) { return isSame(copy.first, saved->tensor); });
    saved->copy = static_cast<std::size_t>(known - group.copies.begin());
    if (known == group.copies.end()) group.copies.push_back({saved->tensor, {}, false, {}});
  }
  // Released together, when the window says that the copies are complete.
  for (const auto& saved : group.saved) group.leaving.push_back(std::exchange(saved->tensor, Tensor{}));
  for (HostGroupCopy& copy : group.copies) {
    copy.buffer = pool().acquireFresh(copy.first.layout);
    copyOut(group, copy);
  }
}

Tensor VerlDoubleBuffer::copyBack(HostGroupCopy& copy) {
  Tensor tensor = executor().allocate(copy.layout, Account::live, h2dStream_.id());
  executor().copyToDevice(h2dStream_.id(), tensor, copy.buffer.address(), "copy to device");
  copy.buffer.lastUse = executor().mark(h2dStream_.id()).event;
  return tensor;
}

void VerlDoubleBuffer::startReload(std::size_t index) {
  Group& group = groups_[index];
  const LayerScope layerScope(executor(), group.layer);
  takeReleasedMemory(h2dStream_.id(), Lane::h2d);
  std::vector<Tensor> back;
  for (HostGroupCopy& copy : group.copies) back.push_back(copyBack(copy));
  for (const auto& saved : group.saved) {
    const Tensor& copied = back[saved->copy];
    // With the original key a copy counts as dense in the order of the asked shape, whatever it was made from.
    const bool isRearranged = key_ == CopyKey::original && !saved->layout.isContiguous();
    saved->tensor = isRearranged ? logicalOrder_.inMemoryOrder(h2dStream_.id(), Lane::h2d, copied, saved->layout) : copied;
    saved->tensor.layout = saved->layout;
  }
  for (HostGroupCopy& copy : group.copies) pool().releaseFresh(std::move(copy.buffer));
  group = {};
  // What was rearranged is read on the stream of the copies: it goes when compute has waited for that.
  arriving_ = std::move(back);
}

void VerlDoubleBuffer::takeReleasedMemory(StreamId stream, Lane lane) {
  // The framework keeps a pool of memory for each stream. Here a stream that rearranges may be given what was released since
  // it last waited.
  if (key_ == CopyKey::original) executor().streamWait(stream, executor().mark(kComputeStream), lane, "wait for compute");
}

void VerlDoubleBuffer::waitBothWays(StreamId stream, Lane lane, const char* name) {
  executor().streamWait(stream, executor().mark(kComputeStream), lane, "wait for compute");
  executor().streamWait(kComputeStream, executor().mark(stream), Lane::compute, name);
}

void VerlDoubleBuffer::commitForward() {
  if (group() == 0) {
    executor().streamWait(d2hStream_.id(), executor().mark(kComputeStream), Lane::d2h, "wait for compute");
    startOffload(0);
  }
  if (offloaded_ >= offloadedGroups() || windows_[offloaded_] != group()) return;
  waitBothWays(d2hStream_.id(), Lane::d2h, "wait for copies to host");
  groups_[offloaded_].leaving.clear();
  if (offloaded_ + 1 < offloadedGroups()) startOffload(offloaded_ + 1);
  ++offloaded_;
}

void VerlDoubleBuffer::commitBackward() {
  if (offloaded_ > 0 && windows_[offloaded_ - 1] == group()) {
    waitBothWays(h2dStream_.id(), Lane::h2d, "wait for copies to device");
    arriving_.clear();
    startReload(offloaded_ - 1);
    if (offloaded_ > 1) --offloaded_;
  }
  if (group() != 0) return;
  executor().streamWait(kComputeStream, executor().mark(h2dStream_.id()), Lane::compute, "wait for copies to device");
  arriving_.clear();
  offloaded_ = 0;
}

}  // namespace offload
