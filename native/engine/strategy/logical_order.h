#pragma once

#include <map>
#include <vector>

#include "engine/tape/executor.h"

namespace offload {

/// Rearranges the memory of tensors whose elements do not lie in the order of their shape (a transposed view), as a
/// framework's contiguous copy does. The last dimension must be dense.
class LogicalOrder {
 public:
  explicit LogicalOrder(Executor& executor) : executor_(executor) {}

  /// A new tensor with the elements of `tensor` in the order of its shape; made on `stream`.
  Tensor contiguous(StreamId stream, Lane lane, const Tensor& tensor);
  /// The way back: a new tensor in the memory order of `layout`, from its elements in the order of the shape.
  Tensor inMemoryOrder(StreamId stream, Lane lane, const Tensor& contiguous, const Layout& layout);

 private:
  /// Row numbers for both directions, int32 on the device.
  struct Rows {
    std::vector<std::int32_t> toLogicalHost, toMemoryHost;
    Tensor toLogical, toMemory;
  };
  const Rows& rowsOf(const Layout& layout);
  Tensor upload(const std::vector<std::int32_t>& rows);
  Tensor gather(StreamId stream, Lane lane, const Tensor& from, const Tensor& rows, const Layout& layout);

  Executor& executor_;
  std::map<Layout, Rows> known_;
};

}  // namespace offload
