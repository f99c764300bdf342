#pragma once

#include <cstdint>

#include "attention_arguments.h"

namespace offload {

constexpr float kLog2E = 1.4426950408889634F;
constexpr float kLn2 = 0.6931471805599453F;

/// Where one (batch, head) lies in the tensors of a call. Rows of queries and of keys have different strides.
struct AttentionHead {
  std::uint64_t queryBase;
  std::uint64_t keyBase;
  std::uint64_t queryStride;
  std::uint64_t keyStride;
  std::uint64_t rowBase;

  __device__ __forceinline__ AttentionHead(const AttentionArguments& call, std::uint32_t batch, std::uint32_t head) {
    const std::uint64_t keyHead = head / (call.heads / call.keyValueHeads);
    const std::uint64_t firstRow = static_cast<std::uint64_t>(batch) * call.seq;
    queryStride = static_cast<std::uint64_t>(call.heads) * call.headDim;
    keyStride = static_cast<std::uint64_t>(call.keyValueHeads) * call.headDim;
    queryBase = firstRow * queryStride + static_cast<std::uint64_t>(head) * call.headDim;
    keyBase = firstRow * keyStride + keyHead * call.headDim;
    rowBase = (static_cast<std::uint64_t>(batch) * call.heads + head) * call.seq;
  }
};

template <class T>
__device__ __forceinline__ T* at(std::uint64_t address) {
  return reinterpret_cast<T*>(address);
}

}  // namespace offload
