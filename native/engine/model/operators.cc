#include "engine/model/operators.h"

#include <utility>

namespace offload {
namespace {

ElementType elementOf(const Tensor& tensor) {
  return tensor.layout.type == TensorType::bf16 ? ElementType::bf16 : ElementType::f32;
}

std::uint64_t lastExtent(const Tensor& tensor) { return tensor.layout.shape[tensor.layout.rank - 1u]; }

std::uint64_t rowsOf(const Tensor& tensor) { return tensor.layout.elementCount() / lastExtent(tensor); }

std::uint32_t narrow(std::uint64_t extent) { return static_cast<std::uint32_t>(extent); }

/// [batch, heads, seq, headDim] over the memory of [batch, seq, heads, headDim], as attention sees its operands.
Layout headsFirst(const Layout& layout) {
  Layout swapped = layout;
  std::swap(swapped.shape[1], swapped.shape[2]);
  std::swap(swapped.strides[1], swapped.strides[2]);
  return swapped;
}

Tensor withLayout(Tensor tensor, const Layout& layout) {
  tensor.layout = layout;
  return tensor;
}

}  // namespace

Tensor embedding(Autograd& autograd, const std::string& name, const Tensor& ids, Parameter& table) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(table.value);
  const std::uint64_t rows = ids.layout.elementCount();
  const std::uint32_t vocab = narrow(table.value.layout.shape[0]);
  const std::uint32_t hidden = narrow(table.value.layout.shape[1]);

  auto recording = autograd.record();
  recording.save(ids);
  Tensor out = executor.allocate(
      Layout::contiguous(table.value.layout.type, {ids.layout.shape[0], ids.layout.shape[1], hidden}));
  executor.launch(name, EmbeddingForward{element, ids.address(), table.value.address(), out.address(), rows, hidden, vocab});

  return recording.finish(out, {table.value}, [&executor, name, element, rows, hidden, vocab, layout = table.value.layout](
                                                  const Tensor& gradOut, std::vector<SavedSlot>& saved) {
    const Tensor savedIds = saved[0].unpack();
    Tensor gradTable = executor.allocate(layout);
    executor.launch(name + " gradient fill", Memset{gradTable.address(), layout.sizeBytes()});
    executor.launch(name + " weight gradient", EmbeddingBackward{element, savedIds.address(), gradOut.address(),
                                                                 gradTable.address(), rows, hidden, vocab});
    return std::vector<Tensor>{gradTable};
  });
}

Tensor linear(Autograd& autograd, const std::string& name, const Tensor& input, Parameter& weight, Parameter* bias) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(input);
  const std::uint64_t rows = rowsOf(input);
  const std::uint32_t inWidth = narrow(weight.value.layout.shape[1]);
  const std::uint32_t outWidth = narrow(weight.value.layout.shape[0]);

  auto recording = autograd.record();
  recording.save(input.viewAs(Layout::contiguous(input.layout.type, {rows, inWidth})));
  recording.save(weight.value);
  Tensor out = executor.allocate(
      Layout::contiguous(input.layout.type, {input.layout.shape[0], input.layout.shape[1], outWidth}));
  executor.launch(name, LinearForward{element, input.address(), weight.value.address(),
                                      bias != nullptr ? bias->value.address() : 0, out.address(), rows, inWidth, outWidth});

  const Layout inputLayout = input.layout;
  auto backward = [&executor, name, element, rows, inWidth, outWidth, inputLayout, hasBias = bias != nullptr](
                      const Tensor& gradOut, std::vector<SavedSlot>& saved) {
    const Tensor savedInput = saved[0].unpack();
    const Tensor savedWeight = saved[1].unpack();
    Tensor gradInput = executor.allocate(inputLayout);
    executor.launch(name + " input gradient", LinearBackwardInput{element, gradOut.address(), savedWeight.address(),
                                                                  gradInput.address(), rows, inWidth, outWidth});
    Tensor gradWeight = executor.allocate(savedWeight.layout);
    Tensor gradBias;
    if (hasBias) gradBias = executor.allocate(Layout::contiguous(savedWeight.layout.type, {outWidth}));
    executor.launch(name + " weight gradient",
                    LinearBackwardWeight{element, gradOut.address(), savedInput.address(), gradWeight.address(),
                                         hasBias ? gradBias.address() : 0, rows, inWidth, outWidth});
    return std::vector<Tensor>{gradInput, gradWeight, gradBias};
  };
  return recording.finish(out, {input, weight.value, bias != nullptr ? bias->value : Tensor{}}, std::move(backward));
}

