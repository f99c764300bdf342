#include "engine/strategy/host_pool.h"

#include <new>

#include "engine/device/poisoning_device.h"

namespace offload {

void HostPool::setInUse(std::uint64_t bytes) {
  inUseBytes_ = bytes;
  executor_.recorder().pinnedMemoryChanged(bytes);
}

void HostPool::freeFinishedPageable() {
  std::erase_if(leavingPageable_, [](const HostBuffer& buffer) { return buffer.lastUse.isReady(); });
}

HostBuffer HostPool::create(const Layout& layout) {
  freeFinishedPageable();
  HostBuffer buffer;
  buffer.layout = layout;
  if (const auto block = allocator_.allocate(layout.sizeBytes())) {
    buffer.pinned = *block;
  } else {
    buffer.pageable.reset(new (std::nothrow) std::byte[layout.sizeBytes()]);
    if (!buffer.pageable) {
      throw EngineError({"HOST_OUT_OF_MEMORY", "No host memory is left for an offloaded tensor.",
                         "A buffer of " + std::to_string(layout.sizeBytes()) + " bytes could not be had, pinned or pageable.",
                         "Use fewer layers or shorter sequences, or free host memory."});
    }
    ++pageableAllocations_;
  }
  return buffer;
}

HostBuffer HostPool::acquireFresh(const Layout& layout) {
  HostBuffer buffer = create(layout);
  setInUse(inUseBytes_ + buffer.sizeBytes());
  return buffer;
}

void HostPool::releaseFresh(HostBuffer buffer) {
  setInUse(inUseBytes_ - buffer.sizeBytes());
  discard(std::move(buffer));
}

HostBuffer HostPool::acquire(const Layout& layout) {
  const auto found = idle_.find(layout);
  HostBuffer buffer;
  if (found == idle_.end()) {
    buffer = create(layout);
    ++counters_.allocations;
  } else {
    Idle& idle = found->second;
    buffer = std::move(idle.buffers.back());
    idle.buffers.pop_back();
    idleBytes_ -= buffer.sizeBytes();
    ++counters_.reuses;
    if (idle.buffers.empty()) {
      recency_.erase(idle.place);
      idle_.erase(found);
    } else {
      recency_.splice(recency_.end(), recency_, idle.place);
    }
  }
  setInUse(inUseBytes_ + buffer.sizeBytes());
  return buffer;
}

void HostPool::discard(HostBuffer buffer) {
  if (!buffer.pageable) {
    allocator_.free(buffer.pinned, std::move(buffer.lastUse));
  } else if (!buffer.lastUse.isReady()) {
    leavingPageable_.push_back(std::move(buffer));
  }
}

void HostPool::evictOldest() {
  const auto found = idle_.find(recency_.front());
  Idle& idle = found->second;
  HostBuffer oldest = std::move(idle.buffers.front());
  idle.buffers.pop_front();
  idleBytes_ -= oldest.sizeBytes();
  ++counters_.evictions;
  if (idle.buffers.empty()) {
    recency_.erase(idle.place);
    idle_.erase(found);
  }
  discard(std::move(oldest));
}

void HostPool::release(HostBuffer buffer) {
  const std::uint64_t sizeBytes = buffer.sizeBytes();
  setInUse(inUseBytes_ - sizeBytes);
  if (poison_ == HostPoison::on) poisonHostMemory({buffer.address(), sizeBytes});
  if (limitBytes_ == 0 || sizeBytes > limitBytes_) {
    ++counters_.drops;
    discard(std::move(buffer));
    return;
  }
  while (idleBytes_ + sizeBytes > limitBytes_) evictOldest();

  const Layout layout = buffer.layout;
  const auto [entry, isNew] = idle_.try_emplace(layout);
  if (isNew) {
    entry->second.place = recency_.insert(recency_.end(), layout);
  } else {
    recency_.splice(recency_.end(), recency_, entry->second.place);
  }
  entry->second.buffers.push_back(std::move(buffer));
  idleBytes_ += sizeBytes;
}

}  // namespace offload
