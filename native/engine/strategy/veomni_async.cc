#include "engine/strategy/veomni_async.h"

#include <algorithm>
#include <stdexcept>

namespace offload {

/// One tensor on its way to the host and back. Owned by the node that saved it, so that an abandoned graph lets it go.
class VeomniAsync::Swap {
 public:
  Swap(VeomniAsync& owner, Key key, Tensor tensor)
      : owner_(owner),
        key_(key),
        layer_(owner.executor_.layer()),
        layout_(tensor.layout),
        tensor_(std::move(tensor)),
        buffer_(owner.pool_.acquire(layout_)) {}

  ~Swap() {
    forget();
    try {
      returnBuffer();
    } catch (...) {
      // Cancelled or failed (a destructor has nobody to tell): the run synchronises the device before the allocator below the pool goes.
      if (!hasBuffer_) return;
      buffer_.lastUse = std::move(done_.event);
      owner_.pool_.release(std::move(buffer_));
    }
  }
  Swap(const Swap&) = delete;
  Swap& operator=(const Swap&) = delete;

  void copyToHost() {
    Executor& executor = owner_.executor_;
    executor.streamWait(owner_.swapStream_.id(), executor.mark(kComputeStream), Lane::d2h, "wait for compute");
    executor.copyToHost(owner_.swapStream_.id(), buffer_.address(), tensor_, "copy to host");
    done_ = executor.mark(owner_.swapStream_.id());
    state_ = State::leaving;
  }

  /// Waits until the copy to the host is complete and lets the device memory go.
  void finishLeaving() {
    if (state_ != State::leaving) return;
    Executor& executor = owner_.executor_;
    executor.streamWait(kComputeStream, done_, Lane::compute, "wait for copy to host");
    executor.hostWait(done_, "pack: wait for copy to host");
    tensor_ = {};
    state_ = State::onHost;
  }

  /// Starts the copy back unless it has been started.
  void copyToDevice() {
    if (state_ != State::onHost) return;
    Executor& executor = owner_.executor_;
    // A prefetch is started by another layer; the copy belongs to the one that saved the tensor.
    const LayerScope layerScope(executor, layer_);
    executor.streamWait(owner_.swapStream_.id(), executor.mark(kComputeStream), Lane::h2d, "wait for compute");
    tensor_ = executor.allocate(layout_, Account::live, owner_.swapStream_.id());
    executor.copyToDevice(owner_.swapStream_.id(), tensor_, buffer_.address(), "copy to device");
    done_ = executor.mark(owner_.swapStream_.id());
    state_ = State::returning;
  }

  Tensor unpack() {
    if (!hasBuffer_) return tensor_;
    copyToDevice();
    if (state_ == State::returning) {
      owner_.executor_.streamWait(kComputeStream, done_, Lane::compute, "wait for copy to device");
    }
    returnBuffer();
    state_ = State::onDevice;
    const std::size_t index = key_.first;
    if (forget()) owner_.prefetchBelow(index);
    return tensor_;
  }

  bool forget() {
    const auto entry = owner_.swaps_.find(key_);
    if (entry == owner_.swaps_.end() || entry->second != this) return false;
    owner_.swaps_.erase(entry);
    return true;
  }

 private:
  enum class State : std::uint8_t { onDevice, leaving, onHost, returning };

  void returnBuffer() {
    if (!hasBuffer_) return;
    if (state_ != State::onDevice) owner_.executor_.hostWait(done_, "unpack: wait for copy");
    buffer_.lastUse = std::move(done_.event);
    hasBuffer_ = false;
    owner_.pool_.release(std::move(buffer_));
  }

  VeomniAsync& owner_;
  Key key_;
  std::int32_t layer_;
  Layout layout_;
  Tensor tensor_;
  HostBuffer buffer_;
  bool hasBuffer_ = true;
  State state_ = State::onDevice;
  WorkMark done_;
};

class VeomniAsync::PackedSwap final : public PackedTensor {
 public:
  explicit PackedSwap(std::unique_ptr<Swap> swap) : swap_(std::move(swap)) {}
  Tensor unpack() override { return swap_->unpack(); }

 private:
  std::unique_ptr<Swap> swap_;
};

class VeomniAsync::Hooks final : public SavedTensorHooks {
 public:
  Hooks(VeomniAsync& owner, std::size_t index, std::optional<DeviceAddress> hiddenAddress)
      : owner_(owner), index_(index), hiddenAddress_(hiddenAddress) {}

  std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor) override {
    return owner_.pack(tensor, index_, hiddenAddress_);
  }

 private:
  VeomniAsync& owner_;
  std::size_t index_;
  std::optional<DeviceAddress> hiddenAddress_;
};

VeomniAsync::VeomniAsync(Autograd& autograd, HostPool& pool, const Selection& selection, std::size_t moduleCount)
    : executor_(autograd.executor()),
      pool_(pool),
      depth_(selection.depth()),
      indexOf_(moduleCount),
      swapStream_(autograd.executor().device(), "swap") {
  for (std::size_t index = 0; index < depth_; ++index) indexOf_[selection.entries[index]] = index;
}

void VeomniAsync::resetCounters() {
  previousIndex_.reset();
  taken_.clear();
}

std::shared_ptr<SavedTensorHooks> VeomniAsync::enter(ModuleId module, const Tensor* hiddenStates) {
  const std::optional<std::size_t> index = indexOf_[module];
  if (!index) return nullptr;
  if (*index == 0 && swaps_.empty()) resetCounters();
  std::optional<DeviceAddress> hiddenAddress;
  if (hiddenStates != nullptr) hiddenAddress = hiddenStates->address();
  return std::make_shared<Hooks>(*this, *index, hiddenAddress);
}

void VeomniAsync::abandon() noexcept {
  swaps_.clear();
  resetCounters();
}

std::variant<Tensor, std::unique_ptr<PackedTensor>> VeomniAsync::pack(const Tensor& tensor, std::size_t index,
                                                                      std::optional<DeviceAddress> hiddenAddress) {
  const bool isHidden = hiddenAddress && tensor.address() == *hiddenAddress;
  if (hiddenAddress && !isHidden) return tensor;
  if (tensor.isParameter) return tensor;
  if (!isHidden && !tensor.hasPrivateDenseStorage()) return tensor;

  Tensor taken = tensor.hasPrivateDenseStorage() ? tensor : executor_.clone(tensor);
  const Key key{index, taken_[index]++};
  const std::optional<std::size_t> previous = previousIndex_;
  previousIndex_ = index;
  if (previous && *previous != index) waitForCopiesOf(*previous);
  if (index + 1 == depth_) return taken;

  auto swap = std::make_unique<Swap>(*this, key, std::move(taken));
  swap->copyToHost();
  if (!swaps_.emplace(key, swap.get()).second) throw std::logic_error("an offload key was used twice");
  return std::make_unique<PackedSwap>(std::move(swap));
}

void VeomniAsync::waitForCopiesOf(std::size_t index) {
  for (auto entry = swaps_.lower_bound({index, 0}); entry != swaps_.end() && entry->first.first == index; ++entry) {
    entry->second->finishLeaving();
  }
}

void VeomniAsync::prefetchBelow(std::size_t index) {
  const auto notBelow = taken_.lower_bound(index);
  if (notBelow == taken_.begin()) return;
  const std::size_t below = std::prev(notBelow)->first;
  for (auto entry = swaps_.lower_bound({below, 0}); entry != swaps_.end() && entry->first.first == below; ++entry) {
    entry->second->copyToDevice();
  }
}

}  // namespace offload
