#pragma once

#include "engine/strategy/strategy.h"

namespace offload {

/// PyTorch's `save_on_cpu(pin_memory=True)` around forward and loss: every saved tensor, weights included, goes to fresh
/// pinned memory on the compute stream while the host waits, and comes back on the compute stream when it is read.
class SaveOnCpu final : public Strategy {
 public:
  SaveOnCpu(Autograd& autograd, HostPool& pool);

  std::shared_ptr<SavedTensorHooks> enterForward() override { return hooks_; }

 private:
  std::shared_ptr<SavedTensorHooks> hooks_;
};

}  // namespace offload
