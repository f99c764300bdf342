#include "engine/strategy/host_copy.h"

#include <stdexcept>
#include <utility>

namespace offload {

HostCopy::HostCopy(Executor& executor, HostPool& pool, const Tensor& tensor, CopyOut copyOut)
    : executor_(executor),
      pool_(pool),
      layer_(executor.layer()),
      account_(tensor.storage->account()),
      buffer_(pool.acquireFresh(tensor.layout)) {
  try {
    executor_.copyToHost(kComputeStream, buffer_.address(), tensor, "copy to host");
    WorkMark done = executor_.mark(kComputeStream);
    if (copyOut == CopyOut::waits) executor_.hostWait(done, "pack: wait for copy to host");
    buffer_.lastUse = std::move(done.event);
  } catch (...) {
    giveBack({});
    throw;
  }
}

HostCopy::~HostCopy() {
  if (hasBuffer_) giveBack(std::move(buffer_.lastUse));
}

Tensor HostCopy::unpack() {
  if (!hasBuffer_) throw std::logic_error("a tensor on the host was read twice");
  // The copy belongs to the layer that saved the tensor, whichever reads it.
  const LayerScope layerScope(executor_, layer_);
  Tensor tensor = executor_.allocate(buffer_.layout, account_);
  executor_.copyToDevice(kComputeStream, tensor, buffer_.address(), "copy to device");
  giveBack(executor_.mark(kComputeStream).event);
  return tensor;
}

void HostCopy::giveBack(DeviceEvent lastUse) noexcept {
  hasBuffer_ = false;
  buffer_.lastUse = std::move(lastUse);
  try {
    pool_.releaseFresh(std::move(buffer_));
  } catch (...) {
    // The run ends: it synchronises the device before the allocator below the pool goes.
  }
}

}  // namespace offload
