#include "engine/model/expert_operators.h"

namespace offload {
namespace {

ElementType elementOf(const Tensor& tensor) {
  return tensor.layout.type == TensorType::bf16 ? ElementType::bf16 : ElementType::f32;
}

/*
 * Bytes and kernels of the operators around the products, counted in the trace of a step (`GroupedMm`, transformers 5.17): what
 * each reads and writes per element in bf16. At the bandwidth of other eager operators they take together as long as there,
 * within a tenth.
 */

/// Kernels, and operators that the host issues, of one sum of rows by index: its indices are computed and sorted first.
constexpr std::uint32_t kSumByIndexKernels = 14;
constexpr std::uint32_t kSumByIndexOperators = 8;
/// A copy, and zeros over rows of no expert of this rank; also where there are no such rows.
constexpr std::uint64_t kMaskBytes = 8;

/// Bytes of a pass that moves `bf16Bytes` per element of bf16, and as much more as the elements are wider.
std::uint64_t bytesOf(const Layout& layout, std::uint64_t bf16Bytes) { return layout.sizeBytes() / 2 * bf16Bytes; }

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
  // Softmax in fp32 14; the radix search for the highest reads each fp32 score once for every two of its bits, 64.
  executor.launch("choose experts", MemoryPass{bytesOf(layout, 78), 8, 8, false});
  recording.save(softmax);
  recording.save(chosen);
  return recording.finish(weights, {scores}, [&executor, layout](const Tensor&, std::vector<SavedSlot>& saved) {
    const Tensor savedChosen = saved[1].unpack();
    const Tensor savedSoftmax = saved[0].unpack();
    const Tensor gradient = executor.allocate(layout);
    // Zeros and scattered weights 8, softmax in fp32 24, to bf16 6.
    executor.launch("choose experts backward", MemoryPass{bytesOf(layout, 38), 13, 13, true});
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
  // Gathered 4, masked in place 4. Sorting the experts of all tokens: 24 short kernels of one operator, and ten more for counts.
  executor.launch("sort tokens", MemoryPass{bytesOf(sortedLayout, 8), 34, 15, false});
  recording.save(order);
  return recording.finish(sorted, {hidden}, [&executor, layout, sortedLayout](const Tensor&, std::vector<SavedSlot>& saved) {
    const Tensor savedOrder = saved[0].unpack();
    const Tensor gradient = executor.allocate(layout);
    // Each sorted row is read, and the sum of its token read and written.
    executor.launch("sort tokens backward", MemoryPass{bytesOf(sortedLayout, kMaskBytes + 6), kSumByIndexKernels + 2,
                                                       kSumByIndexOperators + 2, true});
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
  const std::uint64_t experts = weight.value.layout.shape[0] / outWidth;
  executor.launch(name, GroupedProduct{element, rows, inWidth, outWidth, experts, false});
  executor.launch(name + " mask", MemoryPass{bytesOf(out.layout, kMaskBytes), 2, 2, false});

  const Layout inputLayout = input.layout;
  const GroupedProduct gradientProduct{element, rows, inWidth, outWidth, experts, true};
  auto backward = [&executor, name, gradientProduct, inputLayout](const Tensor& gradOut, std::vector<SavedSlot>& saved) {
    const Tensor savedInput = saved[0].unpack();
    const Tensor savedWeight = saved[1].unpack();
    executor.launch(name + " mask backward", MemoryPass{bytesOf(gradOut.layout, kMaskBytes), 2, 2, true});
    const Tensor gradInput = executor.allocate(inputLayout);
    executor.launch(name + " input gradient", gradientProduct);
    const Tensor gradWeight = executor.allocate(savedWeight.layout);
    executor.launch(name + " weight gradient", gradientProduct);
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
  return recording.finish(product, {gateUp}, [&executor, name, element, layout, half, count](const Tensor& gradOut,
                                                                                          std::vector<SavedSlot>& saved) {
    const Tensor up = saved.back().unpack();
    const Tensor savedSilu = saved.size() > 2 ? saved[1].unpack() : up;
    const Tensor gate = saved[0].unpack();
    const Tensor gradient = executor.allocate(layout);
    executor.launch(name + " backward",
                    SwiGluBackward{element, gradOut.address(), gate.address(), up.address(), savedSilu.address(),
                                   gradient.address(), gradient.address(), count});
    // A kernel that computes silu again writes the gradients of both halves where they belong; eager ones are joined.
    if (saved.size() > 2) executor.launch(name + " join halves", MemoryPass{bytesOf(half, 8), 1, 1, true});
    return std::vector<Tensor>{gradient};
  });
}

Tensor combineTokens(Autograd& autograd, const Tensor& sorted, const Tensor& weights, std::uint32_t expertsPerToken) {
  Executor& executor = autograd.executor();
  const Layout layout = sorted.layout;
  const Layout weightLayout = weights.layout;
  auto recording = autograd.record();
  const Tensor out = executor.allocate(withWidth(layout, layout.shape[1] / expertsPerToken, layout.shape[2]));
  // Weighted 4, gathered per token 4, summed 3; the inverse of the order.
  executor.launch("combine experts", MemoryPass{bytesOf(layout, 11), 5, 5, false});
  recording.save(sorted);
  recording.save(weights);
  auto backward = [&executor, layout, weightLayout](const Tensor&, std::vector<SavedSlot>& saved) {
    const Tensor savedWeights = saved[1].unpack();
    const Tensor savedSorted = saved[0].unpack();
    const Tensor gradSorted = executor.allocate(layout);
    const Tensor gradWeights = executor.allocate(weightLayout);
    // Repeated for each expert 4, zeros 2, summed by index 6, times the weights 4, times the experts' results 6, summed 2; and the
    // gathered weights.
    executor.launch("combine experts backward", MemoryPass{bytesOf(layout, 24), 2 * kSumByIndexKernels + 4,
                                                           2 * kSumByIndexOperators + 4, true});
    return std::vector<Tensor>{gradSorted, gradWeights};
  };
  return recording.finish(out, {sorted, weights}, std::move(backward));
}

}  // namespace offload
