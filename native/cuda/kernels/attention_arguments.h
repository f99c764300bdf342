#pragma once

#include <cstdint>

namespace offload {

/// The argument of every attention kernel; layouts as in engine/device/kernel_calls.h. A kernel reads the fields of its direction.
struct AttentionArguments {
  std::uint64_t query;
  std::uint64_t key;
  std::uint64_t value;
  std::uint64_t out;
  std::uint64_t logSumExp;
  std::uint64_t gradOut;
  std::uint64_t delta;
  std::uint64_t gradQuery;
  std::uint64_t gradKey;
  std::uint64_t gradValue;
  std::uint32_t batch;
  std::uint32_t seq;
  std::uint32_t heads;
  std::uint32_t keyValueHeads;
  std::uint32_t headDim;
  float scale;
};

}  // namespace offload
