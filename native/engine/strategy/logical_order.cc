#include "engine/strategy/logical_order.h"

#include <stdexcept>

namespace offload {
namespace {

std::uint64_t rowWidth(const Layout& layout) { return layout.shape[layout.rank - 1u]; }

/// For each row in the order of the shape, its place in memory, counted in rows.
std::vector<std::int32_t> placesInMemory(const Layout& layout) {
  const std::uint64_t width = rowWidth(layout);
  if (layout.strides[layout.rank - 1u] != 1) throw std::logic_error("rows of a rearranged tensor must be dense");
  std::vector<std::int32_t> places(layout.elementCount() / width);
  for (std::size_t row = 0; row < places.size(); ++row) {
    std::uint64_t rest = row;
    std::uint64_t offset = 0;
    for (std::size_t axis = layout.rank - 1u; axis-- > 0;) {
      offset += rest % layout.shape[axis] * layout.strides[axis];
      rest /= layout.shape[axis];
    }
    places[row] = static_cast<std::int32_t>(offset / width);
  }
  return places;
}

}  // namespace

Tensor LogicalOrder::upload(const std::vector<std::int32_t>& rows) {
  Tensor tensor = executor_.allocate(Layout::contiguous(TensorType::i32, {rows.size()}), Account::scratch);
  executor_.device().copyToDevice(kComputeStream, tensor.address(), reinterpret_cast<const std::byte*>(rows.data()),
                                  tensor.layout.sizeBytes());
  return tensor;
}

const LogicalOrder::Rows& LogicalOrder::rowsOf(const Layout& layout) {
  const auto [entry, isNew] = known_.try_emplace(layout);
  Rows& rows = entry->second;
  if (!isNew) return rows;
  rows.toLogicalHost = placesInMemory(layout);
  rows.toMemoryHost.resize(rows.toLogicalHost.size());
  for (std::size_t row = 0; row < rows.toLogicalHost.size(); ++row) {
    rows.toMemoryHost[static_cast<std::size_t>(rows.toLogicalHost[row])] = static_cast<std::int32_t>(row);
  }
  rows.toLogical = upload(rows.toLogicalHost);
  rows.toMemory = upload(rows.toMemoryHost);
  // Once per layout: any stream may read them from here on.
  executor_.device().synchronize();
  return rows;
}

Tensor LogicalOrder::gather(StreamId stream, Lane lane, const Tensor& from, const Tensor& rows, const Layout& layout) {
  const ElementType element = layout.type == TensorType::bf16 ? ElementType::bf16 : ElementType::f32;
  const std::uint64_t count = rows.layout.elementCount();
  Tensor out = executor_.allocate(layout, Account::live, stream);
  // Looking up rows by number is what an embedding does.
  executor_.launch("rearrange",
                   EmbeddingForward{element, rows.address(), from.address(), out.address(), count,
                                    static_cast<std::uint32_t>(rowWidth(layout)), static_cast<std::uint32_t>(count)},
                   stream, lane);
  return out;
}

Tensor LogicalOrder::contiguous(StreamId stream, Lane lane, const Tensor& tensor) {
  Layout dense = tensor.layout;
  std::uint64_t stride = 1;
  for (std::size_t axis = dense.rank; axis-- > 0;) {
    dense.strides[axis] = stride;
    stride *= dense.shape[axis];
  }
  return gather(stream, lane, tensor, rowsOf(tensor.layout).toLogical, dense);
}

Tensor LogicalOrder::inMemoryOrder(StreamId stream, Lane lane, const Tensor& contiguous, const Layout& layout) {
  return gather(stream, lane, contiguous, rowsOf(layout).toMemory, layout);
}

}  // namespace offload
