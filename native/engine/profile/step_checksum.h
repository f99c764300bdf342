#pragma once

#include <cstdint>
#include <vector>

#include "engine/tape/executor.h"

namespace offload {

/// One number over the bits of what a step leaves (`TrainingStep::results`): the sum over tensors of their checksums mixed with their
/// index, modulo 2^64; empty tensors count as zeros. Waits for the device.
std::uint64_t stepChecksum(Executor& executor, const std::vector<Tensor>& results);

}  // namespace offload
