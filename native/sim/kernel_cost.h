#pragma once

#include <cstdint>

#include "engine/kernel_calls.h"
#include "engine/op_model.h"
#include "sim/device_profile.h"

namespace offload {

/// What one call costs in the framework's form, although it is one kernel of ours.
struct KernelCost {
  double deviceNs = 0;          ///< sum over the framework's kernels
  std::uint32_t operators = 1;  ///< the framework's kernels that the host issues for it
  bool isBackward = false;      ///< issued by the autograd engine, not from Python
};

/// How the ranks of a training job share one sequence.
struct SequenceSharing {
  std::uint32_t ranks = 1;
};

/// Roofline of one operator: a matrix product by its number of operations, attention by its operations and sequence
/// length, everything else by the bytes that its eager kernels read and write.
///
/// Matrix products: rate = peak * min(share, 1 / (1 + (half / operations)^power)); the two free figures reproduce four
/// measured products within 10 %. Attention: rate = peak * share / (1 + halfSeq / seq). Bytes: counted kernel by kernel; those
/// of norms, rotary positions and MLPs come with the op model; one share of the bandwidth fits all recorded steps (`hf-eager`)
/// that a GPU bounds within 3 %.
KernelCost kernelCost(const DeviceProfile& profile, const KernelCall& call, const SequenceSharing& sharing = {},
                      const OperatorCosts& costs = defaultOpModel().costs);

}  // namespace offload
