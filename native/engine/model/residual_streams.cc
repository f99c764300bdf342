#include "engine/model/residual_streams.h"

namespace offload {
namespace {

ElementType elementOf(const Tensor& tensor) {
  return tensor.layout.type == TensorType::bf16 ? ElementType::bf16 : ElementType::f32;
}

Layout oneStream(const Layout& streams) {
  return Layout::contiguous(streams.type, {streams.shape[1], streams.shape[2], streams.shape[3]});
}

Layout allStreams(const Layout& hidden, std::uint64_t streams) {
  return Layout::contiguous(hidden.type, {streams, hidden.shape[0], hidden.shape[1], hidden.shape[2]});
}

Tensor copies(Executor& executor, const Tensor& hidden, std::uint64_t streams) {
  Tensor out = executor.allocate(allStreams(hidden.layout, streams));
  executor.repeat(out, hidden, "expand residual streams");
  return out;
}

Tensor sumOf(Executor& executor, const Tensor& streams) {
  const Layout layout = oneStream(streams.layout);
  const ElementType element = elementOf(streams);
  const std::uint64_t count = layout.elementCount();
  Tensor out = executor.allocate(layout);
  DeviceAddress left = streams.address();
  for (std::uint64_t stream = 1; stream < streams.layout.shape[0]; ++stream) {
    const DeviceAddress right = streams.address() + stream * layout.sizeBytes();
    executor.launch("collapse residual streams", Add{element, left, right, out.address(), count});
    left = out.address();
  }
  return out;
}

}  // namespace

Tensor expandStreams(Autograd& autograd, const Tensor& hidden, std::uint32_t streams) {
  Executor& executor = autograd.executor();
  auto recording = autograd.record();
  return recording.finish(copies(executor, hidden, streams), {hidden}, [&executor](const Tensor& gradOut, std::vector<SavedSlot>&) {
    return std::vector<Tensor>{sumOf(executor, gradOut)};
  });
}

Tensor collapseStreams(Autograd& autograd, const Tensor& streams) {
  Executor& executor = autograd.executor();
  auto recording = autograd.record();
  return recording.finish(sumOf(executor, streams), {streams},
                          [&executor, count = streams.layout.shape[0]](const Tensor& gradOut, std::vector<SavedSlot>&) {
                            return std::vector<Tensor>{copies(executor, gradOut, count)};
                          });
}

Tensor addToStreams(Autograd& autograd, const std::string& name, const Tensor& streams, const Tensor& hidden) {
  Executor& executor = autograd.executor();
  auto recording = autograd.record();
  const Layout layout = oneStream(streams.layout);
  const Tensor out = executor.allocate(streams.layout);
  for (std::uint64_t stream = 0; stream < streams.layout.shape[0]; ++stream) {
    const std::uint64_t offset = stream * layout.sizeBytes();
    executor.launch(name, Add{elementOf(streams), streams.address() + offset, hidden.address(), out.address() + offset,
                              layout.elementCount()});
  }
  return recording.finish(out, {streams, hidden}, [&executor](const Tensor& gradOut, std::vector<SavedSlot>&) {
    return std::vector<Tensor>{gradOut, sumOf(executor, gradOut)};
  });
}

}  // namespace offload
