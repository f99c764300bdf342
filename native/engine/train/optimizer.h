#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/model/whole_step.h"
#include "engine/tape/autograd.h"

namespace offload {

/// Norm of all gradients, clip and AdamW over this rank's part of the parameters. Devices with values compute them for one rank; the
/// kinds differ in kernels and temporaries, not in results.
class Optimizer {
 public:
  /// `elements`: of each parameter, this rank's; `stored`: type of parameters, gradients and states.
  Optimizer(Executor& executor, const WholeStep& step, TensorType stored, bool isSharded, std::deque<Parameter>& parameters,
            std::vector<std::uint64_t> elements);

  void clip();
  /// Makes the states where this is the first step.
  void step();
  /// Two for each parameter; none before the first step.
  const std::vector<Tensor>& states() const { return states_; }

 private:
  std::uint32_t hostOperators(double each, double eachSharded) const;
  std::uint64_t elementBytes() const { return bytesPerElement(stored_); }
  /// Of one pass over all parameters.
  std::uint32_t kernels() const;
  Tensor allocate(std::uint64_t elements);
  void makeStates();
  void countClip();
  void computeClip();
  /// `temporaries`: tensors of a parameter's size that live while it is updated.
  void loopOverParameters(std::size_t temporaries);
  void computeStep(std::size_t index);

  Executor& executor_;
  OptimizerKind kind_;
  TensorType stored_;
  bool isSharded_;
  std::deque<Parameter>& parameters_;
  std::vector<std::uint64_t> elements_;
  std::uint64_t total_ = 0;
  std::vector<Tensor> states_;
  std::uint32_t stepsDone_ = 0;
};

}  // namespace offload
