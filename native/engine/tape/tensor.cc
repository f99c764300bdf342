#include "engine/tape/tensor.h"

#include <stdexcept>

namespace offload {

Layout Layout::contiguous(TensorType type, std::initializer_list<std::uint64_t> shape) {
  if (shape.size() > kMaxRank) throw std::logic_error("a layout has at most four dimensions");
  Layout layout;
  layout.type = type;
  layout.rank = static_cast<std::uint8_t>(shape.size());
  std::size_t axis = 0;
  for (const std::uint64_t extent : shape) layout.shape[axis++] = extent;
  std::uint64_t stride = 1;
  for (std::size_t i = layout.rank; i-- > 0;) {
    layout.strides[i] = stride;
    stride *= layout.shape[i];
  }
  return layout;
}

std::uint64_t Layout::elementCount() const {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < rank; ++i) count *= shape[i];
  return count;
}

bool Layout::isContiguous() const {
  std::uint64_t stride = 1;
  for (std::size_t i = rank; i-- > 0;) {
    if (shape[i] != 1 && strides[i] != stride) return false;
    stride *= shape[i];
  }
  return true;
}

Storage::Storage(Device& device, MemoryLedger& ledger, Account account, MemoryPart part, std::uint64_t sizeBytes,
                 StreamId stream)
    : device_(device),
      ledger_(ledger),
      account_(account),
      part_(part),
      sizeBytes_(sizeBytes),
      address_(device.allocate(sizeBytes, stream)) {
  ledger_.add(account_, part_, sizeBytes_);
}

Storage::~Storage() {
  device_.release(address_);
  ledger_.remove(account_, part_, sizeBytes_);
}

void Storage::countAs(MemoryPart part) noexcept {
  ledger_.move(account_, part_, part, sizeBytes_);
  part_ = part;
}

bool Tensor::hasPrivateDenseStorage() const {
  return !isView && layout.isContiguous() && storage->sizeBytes() == layout.sizeBytes();
}

Tensor Tensor::viewAs(const Layout& viewLayout) const {
  if (viewLayout.sizeBytes() != layout.sizeBytes()) throw std::logic_error("a view covers the bytes of its base");
  Tensor view = *this;
  view.layout = viewLayout;
  view.isView = true;
  return view;
}

Tensor Tensor::detached() const {
  Tensor copy = *this;
  copy.producer = nullptr;
  return copy;
}

}  // namespace offload
