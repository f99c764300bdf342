#pragma once

#include <cmath>
#include <cstdint>

#include "attention_arguments.h"
#include "engine/kernel_calls.h"
#include "tile_launch.h"
#include "tile_shape.h"

namespace offload {

/*
 * Which kernels compute the attention calls, with their grids and shared memory. bf16 with a head dimension up to 256 that is a
 * multiple of 8, at 16-byte aligned addresses, runs on tensor cores with the head dimension padded to 64, 96, 128 or 256;
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

/// One compiled attention kernel: rows a block owns, threads, dynamic shared memory.
struct AttentionKernel {
  const char* name;
  std::uint32_t rows;
  std::uint32_t threads;
  std::uint32_t sharedBytes;
};

/// Query tile and two stages of keys and values.
template <int BM, int BN, int D>
constexpr AttentionKernel forwardKernel(const char* name) {
  return {name, BM, 128, tile::kTileBytes<BM, D> + 4 * tile::kTileBytes<BN, D>};
}

/// Keys and values, and two stages of queries, their gradients, log-sum-exp and delta.
template <int BN, int BQ, int D, int Split>
constexpr AttentionKernel backwardKeysKernel(const char* name) {
  return {name, BN, BN / 16 * Split * 32, 2 * tile::kTileBytes<BN, D> + 2 * (2 * tile::kTileBytes<BQ, D> + 8 * BQ)};
}

/// Queries and their gradients, and two stages of keys and values.
template <int BM, int BN, int D>
constexpr AttentionKernel backwardQueriesKernel(const char* name) {
  return {name, BM, BM / 16 * 32, 2 * tile::kTileBytes<BM, D> + 4 * tile::kTileBytes<BN, D>};
}

inline AttentionKernel forwardKernelFor(std::uint32_t headDim) {
  if (headDim <= 64) return forwardKernel<128, 64, 64>("attention_forward_64");
  if (headDim <= 96) return forwardKernel<64, 64, 96>("attention_forward_96");
  if (headDim <= 128) return forwardKernel<128, 64, 128>("attention_forward_128");
  return forwardKernel<64, 32, 256>("attention_forward_256");
}

inline AttentionKernel backwardKeysKernelFor(std::uint32_t headDim) {
  if (headDim <= 64) return backwardKeysKernel<64, 64, 64, 1>("attention_backward_keys_64");
  if (headDim <= 96) return backwardKeysKernel<64, 32, 96, 1>("attention_backward_keys_96");
  if (headDim <= 128) return backwardKeysKernel<64, 64, 128, 1>("attention_backward_keys_128");
  return backwardKeysKernel<32, 32, 256, 2>("attention_backward_keys_256");
}

inline AttentionKernel backwardQueriesKernelFor(std::uint32_t headDim) {
  if (headDim <= 64) return backwardQueriesKernel<64, 64, 64>("attention_backward_queries_64");
  if (headDim <= 96) return backwardQueriesKernel<64, 64, 96>("attention_backward_queries_96");
  if (headDim <= 128) return backwardQueriesKernel<64, 64, 128>("attention_backward_queries_128");
  return backwardQueriesKernel<64, 16, 256>("attention_backward_queries_256");
}

/// sm_90a: 128 rows a block, three warpgroups; barriers take the last 128 bytes.
inline constexpr std::uint32_t kHopperRows = 128;
inline constexpr std::uint32_t kHopperThreads = 384;
inline constexpr std::uint32_t kBarrierBytes = 128;

/// Queries, two stages of 128 keys and of values.
template <int D>
constexpr AttentionKernel hopperForwardKernel(const char* name) {
  return {name, kHopperRows, kHopperThreads, 5 * tile::kTileBytes<128, D> + kBarrierBytes};
}

/// Two tiles of 128 rows, three stages of two tiles of 64 and of two numbers a row.
template <int D>
constexpr AttentionKernel hopperBackwardKernel(const char* name) {
  return {name, kHopperRows, kHopperThreads, 2 * tile::kTileBytes<128, D> + 3 * (2 * tile::kTileBytes<64, D> + 8 * 64) + kBarrierBytes};
}

/// Kernels of one call.
struct AttentionKernels {
  AttentionKernel forward;
  AttentionKernel backwardKeys;
  AttentionKernel backwardQueries;
};

inline AttentionKernels attentionKernelsFor(std::uint32_t headDim, TileTarget target) {
  if (target.hopper && headDim <= 64) {
    return {hopperForwardKernel<64>("attention_forward_64_hopper"), hopperBackwardKernel<64>("attention_backward_keys_64_hopper"),
            hopperBackwardKernel<64>("attention_backward_queries_64_hopper")};
  }
  if (target.hopper && headDim <= 128) {
    return {hopperForwardKernel<128>("attention_forward_128_hopper"), hopperBackwardKernel<128>("attention_backward_keys_128_hopper"),
            hopperBackwardKernel<128>("attention_backward_queries_128_hopper")};
  }
  return {forwardKernelFor(headDim), backwardKeysKernelFor(headDim), backwardQueriesKernelFor(headDim)};
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
  return tileLaunch(kernel.name, arguments.batch * heads, tilesFor(arguments.seq, kernel.rows), kernel.threads, kernel.sharedBytes,
                    arguments);
}

/// One launch. Nothing is launched for an empty batch or sequence.
inline TileLaunches attentionForwardLaunches(const AttentionForward& call, TileTarget target) {
  const AttentionArguments arguments = attentionShape(call);
  TileLaunches launches;
  if (call.batch == 0 || call.seq == 0) return launches;
  if (hasTileShape(arguments, call.element)) {
    launches.add(tiledAttention(attentionKernelsFor(call.headDim, target).forward, arguments, call.heads));
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
    const AttentionKernels kernels = attentionKernelsFor(call.headDim, target);
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
