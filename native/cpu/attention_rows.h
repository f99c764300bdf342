#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "cpu/exponential.h"
#include "cpu/instruction_sets.h"
#include "cpu/vector_of.h"

namespace offload {

/*
 * The inner loops of attention on fp32 working copies. Query rows come in groups of kQueryRows, which share one pass over keys
 * and values. A matrix that is multiplied from the right lies in panels of kPanel columns: element (k, j) of a matrix of
 * `depth` rows is at [j / kPanel][k][j % kPanel]; columns beyond its width are zero. Other rows have a stride that is a multiple
 * of kPanel and zeros beyond their width.
 */

inline constexpr std::uint64_t kQueryRows = 4;
inline constexpr std::uint64_t kPanel = 32;

constexpr std::uint64_t paddedToPanel(std::uint64_t width) { return (width + kPanel - 1) / kPanel * kPanel; }

/// Four rows times panels: out[r, j] = sum over k < depth of rows[r, k] * panels(k, j) for j < width, a multiple of kPanel.
/// `panelDepth` is the depth that the panels were laid out with.
template <int Lanes>
[[gnu::always_inline]] inline void multiplyRows(const float* rows, std::uint64_t rowStride, const float* panels,
                                                std::uint64_t panelDepth, std::uint64_t depth, std::uint64_t width, float* out,
                                                std::uint64_t outStride) {
  using Vector = typename VectorOf<Lanes>::Type;
  constexpr std::uint64_t step = 2 * Lanes;
  static_assert(kPanel % step == 0);
  for (std::uint64_t column = 0; column < width; column += step) {
    const float* panel = panels + column / kPanel * panelDepth * kPanel + column % kPanel;
    Vector low[kQueryRows] = {};
    Vector high[kQueryRows] = {};
    for (std::uint64_t k = 0; k < depth; ++k) {
      Vector panelLow;
      Vector panelHigh;
      std::memcpy(&panelLow, panel + k * kPanel, sizeof(Vector));
      std::memcpy(&panelHigh, panel + k * kPanel + Lanes, sizeof(Vector));
#pragma GCC unroll 4
      for (std::uint64_t r = 0; r < kQueryRows; ++r) {
        const float factor = rows[r * rowStride + k];
        low[r] += factor * panelLow;
        high[r] += factor * panelHigh;
      }
    }
#pragma GCC unroll 4
    for (std::uint64_t r = 0; r < kQueryRows; ++r) {
      std::memcpy(out + r * outStride + column, &low[r], sizeof(Vector));
      std::memcpy(out + r * outStride + column + Lanes, &high[r], sizeof(Vector));
    }
  }
}

/// sums[j, d] += sum over r of factors[r, j] * rows[r, d] for j < count and d < width, a multiple of kPanel.
template <int Lanes>
[[gnu::always_inline]] inline void addOuterProducts(const float* factors, std::uint64_t factorStride, const float* rows,
                                                    std::uint64_t count, std::uint64_t width, float* sums) {
  using Vector = typename VectorOf<Lanes>::Type;
  for (std::uint64_t d = 0; d < width; d += Lanes) {
    Vector row[kQueryRows];
    for (std::uint64_t r = 0; r < kQueryRows; ++r) std::memcpy(&row[r], rows + r * width + d, sizeof(Vector));
    for (std::uint64_t j = 0; j < count; ++j) {
      Vector sum;
      std::memcpy(&sum, sums + j * width + d, sizeof(Vector));
#pragma GCC unroll 4
      for (std::uint64_t r = 0; r < kQueryRows; ++r) sum += factors[r * factorStride + j] * row[r];
      std::memcpy(sums + j * width + d, &sum, sizeof(Vector));
    }
  }
}

/// The largest of `count` > 0 values.
[[gnu::always_inline]] inline float largestOf(const float* values, std::uint64_t count) {
  float lanes[16];
  for (float& lane : lanes) lane = -std::numeric_limits<float>::infinity();
  std::uint64_t j = 0;
  for (; j + 16 <= count; j += 16) {
    for (int lane = 0; lane < 16; ++lane) lanes[lane] = values[j + lane] > lanes[lane] ? values[j + lane] : lanes[lane];
  }
  for (; j < count; ++j) lanes[0] = values[j] > lanes[0] ? values[j] : lanes[0];
  float largest = lanes[0];
  for (const float lane : lanes) largest = lane > largest ? lane : largest;
  return largest;
}

/// Sum in sixteen interleaved parts, then in order: the same for any instruction set.
[[gnu::always_inline]] inline float sumOf(const float* values, std::uint64_t count) {
  float lanes[16] = {};
  std::uint64_t j = 0;
  for (; j + 16 <= count; j += 16) {
    for (int lane = 0; lane < 16; ++lane) lanes[lane] += values[j + lane];
  }
  for (; j < count; ++j) lanes[0] += values[j];
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

/// Causal rows `first` ... `first + kQueryRows - 1` over `keys` visible keys. `query` carries the scale.
struct ForwardRows {
  const float* query;           ///< [kQueryRows, paddedDim]
  const float* keyPanels;       ///< columns are keys, depth headDim
  const float* valuePanels;     ///< columns are head dimensions, depth seq
  std::uint64_t first, keys, seq, headDim;
  float* weights;               ///< scratch [kQueryRows, paddedSeq]
  float* out;                   ///< [kQueryRows, paddedDim]
  float* logSumExp;             ///< [kQueryRows]

  template <int Lanes>
  OFFLOAD_KERNEL_BODY void run(const ForwardRows* rows) {
    const std::uint64_t paddedSeq = paddedToPanel(rows->seq);
    const std::uint64_t paddedDim = paddedToPanel(rows->headDim);
    const std::uint64_t width = paddedToPanel(rows->keys);
    multiplyRows<Lanes>(rows->query, paddedDim, rows->keyPanels, rows->headDim, rows->headDim, width, rows->weights, paddedSeq);
    float sums[kQueryRows];
    for (std::uint64_t r = 0; r < kQueryRows; ++r) {
      float* weights = rows->weights + r * paddedSeq;
      const std::uint64_t visible = std::min(rows->keys, rows->first + r + 1);
      const float largest = largestOf(weights, visible);
#pragma GCC ivdep
      for (std::uint64_t j = 0; j < visible; ++j) weights[j] = exponential(weights[j] - largest);
      std::fill(weights + visible, weights + width, 0.0F);
      sums[r] = sumOf(weights, visible);
      rows->logSumExp[r] = largest + std::log(sums[r]);
    }
    multiplyRows<Lanes>(rows->weights, paddedSeq, rows->valuePanels, rows->seq, rows->keys, paddedDim, rows->out, paddedDim);
    for (std::uint64_t r = 0; r < kQueryRows; ++r) {
      for (std::uint64_t d = 0; d < paddedDim; ++d) rows->out[r * paddedDim + d] /= sums[r];
    }
  }
};

/// The part of the same rows in the gradients. `query` carries the scale, hence so do the gradients of keys; the caller
/// scales `gradQuery`.
struct BackwardRows {
  const float* query;            ///< [kQueryRows, paddedDim]
  const float* gradOut;          ///< [kQueryRows, paddedDim]
  const float* logSumExp;        ///< [kQueryRows]
  const float* delta;            ///< [kQueryRows]
  const float* keyPanels;        ///< columns are keys, depth headDim
  const float* valuePanels;      ///< columns are keys, depth headDim
  const float* keyDimPanels;     ///< the keys again: columns are head dimensions, depth seq
  std::uint64_t first, keys, seq, headDim;
  float* weights;                ///< scratch [kQueryRows, paddedSeq]
  float* gradScores;             ///< scratch [kQueryRows, paddedSeq]
  float* gradQuery;              ///< [kQueryRows, paddedDim]
  float* gradKeys;               ///< accumulates, [seq, paddedDim]
  float* gradValues;             ///< accumulates, [seq, paddedDim]

  template <int Lanes>
  OFFLOAD_KERNEL_BODY void run(const BackwardRows* rows) {
    const std::uint64_t paddedSeq = paddedToPanel(rows->seq);
    const std::uint64_t paddedDim = paddedToPanel(rows->headDim);
    const std::uint64_t width = paddedToPanel(rows->keys);
    const std::uint64_t depth = rows->headDim;
    multiplyRows<Lanes>(rows->query, paddedDim, rows->keyPanels, depth, depth, width, rows->weights, paddedSeq);
    multiplyRows<Lanes>(rows->gradOut, paddedDim, rows->valuePanels, depth, depth, width, rows->gradScores, paddedSeq);
    for (std::uint64_t r = 0; r < kQueryRows; ++r) {
      float* weights = rows->weights + r * paddedSeq;
      float* gradScores = rows->gradScores + r * paddedSeq;
      const std::uint64_t visible = std::min(rows->keys, rows->first + r + 1);
      const float logSumExp = rows->logSumExp[r];
      const float delta = rows->delta[r];
#pragma GCC ivdep
      for (std::uint64_t j = 0; j < visible; ++j) {
        weights[j] = exponential(weights[j] - logSumExp);
        gradScores[j] = weights[j] * (gradScores[j] - delta);
      }
      std::fill(weights + visible, weights + width, 0.0F);
      std::fill(gradScores + visible, gradScores + width, 0.0F);
    }
    multiplyRows<Lanes>(rows->gradScores, paddedSeq, rows->keyDimPanels, rows->seq, rows->keys, paddedDim, rows->gradQuery,
                        paddedDim);
    addOuterProducts<Lanes>(rows->gradScores, paddedSeq, rows->query, rows->keys, paddedDim, rows->gradKeys);
    addOuterProducts<Lanes>(rows->weights, paddedSeq, rows->gradOut, rows->keys, paddedDim, rows->gradValues);
  }
};

}  // namespace offload
