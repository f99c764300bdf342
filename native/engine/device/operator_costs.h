#pragma once

#include <cstdint>

namespace offload {

/// What an operator's kernels read and write per element (bf16, intermediates included), and how many the host issues.
struct PassCost {
  double bytesPerElement = 0;
  std::uint32_t operators = 0;
};

/// Costs of the operators that differ between op models; a device that computes ignores them.
struct OperatorCosts {
  PassCost normForward, normBackward, mlpForward, mlpBackward, rotaryForward, rotaryBackward;
};

}  // namespace offload