RotaryTensors rotaryTables(Executor& executor, ElementType element, std::uint64_t batch, std::uint32_t seq,
                           std::uint32_t headDim, float theta) {
  const Layout layout = Layout::contiguous(tensorType(element), {batch, seq, headDim});
  RotaryTensors tables{executor.allocate(layout), executor.allocate(layout)};
  executor.launch("rotary tables",
                  RotaryTables{element, tables.cos.address(), tables.sin.address(), batch * seq, seq, headDim, theta});
  return tables;
}

Tensor rotary(Autograd& autograd, const std::string& name, const Tensor& heads, const RotaryTensors& tables) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(heads);
  const Layout layout = heads.layout;
  const std::uint64_t rows = layout.shape[0] * layout.shape[1];
  const std::uint32_t headCount = narrow(layout.shape[2]);
  const std::uint32_t headDim = narrow(layout.shape[3]);

  auto recording = autograd.record();
  const Layout broadcast = Layout::contiguous(
      tables.cos.layout.type, {tables.cos.layout.shape[0], 1, tables.cos.layout.shape[1], tables.cos.layout.shape[2]});
  recording.save(tables.cos.viewAs(broadcast));
  recording.save(tables.sin.viewAs(broadcast));
  Tensor out = executor.allocate(layout);
  executor.launch(name, Rotary{element, heads.address(), tables.cos.address(), tables.sin.address(), out.address(), rows,
                               headCount, headDim, false});

  return recording.finish(out, {heads}, [&executor, name, element, layout, rows, headCount, headDim](
                                            const Tensor& gradOut, std::vector<SavedSlot>& saved) {
    const Tensor sin = saved[1].unpack();
    const Tensor cos = saved[0].unpack();
    Tensor gradIn = executor.allocate(layout);
    executor.launch(name + " backward", Rotary{element, gradOut.address(), cos.address(), sin.address(), gradIn.address(),
                                               rows, headCount, headDim, true});
    return std::vector<Tensor>{gradIn};
  });
}

Tensor copyOf(Autograd& autograd, const Tensor& tensor) {
  auto recording = autograd.record();
  Tensor copy = autograd.executor().clone(tensor);
  return recording.finish(copy, {tensor},
                          [](const Tensor& gradOut, std::vector<SavedSlot>&) { return std::vector<Tensor>{gradOut}; });
}

Tensor repeatHeads(Autograd& autograd, const Tensor& tensor, std::uint32_t heads) {
  const Layout few = tensor.layout;
  if (few.shape[2] == heads) return tensor;
  Executor& executor = autograd.executor();
  auto recording = autograd.record();
  const Layout many = Layout::contiguous(few.type, {few.shape[0], few.shape[1], heads, few.shape[3]});
  const Tensor repeated = executor.allocate(many);
  executor.moveOnDevice(kComputeStream, many.sizeBytes(), "repeat heads");
  return recording.finish(repeated, {tensor}, [&executor, few, many](const Tensor&, std::vector<SavedSlot>&) {
    const Tensor sum = executor.allocate(few);
    executor.moveOnDevice(kComputeStream, many.sizeBytes(), "sum over repeated heads");
    return std::vector<Tensor>{sum};
  });
}

