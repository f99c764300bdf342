#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/whole_step.h"
#include "engine/tape/executor.h"

namespace offload {

/// Norm of all gradients, clip and AdamW over this rank's part of the parameters, on a simulated device.
class Optimizer {
 public:
  /// `elements`: of each parameter, this rank's.
  Optimizer(Executor& executor, const WholeStep& step, bool isSharded, std::vector<std::uint64_t> elements);

  void clip();
  /// Makes the states where this is the first step.
  void step();

 private:
  std::uint32_t hostOperators(double each, double eachSharded) const;
  TensorType storedType() const { return master_ == MasterType::fp32 ? TensorType::f32 : TensorType::bf16; }
  std::uint64_t elementBytes() const { return bytesPerElement(storedType()); }
  /// Of one pass over all parameters.
  std::uint32_t kernels() const;
  Tensor allocate(std::uint64_t elements);
  void makeStates();
  void loopOverParameters();

  Executor& executor_;
  OptimizerKind kind_;
  MasterType master_;
  bool isSharded_;
  std::vector<std::uint64_t> elements_;
  std::uint64_t total_ = 0;
  std::vector<Tensor> states_;
};

}  // namespace offload
