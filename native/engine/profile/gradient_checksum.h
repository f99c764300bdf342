#pragma once

#include <cstdint>
#include <deque>

#include "engine/tape/autograd.h"

namespace offload {

/// One number over the bits of all parameter gradients: the sum over parameters of their checksums mixed with their index,
/// modulo 2^64. Waits for the device.
std::uint64_t gradientChecksum(Executor& executor, const std::deque<Parameter>& parameters);

}  // namespace offload
