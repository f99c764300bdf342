#pragma once

#include <memory>

#include "engine/strategy/host_pool.h"
#include "engine/tape/autograd.h"

namespace offload {

/// Whether the host stands still until a copy to the host is complete.
enum class CopyOut : std::uint8_t { waits, runsOn };

/// A saved tensor that lives on the host: copied out when it is packed and back when it is read, both on the compute stream,
/// into a fresh host buffer. Nothing is shared between two saves of one tensor. Pool and executor outlive it.
class HostCopy final : public PackedTensor {
 public:
  /// Throws HOST_OUT_OF_MEMORY.
  HostCopy(Executor& executor, HostPool& pool, const Tensor& tensor, CopyOut copyOut);
  ~HostCopy() override;
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;

  /// A copy in new device memory. Called once: the buffer goes back.
  Tensor unpack() override;

 private:
  void giveBack(DeviceEvent lastUse) noexcept;

  Executor& executor_;
  HostPool& pool_;
  std::int32_t layer_;
  Account account_;
  HostBuffer buffer_;
  bool hasBuffer_ = true;
};

}  // namespace offload
