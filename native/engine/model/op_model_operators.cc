#include "engine/model/op_model_operators.h"

#include <algorithm>
#include <map>

namespace offload {
namespace {

ElementType elementOf(const Tensor& tensor) {
  return tensor.layout.type == TensorType::bf16 ? ElementType::bf16 : ElementType::f32;
}

std::uint64_t lastExtent(const Tensor& tensor) { return tensor.layout.shape[tensor.layout.rank - 1u]; }

Tensor asRows(const Tensor& tensor) {
  const std::uint64_t width = lastExtent(tensor);
  return tensor.viewAs(Layout::contiguous(tensor.layout.type, {tensor.layout.elementCount() / width, width}));
}

/// The tensors of one call by their place in the op model: made when first asked for, so that a set that does not save one
/// does not allocate it either.
template <typename Kind>
class CallTensors {
 public:
  CallTensors(Executor& executor, std::map<Kind, Tensor> given) : executor_(executor), tensors_(std::move(given)) {}

  const Tensor& get(Kind kind, const Layout& layout) {
    auto found = tensors_.find(kind);
    if (found == tensors_.end()) found = tensors_.emplace(kind, executor_.allocate(layout)).first;
    return found->second;
  }
  DeviceAddress addressOf(Kind kind) const {
    const auto found = tensors_.find(kind);
    return found == tensors_.end() ? 0 : found->second.address();
  }

 private:
  Executor& executor_;
  std::map<Kind, Tensor> tensors_;
};

/// All that a node saved, in the order of saving. The framework reads each of its saves, last first: one that was dropped or
/// moved comes back even where our kernel needs it once or not at all.
std::vector<Tensor> unpackAll(std::vector<SavedSlot>& saved) {
  std::vector<Tensor> tensors(saved.size());
  for (std::size_t i = saved.size(); i-- > 0;) tensors[i] = saved[i].unpack();
  return tensors;
}

/// The framework drops a save once the operator that made it has run backward: where a norm's backward is fullest, the save
/// that it reads last is left.
void keepFirst(std::vector<SavedSlot>& saved, std::vector<Tensor>& tensors) {
  saved.resize(1);
  tensors.resize(1);
}

/// Address of the last save of a kind; 0 where the set has none, which only devices without kernels are given.
template <typename Kind>
DeviceAddress addressOf(const std::vector<Tensor>& tensors, const std::vector<Kind>& kinds, Kind kind) {
  const auto found = std::find(kinds.rbegin(), kinds.rend(), kind);
  return found == kinds.rend() ? 0 : tensors[static_cast<std::size_t>(kinds.rend() - found) - 1].address();
}

Layout normLayout(NormTensor kind, const Layout& dense, std::uint64_t rows, std::uint32_t width) {
  Layout wide = dense;
  wide.type = TensorType::f32;
  switch (kind) {
    case NormTensor::input32:
    case NormTensor::normalised32:
    case NormTensor::centred32:
    case NormTensor::centredAgain32:
      return wide;
    case NormTensor::mean:
    case NormTensor::rstd:
      return Layout::contiguous(TensorType::f32, {rows, 1});
    case NormTensor::weight32:
      return Layout::contiguous(TensorType::f32, {width});
    default:
      return dense;
  }
}

/// `bytesPerElement` counts in bf16.
std::uint64_t transientBytes(const Layout& layout, double bytesPerElement) {
  return static_cast<std::uint64_t>(static_cast<double>(layout.sizeBytes()) * bytesPerElement / 2);
}

}  // namespace

Tensor norm(Autograd& autograd, const std::string& name, const Tensor& input, Parameter& weight, float epsilon,
            const OpModel& model) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(input);
  const auto width = static_cast<std::uint32_t>(lastExtent(input));
  const std::uint64_t rows = input.layout.elementCount() / width;
  const Layout dense = input.layout;

  auto recording = autograd.record();
  CallTensors<NormTensor> tensors(executor, {{NormTensor::input, input},
                                             {NormTensor::inputRows, asRows(input)},
                                             {NormTensor::weight, weight.value}});
  const auto tensor = [&](NormTensor kind) { return tensors.get(kind, normLayout(kind, dense, rows, width)); };
  for (const NormTensor kind : model.normSaves) tensor(kind);
  Tensor out = executor.allocate(dense);
  executor.launch(name, RmsNormForward{element, input.address(), weight.value.address(), tensors.addressOf(NormTensor::input32),
                                       tensors.addressOf(NormTensor::rstd), tensors.addressOf(NormTensor::normalised),
                                       out.address(), rows, width, epsilon});
  for (const NormTensor kind : model.normSaves) recording.save(tensor(kind));

