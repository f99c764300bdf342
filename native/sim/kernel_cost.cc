#include "sim/kernel_cost.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace offload {
namespace {

/// Bytes that the eager kernels of an operator move per element, fp32 intermediates included; element type bf16.
constexpr double kLossForwardBytes = 18;   // to fp32 6, square 8, mean 4
constexpr double kLossBackwardBytes = 22;
/// Part of the bandwidth at which a grouped product moves its operands, beside its operations: from the 16 in the trace of a step
/// of two layers of Qwen3-30B-A3B, 2,048 tokens, on an H200 (4.56 ms for 1.24 * 10^12 operations and 11.3 GB).
constexpr double kGroupedMemoryShare = 0.79;
/// Part of the bandwidth that passes over [tokens, vocabulary] and over all parameters reach: one figure for the forward and
/// backward of seven heads and the optimizers of recorded whole steps on an H200.
constexpr double kWideMemoryShare = 0.71;

class Coster {
 public:
  Coster(const DeviceProfile& profile, const RowLayout& layout, const OperatorCosts& costs)
      : profile_(profile), layout_(layout), costs_(costs) {}

  KernelCost operator()(const Memset& call) const { return bytes(static_cast<double>(call.bytes), 1, true); }
  // What fills weights and checks gradients is ours, outside any step: free.
  KernelCost operator()(const FillConstant&) const { return {0, 0, false}; }
  KernelCost operator()(const FillNormal&) const { return {0, 0, false}; }
  KernelCost operator()(const FillTokens&) const { return {0, 0, false}; }
  KernelCost operator()(const Checksum&) const { return {0, 0, false}; }

  KernelCost operator()(const RotaryTables& call) const {
    return elements(call.element, static_cast<double>(call.rows) * call.headDim, 14, 6, false);
  }
  KernelCost operator()(const EmbeddingForward& call) const {
    return elements(call.element, static_cast<double>(call.rows) * call.hidden, 4, 1, false);
  }
  KernelCost operator()(const EmbeddingBackward& call) const {
    return elements(call.element, static_cast<double>(call.rows) * call.hidden, 8, 4, true);
  }
  KernelCost operator()(const RmsNormForward& call) const {
    return pass(call.element, static_cast<double>(call.rows) * call.width, costs_.normForward, false);
  }
  KernelCost operator()(const RmsNormBackward& call) const {
    return pass(call.element, static_cast<double>(call.rows) * call.width, costs_.normBackward, true);
  }
  KernelCost operator()(const LinearForward& call) const { return product(call.element, call.rows, call.inWidth,
      call.outWidth, false); }
  KernelCost operator()(const LinearBackwardInput& call) const {
    return product(call.element, call.rows, call.inWidth, call.outWidth, true);
  }
  KernelCost operator()(const LinearBackwardWeight& call) const {
    return product(call.element, call.rows, call.inWidth, call.outWidth, true);
  }
  KernelCost operator()(const Rotary& call) const {
    const double count = static_cast<double>(call.rows) * call.heads * call.headDim;
    return pass(call.element, count, call.inverse ? costs_.rotaryBackward : costs_.rotaryForward, call.inverse);
  }
  KernelCost operator()(const AttentionForward& call) const {
    return attention(call.element, call.batch, call.seq, call.heads, call.headDim, profile_.attentionForwardShare, 1.0, false);
  }
  // Backward is two and a half times the operations: five products instead of two.
  KernelCost operator()(const AttentionBackward& call) const {
    return attention(call.element, call.batch, call.seq, call.heads, call.headDim, profile_.attentionBackwardShare, 2.5, true);
  }
  KernelCost operator()(const SwiGluForward& call) const {
    return pass(call.element, static_cast<double>(call.count), costs_.mlpForward, false);
  }
  KernelCost operator()(const SwiGluBackward& call) const {
    return pass(call.element, static_cast<double>(call.count), costs_.mlpBackward, true);
  }
  // Sums of gradients outnumber residuals: both count as issued by the autograd engine.
  KernelCost operator()(const Add& call) const { return elements(call.element, static_cast<double>(call.count), 6, 1, true); }
  KernelCost operator()(const LossForward& call) const {
    return elements(call.element, static_cast<double>(call.count), kLossForwardBytes, 3, false);
  }
  KernelCost operator()(const LossBackward& call) const {
    return elements(call.element, static_cast<double>(call.count), kLossBackwardBytes, 4, true);
  }
  // With few tokens to an expert there is little to compute while its weights come in: loading adds to the operations.
  KernelCost operator()(const GroupedProduct& call) const {
    KernelCost cost = product(call.element, call.rows, call.inWidth, call.outWidth, call.isBackward);
    const double weights = static_cast<double>(std::min(call.experts, call.rows)) * call.inWidth * call.outWidth;
    const double tokens = static_cast<double>(call.rows) * (static_cast<double>(call.inWidth) + call.outWidth);
    const double moved = (weights + tokens) * static_cast<double>(bytesPerElement(call.element));
    cost.deviceNs += moved / (profile_.memoryGBps * kGroupedMemoryShare);
    return cost;
  }
  // Heads and optimizers are lists of passes and products here.
  template <class Call>
    requires isWholeStepCall<Call>
  KernelCost operator()(const Call&) const { throw std::logic_error("arithmetic of a whole step on a simulated device"); }
  KernelCost operator()(const MemoryPass& call) const {
    const double share = call.isWide ? std::max(kWideMemoryShare, profile_.memoryShare) : profile_.memoryShare;
    const double movedNs = static_cast<double>(call.bytes) / (profile_.memoryGBps * share);
    return {movedNs + call.kernels * profile_.kernelNs, call.operators, call.isBackward};
  }

