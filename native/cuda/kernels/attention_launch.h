#pragma once

#include <cmath>
#include <cstdint>

#include "attention_arguments.h"
#include "attention_tiles.h"
#include "engine/device/kernel_calls.h"
#include "tile_launch.h"

namespace offload {

/*
 * Which kernels compute the attention calls, with their grids and shared memory. bf16 with a head dimension up to 256 that is a
 * multiple of 8, at 16-byte aligned addresses, runs on tensor cores with the head dimension padded to 64, 96, 128 or 256
 * (sm_90a up to 128: 64 or 128);
 * everything else runs the plain kernels.
 */

template <class Call>
AttentionArguments attentionShape(const Call& call) {
  AttentionArguments arguments{};
  arguments.query = call.query;
  arguments.key = call.key;
  arguments.value = call.value;
  arguments.out = call.out;
  arguments.logSumExp = call.logSumExp;
  arguments.batch = call.batch;
  arguments.seq = call.seq;
  arguments.heads = call.heads;
  arguments.keyValueHeads = call.keyValueHeads;
  arguments.headDim = call.headDim;
  arguments.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(call.headDim)));
  return arguments;
}

/// A compiled kernel, its shape and its dynamic shared memory.
struct AttentionKernel {
  const char* name;
  AttentionTile tile;
  std::uint32_t sharedBytes;
};

/// The kernels of one head dimension.
struct AttentionKernels {
  AttentionKernel forward;
  AttentionKernel backwardKeys;
  AttentionKernel backwardQueries;
};

inline AttentionKernels hopperAttentionKernels(std::uint32_t headDim) {
  if (headDim <= 64) {
    return {{"attention_forward_64_hopper", kForward64Hopper, forwardBytesHopper(kForward64Hopper)},
            {"attention_backward_keys_64_hopper", kBackward64Hopper, backwardBytesHopper(kBackward64Hopper)},
            {"attention_backward_queries_64_hopper", kBackward64Hopper, backwardBytesHopper(kBackward64Hopper)}};
  }
  return {{"attention_forward_128_hopper", kForward128Hopper, forwardBytesHopper(kForward128Hopper)},
          {"attention_backward_keys_128_hopper", kBackward128Hopper, backwardBytesHopper(kBackward128Hopper)},
          {"attention_backward_queries_128_hopper", kBackward128Hopper, backwardBytesHopper(kBackward128Hopper)}};
}

/// `headDim` is at most 256.
inline AttentionKernels attentionKernels(std::uint32_t headDim, TileTarget target) {
  if (target.hopper && headDim <= 128) return hopperAttentionKernels(headDim);
  if (headDim <= 64) {
    return {{"attention_forward_64", kForward64, forwardBytes(kForward64)},
            {"attention_backward_keys_64", kBackwardKeys64, backwardKeysBytes(kBackwardKeys64)},
            {"attention_backward_queries_64", kBackwardQueries64, backwardQueriesBytes(kBackwardQueries64)}};
  }
  if (headDim <= 96) {
    return {{"attention_forward_96", kForward96, forwardBytes(kForward96)},
            {"attention_backward_keys_96", kBackwardKeys96, backwardKeysBytes(kBackwardKeys96)},
            {"attention_backward_queries_96", kBackwardQueries96, backwardQueriesBytes(kBackwardQueries96)}};
  }
  if (headDim <= 128) {
    return {{"attention_forward_128", kForward128, forwardBytes(kForward128)},
            {"attention_backward_keys_128", kBackwardKeys128, backwardKeysBytes(kBackwardKeys128)},
            {"attention_backward_queries_128", kBackwardQueries128, backwardQueriesBytes(kBackwardQueries128)}};
  }
  return {{"attention_forward_256", kForward256, forwardBytes(kForward256)},
          {"attention_backward_keys_256", kBackwardKeys256, backwardKeysBytes(kBackwardKeys256)},
          {"attention_backward_queries_256", kBackwardQueries256, backwardQueriesBytes(kBackwardQueries256)}};
}

inline bool hasTileShape(const AttentionArguments& a, ElementType element) {
  const bool isAligned = isTileAligned(a.query) && isTileAligned(a.key) && isTileAligned(a.value) && isTileAligned(a.out) &&
                         isTileAligned(a.gradOut) && isTileAligned(a.gradQuery) && isTileAligned(a.gradKey) && isTileAligned(a.gradValue);
  return element == ElementType::bf16 && isAligned && a.headDim % 8 == 0 && a.headDim <= 256;
}

inline constexpr std::uint32_t kPlainWarps = 4;

inline TileLaunch plainAttention(const char* kernel, const AttentionArguments& arguments, std::uint32_t heads) {
  const std::uint64_t rows = static_cast<std::uint64_t>(arguments.batch) * heads * arguments.seq;
  return tileLaunch(kernel, tilesFor(rows, kPlainWarps), 1, kPlainWarps * 32, kPlainWarps * 2 * 4 * arguments.headDim, arguments);
}

inline TileLaunch tiledAttention(const AttentionKernel& kernel, const AttentionArguments& arguments, std::uint32_t heads) {
  return tileLaunch(kernel.name, arguments.batch * heads, tilesFor(arguments.seq, kernel.tile.rows), kernel.tile.threads,
                    kernel.sharedBytes, arguments);
}

/// One launch. Nothing is launched for an empty batch or sequence.
inline TileLaunches attentionForwardLaunches(const AttentionForward& call, TileTarget target) {
  const AttentionArguments arguments = attentionShape(call);
  TileLaunches launches;
  if (call.batch == 0 || call.seq == 0) return launches;
  if (hasTileShape(arguments, call.element)) {
    launches.add(tiledAttention(attentionKernels(call.headDim, target).forward, arguments, call.heads));
  } else {
    const bool isBf16 = call.element == ElementType::bf16;
    launches.add(plainAttention(isBf16 ? "attention_forward_plain_bf16" : "attention_forward_plain_f32", arguments, call.heads));
  }
  return launches;
}

/// Delta, then the gradients of keys and values, then those of queries.
inline TileLaunches attentionBackwardLaunches(const AttentionBackward& call, TileTarget target) {
  AttentionArguments arguments = attentionShape(call);
  arguments.gradOut = call.gradOut;
  arguments.delta = call.delta;
  arguments.gradQuery = call.gradQuery;
  arguments.gradKey = call.gradKey;
  arguments.gradValue = call.gradValue;
  TileLaunches launches;
  if (call.batch == 0 || call.seq == 0) return launches;
  if (hasTileShape(arguments, call.element)) {
    const std::uint64_t rows = static_cast<std::uint64_t>(call.batch) * call.seq * call.heads;
    launches.add(tileLaunch("attention_delta", tilesFor(rows, 4), 1, 128, 0, arguments));
    const AttentionKernels kernels = attentionKernels(call.headDim, target);
    launches.add(tiledAttention(kernels.backwardKeys, arguments, call.keyValueHeads));
    launches.add(tiledAttention(kernels.backwardQueries, arguments, call.heads));
    return launches;
  }
  const bool isBf16 = call.element == ElementType::bf16;
  launches.add(plainAttention(isBf16 ? "attention_delta_plain_bf16" : "attention_delta_plain_f32", arguments, call.heads));
  launches.add(plainAttention(isBf16 ? "attention_backward_keys_plain_bf16" : "attention_backward_keys_plain_f32", arguments,
                              call.keyValueHeads));
  launches.add(plainAttention(isBf16 ? "attention_backward_queries_plain_bf16" : "attention_backward_queries_plain_f32", arguments,
                              call.heads));
  return launches;
}

}  // namespace offload
