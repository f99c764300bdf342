#pragma once

#include <stdexcept>

#include "cpu/row_pool.h"
#include "engine/device/kernel_calls.h"

namespace offload {

/*
 * One function per operator of kernel_calls.h, which says what each computes. Addresses are pointers to memory of CpuDevice.
 * All return when the work is done, or early with unspecified output once the pool is cancelled. They throw std::bad_alloc
 * when there is no memory for fp32 copies of their operands.
 */

void runKernel(const Memset& call, RowPool& pool);
void runKernel(const FillConstant& call, RowPool& pool);
void runKernel(const FillNormal& call, RowPool& pool);
void runKernel(const FillTokens& call, RowPool& pool);
void runKernel(const Checksum& call, RowPool& pool);
void runKernel(const RotaryTables& call, RowPool& pool);
void runKernel(const EmbeddingForward& call, RowPool& pool);
void runKernel(const EmbeddingBackward& call, RowPool& pool);
void runKernel(const RmsNormForward& call, RowPool& pool);
void runKernel(const RmsNormBackward& call, RowPool& pool);
void runKernel(const LinearForward& call, RowPool& pool);
void runKernel(const LinearBackwardInput& call, RowPool& pool);
void runKernel(const LinearBackwardWeight& call, RowPool& pool);
void runKernel(const Rotary& call, RowPool& pool);
void runKernel(const AttentionForward& call, RowPool& pool);
void runKernel(const AttentionBackward& call, RowPool& pool);
void runKernel(const SwiGluForward& call, RowPool& pool);
void runKernel(const SwiGluBackward& call, RowPool& pool);
void runKernel(const Add& call, RowPool& pool);
void runKernel(const LossForward& call, RowPool& pool);
void runKernel(const LossBackward& call, RowPool& pool);
void runKernel(const Widen& call, RowPool& pool);
void runKernel(const Narrow& call, RowPool& pool);
void runKernel(const LogSoftmax& call, RowPool& pool);
void runKernel(const NextTokenGradient& call, RowPool& pool);
void runKernel(const LogSoftmaxBackward& call, RowPool& pool);
void runKernel(const SumOfSquares& call, RowPool& pool);
void runKernel(const ClipToNorm& call, RowPool& pool);
void runKernel(const AdamW& call, RowPool& pool);

// Only simulated devices run models with experts: a call here is a bug.
[[noreturn]] inline void runKernel(const GroupedProduct&, RowPool&) { throw std::logic_error("grouped product on a CPU"); }
[[noreturn]] inline void runKernel(const MemoryPass&, RowPool&) { throw std::logic_error("memory pass on a CPU"); }

}  // namespace offload
