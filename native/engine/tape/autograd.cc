#include "engine/tape/autograd.h"

#include <map>
#include <stdexcept>

namespace offload {

Tensor SavedSlot::unpack() {
  if (auto* packed = std::get_if<std::unique_ptr<PackedTensor>>(&content_)) {
    if (!*packed) throw std::logic_error("a saved tensor was read after its release");
    return (*packed)->unpack();
  }
  return std::get<Tensor>(content_);
}

Node::~Node() {
  // Without this an abandoned graph would be destroyed recursively, as deep as the model has operators.
  std::vector<std::shared_ptr<Node>> doomed = std::move(inputs);
  while (!doomed.empty()) {
    const std::shared_ptr<Node> node = std::move(doomed.back());
    doomed.pop_back();
    if (!node || node.use_count() != 1) continue;
    for (auto& input : node->inputs) doomed.push_back(std::move(input));
    node->inputs.clear();
  }
}

Autograd::Recording::Recording(Autograd& autograd) : autograd_(autograd), node_(std::make_shared<Node>()) {
  node_->layer = autograd.executor_.layer();
}

void Autograd::Recording::save(const Tensor& tensor) {
  if (autograd_.hasGraph_) node_->saved.push_back(autograd_.save(tensor));
}

Tensor Autograd::Recording::finish(Tensor output, std::initializer_list<Tensor> inputs, Node::Backward backward) {
  if (!autograd_.hasGraph_) return output.detached();
  node_->sequence = autograd_.nextSequence_++;
  for (const Tensor& input : inputs) node_->inputs.push_back(input.producer);
  node_->backward = std::move(backward);
  output.producer = std::move(node_);
  return output;
}

SavedSlot Autograd::save(const Tensor& tensor) {
  // A slot that kept the producer would let a node that saves its own output own itself.
  Tensor detached = tensor.detached();
  if (hooks_.empty()) return SavedSlot(std::move(detached));
  const std::shared_ptr<SavedTensorHooks> innermost = hooks_.back();
  executor_.device().hostWork(HostWork::packHook);
  auto packed = innermost->pack(detached);
  if (auto* kept = std::get_if<Tensor>(&packed)) return SavedSlot(std::move(*kept), true);
  return SavedSlot(std::move(std::get<std::unique_ptr<PackedTensor>>(packed)));
}

Tensor Autograd::asLeaf(const Tensor& tensor) {
  Tensor leaf = tensor.detached();
  leaf.producer = std::make_shared<Node>();
  return leaf;
}

void Autograd::attachLeaf(Parameter& parameter) {
  auto leaf = std::make_shared<Node>();
  leaf->parameter = &parameter;
  parameter.value.isParameter = true;
  parameter.value.producer = std::move(leaf);
}

Autograd::HookScope::HookScope(Autograd& autograd, std::shared_ptr<SavedTensorHooks> hooks) : autograd_(autograd) {
  autograd_.hooks_.push_back(std::move(hooks));
}

Autograd::HookScope::~HookScope() { autograd_.hooks_.pop_back(); }

Tensor Autograd::sum(Tensor left, const Tensor& right) {
  if (!left) return right.detached();
  // In place only when nobody else can see the gradient: a residual hands one gradient to both of its inputs.
  Tensor out = left.storage.use_count() == 1 ? left : executor_.allocate(left.layout);
  const ElementType element = left.layout.type == TensorType::bf16 ? ElementType::bf16 : ElementType::f32;
  executor_.launch("gradient sum", Add{element, left.address(), right.address(), out.address(), left.layout.elementCount()});
  return out;
}

void Autograd::collect(Parameter& parameter, Tensor gradient) {
  parameter.gradient = sum(std::move(parameter.gradient), gradient);
  parameter.gradient.storage->countAs(MemoryPart::gradients);
}

Tensor Autograd::takeGradient(const Tensor& leaf) { return std::exchange(leaf.producer->pendingGradient, Tensor{}); }

void Autograd::backward(const Tensor& output, const Tensor& gradient) {
  if (!output.producer) throw std::logic_error("backward starts at a tensor that was computed");
  std::map<std::uint64_t, std::shared_ptr<Node>, std::greater<>> pending;
  output.producer->pendingGradient = gradient;
  pending.emplace(output.producer->sequence, output.producer);

  while (!pending.empty()) {
    const std::shared_ptr<Node> node = std::move(pending.begin()->second);
    pending.erase(pending.begin());
    executor_.throwIfCancelled();
    const LayerScope layerScope(executor_, node->layer);

    for (const SavedSlot& slot : node->saved) {
      if (slot.isHooked()) executor_.device().hostWork(HostWork::unpackHook);
    }
    const Tensor gradOutput = std::move(node->pendingGradient);
    node->pendingGradient = {};
    std::vector<Tensor> gradients = node->backward(gradOutput, node->saved);
    node->saved.clear();
    node->backward = nullptr;

    for (std::size_t i = 0; i < node->inputs.size(); ++i) {
      const std::shared_ptr<Node>& input = node->inputs[i];
      if (!input || !gradients[i]) continue;
      if (input->parameter != nullptr) {
        collect(*input->parameter, std::move(gradients[i]));
      } else {
        input->pendingGradient = sum(std::move(input->pendingGradient), gradients[i]);
        if (input->backward) pending.emplace(input->sequence, input);
      }
      gradients[i] = {};
    }
    node->inputs.clear();
  }
}

}  // namespace offload
