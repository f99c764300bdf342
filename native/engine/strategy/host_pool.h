#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "engine/strategy/pinned_allocator.h"
#include "engine/tape/tensor.h"

namespace offload {

/// A host buffer of the pool, pinned or (where pinning failed) pageable. Must go back through `HostPool::release`.
struct HostBuffer {
  PinnedBlock pinned;                    ///< address null for a pageable buffer
  std::unique_ptr<std::byte[]> pageable;
  Layout layout;
  DeviceEvent lastUse;                   ///< the last copy that touches the buffer

  explicit operator bool() const { return address() != nullptr; }
  HostAddress address() const { return pageable ? pageable.get() : pinned.address; }
  std::uint64_t sizeBytes() const { return layout.sizeBytes(); }
};

/// Counters since the pool was made, as the framework's pool counts them.
struct HostPoolCounters {
  std::uint64_t allocations = 0;
  std::uint64_t reuses = 0;
  std::uint64_t evictions = 0;
  std::uint64_t drops = 0;
};

/// The bounded pool of host buffers: free buffers per exact layout, the least recently used layout goes first. The limit
/// bounds what lies idle, never what is in flight. (VeOmni's rules, facts: offload semantics, host pool.)
class HostPool {
 public:
  HostPool(Executor& executor, PinnedAllocator& allocator, std::uint64_t limitBytes, HostPoison poison = HostPoison::off)
      : executor_(executor), allocator_(allocator), limitBytes_(limitBytes), poison_(poison) {}

  /// The newest idle buffer of that layout, or a new one; pageable if pinning fails. Throws HOST_OUT_OF_MEMORY.
  HostBuffer acquire(const Layout& layout);
  /// Takes back a buffer that no queued copy touches any more: the host has waited for it.
  void release(HostBuffer buffer);

  /// A new buffer beside the pool, as strategies take it that have no pool; not counted. Throws HOST_OUT_OF_MEMORY.
  HostBuffer acquireFresh(const Layout& layout);
  /// Takes back such a buffer; copies before `lastUse` may still be under way.
  void releaseFresh(HostBuffer buffer);

  const HostPoolCounters& counters() const { return counters_; }
  std::uint64_t idleBytes() const { return idleBytes_; }
  /// Bytes of buffers that are handed out now.
  std::uint64_t inUseBytes() const { return inUseBytes_; }
  std::uint64_t pageableAllocations() const { return pageableAllocations_; }

 private:
  struct Idle {
    std::deque<HostBuffer> buffers;              ///< oldest first
    std::list<Layout>::iterator place;           ///< in `recency_`
  };

  HostBuffer create(const Layout& layout);
  void discard(HostBuffer buffer);
  void freeFinishedPageable();
  void evictOldest();
  void setInUse(std::uint64_t bytes);

  Executor& executor_;
  PinnedAllocator& allocator_;
  std::uint64_t limitBytes_;
  HostPoison poison_;
  std::map<Layout, Idle> idle_;
  std::list<Layout> recency_;                    ///< least recent first
  std::uint64_t idleBytes_ = 0;
  std::uint64_t inUseBytes_ = 0;
  std::uint64_t pageableAllocations_ = 0;
  std::vector<HostBuffer> leavingPageable_;      ///< the system takes memory back at once, so a copy must be over first
  HostPoolCounters counters_;
};

}  // namespace offload
