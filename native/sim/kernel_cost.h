#pragma once

#include <cstdint>

#include "engine/device/kernel_calls.h"
#include "engine/device/row_layout.h"
#include "engine/model/op_model.h"
#include "sim/device_profile.h"

namespace offload {

/// What one call costs in the framework's form, although it is one kernel of ours.
struct KernelCost {
  double deviceNs = 0;          ///< sum over the framework's kernels
  std::uint32_t operators = 1;  ///< the framework's kernels that the host issues for it
  bool isBackward = false;      ///< issued by the autograd engine, not from Python
};

/// Roofline of one operator: a matrix product by its number of operations, attention by its operations and sequence
/// length, everything else by the bytes that its eager kernels read and write.
///
/// Matrix products: start + operations / (peak * share), as the kernels in traces of two recorded steps run from 0.009 to 0.8
/// 10^12 operations (products timed alone by the host look slower, the smaller the more). Attention: rate = peak * share /
/// (1 + halfSeq / seq), of a packed row with its sequences at their longest. Bytes: counted kernel by kernel; those of norms, rotary positions and MLPs come with the op model. One
/// share of the bandwidth and one of the products fit all recorded steps (`hf-eager`) that a GPU bounds within 3 %, and runs
/// of other sizes and lengths, which nothing was fitted to, within 8 %. Grouped products of experts: as a product of all tokens,
/// plus the bytes of tokens and of the weights of all experts at a share of the bandwidth.
KernelCost kernelCost(const DeviceProfile& profile, const KernelCall& call, const RowLayout& layout = {},
                      const OperatorCosts& costs = defaultOpModel().costs);

}  // namespace offload
