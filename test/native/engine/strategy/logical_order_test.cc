#include "engine/strategy/logical_order.h"

#include <doctest/doctest.h>

#include "cpu/cpu_device.h"
#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

TEST_CASE("a transposed tensor is put into the order of its shape, and back") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled, {.kernelThreads = 1});
  MemoryLedger ledger;
  Recorder recorder(device);
  Executor executor(device, ledger, recorder, cancelled);

  // Memory holds [batch 2, seq 3, heads 2, width 2]; the view is [batch, heads, seq, width].
  Tensor tensor = executor.allocate(Layout::contiguous(TensorType::f32, {2, 3, 2, 2}));
  std::swap(tensor.layout.shape[1], tensor.layout.shape[2]);
  std::swap(tensor.layout.strides[1], tensor.layout.strides[2]);
  std::vector<float> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  device.copyToDevice(kComputeStream, tensor.address(), reinterpret_cast<const std::byte*>(values.data()), 96);
  const auto read = [&](const Tensor& from) {
    std::vector<float> out(24);
    device.copyToHost(kComputeStream, reinterpret_cast<std::byte*>(out.data()), from.address(), 96);
    device.synchronize();
    return out;
  };

  LogicalOrder order(executor);
  const Tensor dense = order.contiguous(kComputeStream, Lane::compute, tensor);
  CHECK(dense.layout.isContiguous());
  CHECK(dense.layout.shape == tensor.layout.shape);
  const std::vector<float> expected = {0,  1,  4,  5,  8,  9,  2,  3,  6,  7,  10, 11,
                                       12, 13, 16, 17, 20, 21, 14, 15, 18, 19, 22, 23};
  CHECK(read(dense) == expected);
  const Tensor back = order.inMemoryOrder(kComputeStream, Lane::compute, dense, tensor.layout);
  CHECK(back.layout == tensor.layout);
  CHECK(read(back) == values);
}
