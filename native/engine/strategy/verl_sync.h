#pragma once

#include "engine/strategy/verl_groups.h"

namespace offload {

/// verl's synchronous handler: what a layer saves is copied to fresh pinned memory on the compute stream at once, and back on
/// the compute stream when it is read. Copies block compute by design; the host never waits.
class VerlSync final : public VerlGroups {
 public:
  using VerlGroups::VerlGroups;

 private:
  std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor) override;
};

}  // namespace offload
