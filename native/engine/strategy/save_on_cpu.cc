#include "engine/strategy/save_on_cpu.h"

#include "engine/strategy/host_copy.h"

namespace offload {
namespace {

class SavingHooks final : public SavedTensorHooks {
 public:
  SavingHooks(Executor& executor, HostPool& pool) : executor_(executor), pool_(pool) {}

  std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor) override {
    return std::make_unique<HostCopy>(executor_, pool_, tensor, CopyOut::waits);
  }

 private:
  Executor& executor_;
  HostPool& pool_;
};

}  // namespace

SaveOnCpu::SaveOnCpu(Autograd& autograd, HostPool& pool)
    : hooks_(std::make_shared<SavingHooks>(autograd.executor(), pool)) {}

}  // namespace offload