  auto backward = [&executor, &model, name, element, rows, width, dense, weightLayout = weight.value.layout](
                      const Tensor& gradOut, std::vector<SavedSlot>& saved) {
    const auto& kinds = model.normSaves;
    std::vector<Tensor> all = unpackAll(saved);
    Tensor gradInput = executor.allocate(dense);
    Tensor gradWeight = executor.allocate(weightLayout);
    executor.launch(name + " backward",
                    RmsNormBackward{element, gradOut.address(), addressOf(all, kinds, NormTensor::weight),
                                    addressOf(all, kinds, NormTensor::input32), addressOf(all, kinds, NormTensor::rstd),
                                    addressOf(all, kinds, NormTensor::normalised), gradInput.address(), gradWeight.address(),
                                    rows, width});
    if (executor.isSimulated()) {
      keepFirst(saved, all);
      executor.transient(transientBytes(dense, model.normTransientBytesPerElement));
    }
    return std::vector<Tensor>{gradInput, gradWeight};
  };
  return recording.finish(out, {input, weight.value}, std::move(backward));
}

Tensor gatedActivation(Autograd& autograd, const std::string& name, const Tensor& gate, const Tensor& up,
                       const ActivationCall& callActivation, const OpModel& model) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(gate);
  const Layout layout = gate.layout;
  const std::uint64_t count = layout.elementCount();

  auto recording = autograd.record();
  CallTensors<MlpTensor> tensors(executor, {{MlpTensor::gate, gate},
                                            {MlpTensor::gateRows, asRows(gate)},
                                            {MlpTensor::up, up},
                                            {MlpTensor::upRows, asRows(up)}});
  const auto saveAll = [&](const std::vector<MlpTensor>& kinds) {
    for (const MlpTensor kind : kinds) recording.save(tensors.get(kind, layout));
  };
  if (!model.activationSaves.empty()) callActivation([&] { saveAll(model.activationSaves); });
  if (model.savesActivated()) tensors.get(MlpTensor::activated, layout);
  const Tensor product = tensors.get(MlpTensor::product, layout);
  executor.launch(name, SwiGluForward{element, gate.address(), up.address(), tensors.addressOf(MlpTensor::activated),
                                      product.address(), count});
  saveAll(model.mlpSaves);

  auto kinds = model.activationSaves;
  kinds.insert(kinds.end(), model.mlpSaves.begin(), model.mlpSaves.end());
  auto backward = [&executor, kinds = std::move(kinds), name, element, layout, count](const Tensor& gradOut,
                                                                                   std::vector<SavedSlot>& saved) {
    const std::vector<Tensor> all = unpackAll(saved);
    Tensor gradGate = executor.allocate(layout);
    Tensor gradUp = executor.allocate(layout);
    executor.launch(name + " backward",
                    SwiGluBackward{element, gradOut.address(), addressOf(all, kinds, MlpTensor::gate),
                                   addressOf(all, kinds, MlpTensor::up), addressOf(all, kinds, MlpTensor::activated),
                                   gradGate.address(), gradUp.address(), count});
    return std::vector<Tensor>{gradGate, gradUp};
  };
  return recording.finish(product, {gate, up}, std::move(backward));
}

Tensor plainActivation(Autograd& autograd, const std::string& name, const Tensor& up, const ActivationCall& callActivation,
                       const OpModel& model) {
  Executor& executor = autograd.executor();
  const ElementType element = elementOf(up);
  const Layout layout = up.layout;
  const std::uint64_t count = layout.elementCount();

  auto recording = autograd.record();
  CallTensors<MlpTensor> tensors(executor, {{MlpTensor::up, up}, {MlpTensor::upRows, asRows(up)}});
  const auto activation = [&] {
    for (const MlpTensor kind : model.activationSaves) tensors.get(kind, layout);
    const Tensor& out = tensors.get(MlpTensor::product, layout);
    executor.launch(name, SwiGluForward{element, up.address(), up.address(), 0, out.address(), count});
    for (const MlpTensor kind : model.activationSaves) recording.save(tensors.get(kind, layout));
  };
  callActivation(activation);
  const Tensor product = tensors.get(MlpTensor::product, layout);

  auto backward = [&executor, name, element, layout, count](const Tensor& gradOut, std::vector<SavedSlot>& saved) {
    const std::vector<Tensor> all = unpackAll(saved);
    Tensor gradUp = executor.allocate(layout);
    executor.launch(name + " backward",
                    SwiGluBackward{element, gradOut.address(), 0, 0, 0, gradUp.address(), gradUp.address(), count});
    return std::vector<Tensor>{gradUp};
  };
  return recording.finish(product, {up}, std::move(backward));
}

}  // namespace offload
