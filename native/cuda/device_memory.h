#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "cuda/driver_handles.h"

namespace offload::cuda {

/// Device memory in segments of the driver's, cut into blocks by best fit; neighbours that are free are joined. Blocks are
/// multiples of 512 bytes and so is their alignment. A released block can be handed out again at once: work in flight may still
/// use it. For one thread.
class DeviceMemory {
 public:
  /// `marginBytes` of the GPU stay free for others. `minimumSegmentBytes` is what is taken for small blocks.
  DeviceMemory(const DriverApi& api, std::uint64_t marginBytes, std::uint64_t minimumSegmentBytes = kSegmentBytes);

  /// Nothing where GPU and margin do not allow it. A size of 0 counts as 1.
  std::optional<DevicePointer> allocate(std::uint64_t sizeBytes);
  /// Addresses that are not allocated are ignored.
  void release(DevicePointer address) noexcept;
  /// Gives segments without a used block back to the driver; no work in flight may use them.
  void trim() noexcept;

  /// Bytes that the driver would still give, without the margin. Throws after a fault of the GPU.
  std::uint64_t driverBytes() const;
  /// Free bytes inside the segments.
  std::uint64_t cachedBytes() const { return cachedBytes_; }

  static constexpr std::uint64_t kSegmentBytes = 32U << 20U;

 private:
  struct Block {
    std::uint64_t sizeBytes = 0;
    bool isFree = false;
    bool startsSegment = false;
  };
  using Blocks = std::map<DevicePointer, Block>;

  bool addSegment(std::uint64_t sizeBytes);
  DevicePointer take(Blocks::iterator block, std::uint64_t sizeBytes);
  void makeFree(Blocks::iterator block);

  const DriverApi& api_;
  std::uint64_t marginBytes_;
  std::uint64_t minimumSegmentBytes_;
  Blocks blocks_;
  std::set<std::pair<std::uint64_t, DevicePointer>> free_;
  std::unordered_map<DevicePointer, OwnedDeviceMemory> segments_;
  std::uint64_t cachedBytes_ = 0;
};

}  // namespace offload::cuda
