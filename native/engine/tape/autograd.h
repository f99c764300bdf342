#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/tape/executor.h"
#include "engine/tape/tensor.h"

namespace offload {

/// What a hook keeps in place of a saved tensor.
class PackedTensor {
 public:
  virtual ~PackedTensor() = default;
  /// The tensor again, for the backward of the node that saved it.
  virtual Tensor unpack() = 0;
};

/// A pair of saved-tensor hooks: `pack` is called when a node saves a tensor, and `PackedTensor::unpack` when it is needed.
class SavedTensorHooks {
 public:
  virtual ~SavedTensorHooks() = default;
  /// A tensor (the same or a copy) that is kept as it is, or something to unpack later.
  virtual std::variant<Tensor, std::unique_ptr<PackedTensor>> pack(const Tensor& tensor) = 0;
};

/// One tensor that a node saved.
class SavedSlot {
 public:
  SavedSlot() = default;
  explicit SavedSlot(Tensor tensor, bool isHooked = false) : content_(std::move(tensor)), isHooked_(isHooked) {}
  explicit SavedSlot(std::unique_ptr<PackedTensor> packed) : content_(std::move(packed)), isHooked_(true) {}

  Tensor unpack();
  /// A hook pair saw the tensor, whether it kept it or not.
  bool isHooked() const { return isHooked_; }

 private:
  std::variant<Tensor, std::unique_ptr<PackedTensor>> content_;
  bool isHooked_ = false;
};

struct Parameter;

/// One operator of the recorded graph, with a single output. Shares ownership of the nodes it leads to.
class Node {
 public:
  /// Gradients of the inputs, in the order of `inputs`, from the gradient of the output; empty tensors where none flows.
  using Backward = std::function<std::vector<Tensor>(const Tensor& gradOutput, std::vector<SavedSlot>& saved)>;

  ~Node();

  std::uint64_t sequence = 0;
  std::int32_t layer = kNoLayer;
  std::vector<std::shared_ptr<Node>> inputs;
  std::vector<SavedSlot> saved;
  Backward backward;
  Parameter* parameter = nullptr;  ///< set on the leaf that collects a parameter's gradient
  Tensor pendingGradient;          ///< sum of what later nodes sent so far
};

/// A weight and its gradient.
struct Parameter {
  std::string name;
  Tensor value;     ///< `isParameter`, its producer is the leaf below
  Tensor gradient;  ///< empty before backward
};

/// Records operators and runs their backward, modelled on PyTorch's autograd: a stack of hook pairs of which the innermost
/// one alone sees a save; nodes run by falling sequence number; a node's saved tensors go as soon as it has run.
class Autograd {
 public:
  explicit Autograd(Executor& executor) : executor_(executor) {}

  Executor& executor() { return executor_; }

  /// Builds one node step by step, in the order in which a framework's operator saves.
  class Recording {
   public:
    /// Saves `tensor` through the innermost hook pair.
    void save(const Tensor& tensor);
    /// Makes `output` the node's output. `inputs` lists the tensors that get a gradient.
    Tensor finish(Tensor output, std::initializer_list<Tensor> inputs, Node::Backward backward);

   private:
    friend class Autograd;
    explicit Recording(Autograd& autograd);
    Autograd& autograd_;
    std::shared_ptr<Node> node_;
  };
  Recording record() { return Recording(*this); }

  SavedSlot save(const Tensor& tensor);
  /// Whether a save of now is seen by a hook pair.
  bool hasHooks() const { return !hooks_.empty(); }

  /// Makes a tensor a leaf that a gradient flows to (the input of a recomputed region).
  Tensor asLeaf(const Tensor& tensor);
  void attachLeaf(Parameter& parameter);

  /// Runs backward from the node of `output`, given its gradient (none for a loss). Parameter gradients end in
  /// `Parameter::gradient`, those of leaves wait for `takeGradient`. May be called from inside a node's backward.
  void backward(const Tensor& output, const Tensor& gradient = {});
  /// Adds what another part of the step computed to a parameter's gradient.
  void collect(Parameter& parameter, Tensor gradient);
  /// The gradient that flowed to a tensor made by `asLeaf`; empty if none did.
  Tensor takeGradient(const Tensor& leaf);

  /// Operators in this scope compute and remember nothing: no saves, no graph.
  class NoGraphScope {
   public:
    explicit NoGraphScope(Autograd& autograd) : autograd_(autograd), before_(std::exchange(autograd.hasGraph_, false)) {}
    ~NoGraphScope() { autograd_.hasGraph_ = before_; }
    NoGraphScope(const NoGraphScope&) = delete;
    NoGraphScope& operator=(const NoGraphScope&) = delete;

   private:
    Autograd& autograd_;
    bool before_;
  };

  /// Puts a hook pair on the stack for a scope.
  class HookScope {
   public:
    HookScope(Autograd& autograd, std::shared_ptr<SavedTensorHooks> hooks);
    ~HookScope();
    HookScope(const HookScope&) = delete;
    HookScope& operator=(const HookScope&) = delete;

   private:
    Autograd& autograd_;
  };

 private:
  Tensor sum(Tensor left, const Tensor& right);

  Executor& executor_;
  std::uint64_t nextSequence_ = 1;
  bool hasGraph_ = true;
  std::vector<std::shared_ptr<SavedTensorHooks>> hooks_;
};

}  // namespace offload
