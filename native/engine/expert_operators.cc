#include "engine/expert_operators.h"

namespace offload {
namespace {

ElementType elementOf(const Tensor& tensor) {
  return tensor.layout.type == TensorType::bf16 ? ElementType::bf16 : ElementType::f32;
}

/// A pass over memory: what gathering, scattering and weighting cost. Reads and writes about as much as a sum does.
void pass(Executor& executor, const std::string& name, const Tensor& tensor, std::uint64_t count) {
  executor.launch(name, Add{elementOf(tensor), tensor.address(), tensor.address(), tensor.address(), count});
}

Layout withWidth(const Layout& like, std::uint64_t tokens, std::uint64_t width) {
  return Layout::contiguous(like.type, {like.shape[0], tokens, width});
}

}  // namespace

Tensor routeTokens(Autograd& autograd, const Tensor& scores, std::uint32_t expertsPerToken) {
  Executor& executor = autograd.executor();
  const Layout layout = scores.layout;
  auto recording = autograd.record();
  Layout wide = layout;
  wide.type = TensorType::f32;
  const Tensor softmax = executor.allocate(wide);
  const Tensor chosen = executor.allocate(Layout::contiguous(TensorType::i32, {layout.shape[0], layout.shape[1], expertsPerToken, 2}));
  const Tensor weights = executor.allocate(withWidth(layout, layout.shape[1], expertsPerToken));
  pass(executor, "choose experts", scores, 4 * layout.elementCount());
  recording.save(softmax);
  recording.save(chosen);
  return recording.finish(weights, {scores}, [&executor, layout](const Tensor&, std::vector<SavedSlot>& saved) {
    const Tensor savedChosen = saved[1].unpack();
    const Tensor savedSoftmax = saved[0].unpack();
    const Tensor gradient = executor.allocate(layout);
    pass(executor, "choose experts backward", gradient, 4 * layout.elementCount());
    return std::vector<Tensor>{gradient};
  });
}

Tensor sortTokens(Autograd& autograd, const Tensor& hidden, std::uint32_t expertsPerToken) {
  Executor& executor = autograd.executor();
  const Layout layout = hidden.layout;
  const Layout sortedLayout = withWidth(layout, layout.shape[1] * expertsPerToken, layout.shape[2]);
  auto recording = autograd.record();
  const Tensor order = executor.allocate(Layout::contiguous(TensorType::i32, {layout.shape[0], sortedLayout.shape[1], 2}));
  const Tensor sorted = executor.allocate(sortedLayout);
  pass(executor, "sort tokens", sorted, sortedLayout.elementCount());
  recording.save(order);
  return recording.finish(sorted, {hidden}, [&executor, layout, sortedLayout](const Tensor&, std::vector<SavedSlot>& saved) {
    const Tensor savedOrder = saved[0].unpack();
    const Tensor gradient = executor.allocate(layout);
    pass(executor, "sort tokens backward", gradient, sortedLayout.elementCount());
    return std::vector<Tensor>{gradient};
  });
}

Tensor expertLinear(Autograd& autograd, const std::string& name, const Tensor& input, Parameter& weight, std::uint32_t outWidth) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(input);
  const std::uint64_t rows = input.layout.shape[0] * input.layout.shape[1];
  const auto inWidth = static_cast<std::uint32_t>(input.layout.shape[2]);

  auto recording = autograd.record();
  recording.save(input.viewAs(Layout::contiguous(input.layout.type, {rows, inWidth})));
  recording.save(weight.value);
  const Tensor out = executor.allocate(withWidth(input.layout, input.layout.shape[1], outWidth));
  executor.launch(name, LinearForward{element, input.address(), weight.value.address(), 0, out.address(), rows, inWidth, outWidth});

  const Layout inputLayout = input.layout;
  auto backward = [&executor, name, element, rows, inWidth, outWidth, inputLayout](const Tensor& gradOut,
                                                                                  std::vector<SavedSlot>& saved) {
    const Tensor savedInput = saved[0].unpack();
    const Tensor savedWeight = saved[1].unpack();
    const Tensor gradInput = executor.allocate(inputLayout);
    executor.launch(name + " input gradient", LinearBackwardInput{element, gradOut.address(), savedWeight.address(),
                                                                  gradInput.address(), rows, inWidth, outWidth});
    const Tensor gradWeight = executor.allocate(savedWeight.layout);
    executor.launch(name + " weight gradient", LinearBackwardWeight{element, gradOut.address(), savedInput.address(),
                                                                    gradWeight.address(), 0, rows, inWidth, outWidth});
    return std::vector<Tensor>{gradInput, gradWeight};
  };
  return recording.finish(out, {input, weight.value}, std::move(backward));
}

Tensor gatedHalves(Autograd& autograd, const std::string& name, const Tensor& gateUp, bool savesActivated) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(gateUp);
  const Layout layout = gateUp.layout;
  const Layout half = withWidth(layout, layout.shape[1], layout.shape[2] / 2);
  const std::uint64_t count = half.elementCount();
  auto recording = autograd.record();
  const Tensor silu = executor.allocate(half);
  const Tensor product = executor.allocate(half);
  executor.launch(name, SwiGluForward{element, gateUp.address(), gateUp.address(), silu.address(), product.address(), count});
  Tensor halves = gateUp;
  halves.isView = true;
  recording.save(halves);
  if (savesActivated) recording.save(silu);
  recording.save(halves);
  return recording.finish(product, {gateUp}, [&executor, name, element, layout, count](const Tensor& gradOut,
                                                                                    std::vector<SavedSlot>& saved) {
    const Tensor up = saved.back().unpack();
    const Tensor savedSilu = saved.size() > 2 ? saved[1].unpack() : up;
    const Tensor gate = saved[0].unpack();
    const Tensor gradient = executor.allocate(layout);
    executor.launch(name + " backward",
                    SwiGluBackward{element, gradOut.address(), gate.address(), up.address(), savedSilu.address(),
                                   gradient.address(), gradient.address(), count});
    return std::vector<Tensor>{gradient};
  });
}

Tensor combineTokens(Autograd& autograd, const Tensor& sorted, const Tensor& weights, std::uint32_t expertsPerToken) {
  Executor& executor = autograd.executor();
  const Layout layout = sorted.layout;
  const Layout weightLayout = weights.layout;
  auto recording = autograd.record();
  const Tensor out = executor.allocate(withWidth(layout, layout.shape[1] / expertsPerToken, layout.shape[2]));
  pass(executor, "combine experts", out, layout.elementCount());
  recording.save(sorted);
  recording.save(weights);
  auto backward = [&executor, layout, weightLayout](const Tensor&, std::vector<SavedSlot>& saved) {
    const Tensor savedWeights = saved[1].unpack();
    const Tensor savedSorted = saved[0].unpack();
    const Tensor gradSorted = executor.allocate(layout);
    const Tensor gradWeights = executor.allocate(weightLayout);
    pass(executor, "combine experts backward", gradSorted, 2 * layout.elementCount());
    return std::vector<Tensor>{gradSorted, gradWeights};
  };
  return recording.finish(out, {sorted, weights}, std::move(backward));
}

}  // namespace offload