Tensor attention(Autograd& autograd, const std::string& name, const Tensor& query, const Tensor& key, const Tensor& value,
                 AttentionMask mask) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(query);
  const std::uint32_t batch = narrow(query.layout.shape[0]);
  const std::uint32_t seq = narrow(query.layout.shape[1]);
  const std::uint32_t heads = narrow(query.layout.shape[2]);
  const std::uint32_t keyValueHeads = narrow(key.layout.shape[2]);
  const std::uint32_t headDim = narrow(query.layout.shape[3]);

  auto recording = autograd.record();
  // The framework turns a mask of booleans into one that is added, anew for every layer, and the kernel then computes what
  // the mask hides, too: twice the work of causal attention.
  const bool isMasked = mask == AttentionMask::given;
  if (isMasked) recording.save(executor.allocate(Layout::contiguous(query.layout.type, {batch, 1, seq, seq})));
  recording.save(withLayout(query, headsFirst(query.layout)));
  recording.save(withLayout(key, headsFirst(key.layout)));
  recording.save(value.viewAs(headsFirst(value.layout)));
  Tensor out =
      executor.allocate(Layout::contiguous(query.layout.type, {batch, seq, std::uint64_t{heads} * headDim}));
  const Tensor logSumExp = executor.allocate(Layout::contiguous(TensorType::f32, {batch, heads, seq}));
  executor.launch(name, AttentionForward{element, query.address(), key.address(), value.address(), out.address(),
                                         logSumExp.address(), batch, seq, heads, keyValueHeads, headDim});
  if (isMasked) {
    executor.launch(name + ", masked half", AttentionForward{element, query.address(), key.address(), value.address(), out.address(),
                                                             logSumExp.address(), batch, seq, heads, keyValueHeads, headDim});
  }
  recording.save(withLayout(out, headsFirst(query.layout)));
  recording.save(logSumExp);

  auto backward = [&executor, isMasked, name, element, batch, seq, heads, keyValueHeads, headDim, queryLayout = query.layout,
                   keyLayout = key.layout](const Tensor& gradOut, std::vector<SavedSlot>& saved) {
    const std::size_t first = isMasked ? 1 : 0;
    const Tensor savedLogSumExp = saved[first + 4].unpack();
    const Tensor savedOut = saved[first + 3].unpack();
    const Tensor savedValue = saved[first + 2].unpack();
    const Tensor savedKey = saved[first + 1].unpack();
    const Tensor savedQuery = saved[first].unpack();
    const Tensor savedMask = isMasked ? saved[0].unpack() : Tensor{};
    const Tensor delta = executor.allocate(Layout::contiguous(TensorType::f32, {batch, heads, seq}), Account::scratch);
    Tensor gradQuery = executor.allocate(queryLayout);
    Tensor gradKey = executor.allocate(keyLayout);
    Tensor gradValue = executor.allocate(keyLayout);
    const AttentionBackward work{element, gradOut.address(), savedQuery.address(), savedKey.address(), savedValue.address(),
                                 savedOut.address(), savedLogSumExp.address(), delta.address(), gradQuery.address(),
                                 gradKey.address(), gradValue.address(), batch, seq, heads, keyValueHeads, headDim};
    executor.launch(name + " backward", work);
    if (isMasked) executor.launch(name + " backward, masked half", work);
    return std::vector<Tensor>{gradQuery, gradKey, gradValue};
  };
  return recording.finish(out, {query, key, value}, std::move(backward));
}

Tensor add(Autograd& autograd, const std::string& name, const Tensor& left, const Tensor& right) {
  Executor& executor = autograd.executor();
  auto recording = autograd.record();
  Tensor out = executor.allocate(left.layout);
  executor.launch(name, Add{elementOf(left), left.address(), right.address(), out.address(), left.layout.elementCount()});
  return recording.finish(out, {left, right}, [](const Tensor& gradOut, std::vector<SavedSlot>&) {
    return std::vector<Tensor>{gradOut, gradOut};
  });
}

Tensor meanOfSquares(Autograd& autograd, const Tensor& hidden) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(hidden);
  const Layout layout = hidden.layout;
  const std::uint64_t count = layout.elementCount();

  auto recording = autograd.record();
  Layout wide = layout;
  wide.type = TensorType::f32;
  const Tensor hidden32 = executor.allocate(wide);
  Tensor loss = executor.allocate(Layout::contiguous(TensorType::f32, {1}), Account::batch);
  executor.launch("loss", LossForward{element, hidden.address(), hidden32.address(), loss.address(), count});
  recording.save(hidden32);

  return recording.finish(loss, {hidden}, [&executor, element, layout, count](const Tensor&, std::vector<SavedSlot>& saved) {
    const Tensor savedHidden32 = saved[0].unpack();
    Tensor gradHidden = executor.allocate(layout);
    // Expanded gradient, power, its double and their product, in fp32, beside the saved copy: eight times the hidden states.
    executor.transient(7 * layout.sizeBytes());
    executor.launch("loss backward", LossBackward{element, savedHidden32.address(), gradHidden.address(), count});
    return std::vector<Tensor>{gradHidden};
  });
}

}  // namespace offload