 private:
  KernelCost bytes(double count, std::uint32_t operators, bool isBackward) const {
    // 10^9 bytes per second are bytes per ns.
    return {count / (profile_.memoryGBps * profile_.memoryShare) + operators * profile_.kernelNs, operators, isBackward};
  }

  KernelCost elements(ElementType element, double count, double bytesEach, std::uint32_t operators, bool isBackward) const {
    return bytes(count * bytesEach * (element == ElementType::bf16 ? 1.0 : 2.0), operators, isBackward);
  }

  KernelCost pass(ElementType element, double count, const PassCost& cost, bool isBackward) const {
    return elements(element, count, cost.bytesPerElement, cost.operators, isBackward);
  }

  KernelCost product(ElementType element, std::uint64_t rows, std::uint32_t inWidth, std::uint32_t outWidth,
      bool isBackward) const {
    const double tflop = 2e-12 * static_cast<double>(rows) * inWidth * outWidth;
    const double slow = element == ElementType::bf16 ? 1.0 : 8.0;
    // Few tokens: the weight's bytes bound the product.
    const double weightNs = static_cast<double>(inWidth) * outWidth * 2.0 / profile_.memoryGBps;
    const double computeNs = tflop / (profile_.matmulTflops * profile_.matmulShare) * 1e9 * slow;
    return {std::max(computeNs, weightNs) + profile_.matmulStartNs, 1, isBackward};
  }

  KernelCost attention(ElementType element, std::uint32_t batch, std::uint32_t seq, std::uint32_t heads, std::uint32_t headDim,
                       double peakShare, double factor, bool isBackward) const {
    // A rank that holds a part of the sequence computes a part of the heads over all of it, and exchanges its four operands.
    const double wholeSeq = static_cast<double>(seq) * layout_.ranks;
    // Its kernels work on heads of whole multiples of 64.
    const double computedDim = (headDim + 63) / 64 * 64;
    // Each token meets those of its own sequence alone.
    const double met = layout_.packedTokens == 0 ? wholeSeq : std::min<double>(layout_.packedTokens, wholeSeq);
    const double tflop = factor * 2e-12 * batch * wholeSeq * met * heads * computedDim / layout_.ranks;
    const double share = peakShare / (1.0 + profile_.attentionHalfSeq / met);
    const double slow = element == ElementType::bf16 ? 1.0 : 8.0;
    KernelCost cost{tflop / (profile_.matmulTflops * share) * 1e9 * slow + profile_.kernelNs, isBackward ? 2u : 1u, isBackward};
    if (layout_.ranks > 1) {
      const double sent = 4.0 * batch * seq * heads * headDim * 2.0 * (layout_.ranks - 1) / layout_.ranks;
      cost.deviceNs += (sent / profile_.collectiveGBps + 4 * profile_.collectiveLatencyNs) * (isBackward ? 2 : 1);
      cost.operators += isBackward ? 8 : 4;
    }
    return cost;
  }

  const DeviceProfile& profile_;
  const RowLayout& layout_;
  const OperatorCosts& costs_;
};

}  // namespace

KernelCost kernelCost(const DeviceProfile& profile, const KernelCall& call, const RowLayout& layout,
                      const OperatorCosts& costs) {
  return std::visit(Coster(profile, layout, costs), call);
}

}  // namespace offload
