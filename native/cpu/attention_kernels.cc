#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cpu/element.h"
#include "cpu/element_range.h"
#include "cpu/exponential.h"
#include "cpu/instruction_sets.h"
#include "cpu/kernels.h"

namespace offload {
namespace {

/// Query rows that share one pass over keys and values.
constexpr std::uint32_t kRows = 4;
/// Query rows of one forward task.
constexpr std::uint32_t kRowsPerTask = 64;
/// Keys of one pass: kRows score rows of this length stay in the first-level cache.
constexpr std::uint32_t kKeys = 256;

struct Shape {
  std::uint64_t batch, seq, heads, keyValueHeads, headDim;

  template <class Call>
  explicit Shape(const Call& call)
      : batch(call.batch), seq(call.seq), heads(call.heads), keyValueHeads(call.keyValueHeads), headDim(call.headDim) {}

  std::uint64_t group() const { return heads / keyValueHeads; }
  float scale() const { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(headDim))); }
  std::uint64_t queryOffset(std::uint64_t b, std::uint64_t row, std::uint64_t head) const {
    return ((b * seq + row) * heads + head) * headDim;
  }
  std::uint64_t keyOffset(std::uint64_t b, std::uint64_t row, std::uint64_t head) const {
    return ((b * seq + row) * keyValueHeads + head) * headDim;
  }
  std::uint64_t rowOffset(std::uint64_t b, std::uint64_t row, std::uint64_t head) const { return (b * heads + head) * seq + row; }
};

/// fp32 copy of one key or value head as [seq, headDim].
template <class E>
void copyHead(const E* source, const Shape& shape, std::uint64_t b, std::uint64_t head, float* out) {
  for (std::uint64_t row = 0; row < shape.seq; ++row) {
    const E* from = source + shape.keyOffset(b, row, head);
    for (std::uint64_t d = 0; d < shape.headDim; ++d) out[row * shape.headDim + d] = toFloat(from[d]);
  }
}

/// The same transposed: [headDim, seq].
template <class E>
void copyHeadTransposed(const E* source, const Shape& shape, std::uint64_t b, std::uint64_t head, float* out) {
  for (std::uint64_t row = 0; row < shape.seq; ++row) {
    const E* from = source + shape.keyOffset(b, row, head);
    for (std::uint64_t d = 0; d < shape.headDim; ++d) out[d * shape.seq + row] = toFloat(from[d]);
  }
}

/// kRows rows of queries (or gradients of outputs) as fp32 [kRows, headDim], scaled; rows beyond `present` are zero.
template <class E>
void copyRows(const E* source, const Shape& shape, std::uint64_t b, std::uint64_t first, std::uint64_t present,
              std::uint64_t head, float scale, float* out) {
  for (std::uint64_t r = 0; r < kRows; ++r) {
    float* to = out + r * shape.headDim;
    if (r >= present) {
      std::fill(to, to + shape.headDim, 0.0F);
      continue;
    }
    const E* from = source + shape.queryOffset(b, first + r, head);
    for (std::uint64_t d = 0; d < shape.headDim; ++d) to[d] = toFloat(from[d]) * scale;
  }
}

/// products[r, j] = sum over d of rows[r, d] * columns[d, j] for j < count; rows [kRows, depth], columns [depth, stride],
/// products [kRows, stride].
[[gnu::always_inline]] inline void multiplyRows(const float* rows, const float* columns, std::uint64_t depth, std::uint64_t stride,
                                                std::uint64_t count, float* products) {
  for (std::uint64_t begin = 0; begin < count; begin += kKeys) {
    const std::uint64_t end = std::min<std::uint64_t>(count, begin + kKeys);
    float* p0 = products;
    float* p1 = products + stride;
    float* p2 = products + 2 * stride;
    float* p3 = products + 3 * stride;
    for (float* p : {p0, p1, p2, p3}) std::fill(p + begin, p + end, 0.0F);
    for (std::uint64_t d = 0; d < depth; ++d) {
      const float r0 = rows[d];
      const float r1 = rows[depth + d];
      const float r2 = rows[2 * depth + d];
      const float r3 = rows[3 * depth + d];
      const float* column = columns + d * stride;
#pragma GCC ivdep
      for (std::uint64_t j = begin; j < end; ++j) {
        p0[j] += r0 * column[j];
        p1[j] += r1 * column[j];
        p2[j] += r2 * column[j];
        p3[j] += r3 * column[j];
      }
    }
  }
}

/// sums[r, d] += sum over j < count of factors[r, j] * rows[j, d]; factors [kRows, stride], rows [count, depth].
[[gnu::always_inline]] inline void addWeightedRows(const float* factors, std::uint64_t stride, const float* rows, std::uint64_t count,
                                                   std::uint64_t depth, float* sums) {
  float* s0 = sums;
  float* s1 = sums + depth;
  float* s2 = sums + 2 * depth;
  float* s3 = sums + 3 * depth;
  for (std::uint64_t j = 0; j < count; ++j) {
    const float f0 = factors[j];
    const float f1 = factors[stride + j];
    const float f2 = factors[2 * stride + j];
    const float f3 = factors[3 * stride + j];
    const float* row = rows + j * depth;
#pragma GCC ivdep
    for (std::uint64_t d = 0; d < depth; ++d) {
      s0[d] += f0 * row[d];
      s1[d] += f1 * row[d];
      s2[d] += f2 * row[d];
      s3[d] += f3 * row[d];
    }
  }
}

/// sums[j, d] += sum over r of factors[r, j] * rows[r, d] for j < count; the transposed partner of addWeightedRows.
[[gnu::always_inline]] inline void addOuterProducts(const float* factors, std::uint64_t stride, const float* rows,
                                                    std::uint64_t count, std::uint64_t depth, float* sums) {
  const float* r0 = rows;
  const float* r1 = rows + depth;
  const float* r2 = rows + 2 * depth;
  const float* r3 = rows + 3 * depth;
  for (std::uint64_t j = 0; j < count; ++j) {
    const float f0 = factors[j];
    const float f1 = factors[stride + j];
    const float f2 = factors[2 * stride + j];
    const float f3 = factors[3 * stride + j];
    float* sum = sums + j * depth;
#pragma GCC ivdep
    for (std::uint64_t d = 0; d < depth; ++d) sum[d] += ((f0 * r0[d] + f1 * r1[d]) + (f2 * r2[d] + f3 * r3[d]));
  }
}

[[gnu::always_inline]] inline float largest(const float* values, std::uint64_t count) {
  float lanes[16];
  std::fill(lanes, lanes + 16, -std::numeric_limits<float>::infinity());
  std::uint64_t j = 0;
  for (; j + 16 <= count; j += 16) {
    for (int lane = 0; lane < 16; ++lane) lanes[lane] = values[j + lane] > lanes[lane] ? values[j + lane] : lanes[lane];
  }
  for (; j < count; ++j) lanes[0] = values[j] > lanes[0] ? values[j] : lanes[0];
  return *std::max_element(lanes, lanes + 16);
}

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

/// Softmax numerators and row sums of kRows causal rows starting at query `first`; masked entries become zero.
/// out [kRows, headDim] gets the weighted values divided by the sum, logSumExp [kRows] its logarithm.
struct ForwardRows {
  template <int Lanes>
  OFFLOAD_KERNEL_BODY void run(const float* query, const float* keysTransposed, const float* values, std::uint64_t first,
                               std::uint64_t keys, std::uint64_t seq, std::uint64_t headDim, float* scores, float* out,
                               float* logSumExp) {
    multiplyRows(query, keysTransposed, headDim, seq, keys, scores);
    float sums[kRows];
    for (std::uint64_t r = 0; r < kRows; ++r) {
      float* row = scores + r * seq;
      const std::uint64_t visible = std::min(keys, first + r + 1);
      const float highest = largest(row, visible);
      for (std::uint64_t j = 0; j < visible; ++j) row[j] = exponential(row[j] - highest);
      std::fill(row + visible, row + keys, 0.0F);
      sums[r] = sumOf(row, visible);
      logSumExp[r] = highest + std::log(sums[r]);
    }
    std::fill(out, out + kRows * headDim, 0.0F);
    addWeightedRows(scores, seq, values, keys, headDim, out);
    for (std::uint64_t r = 0; r < kRows; ++r) {
      for (std::uint64_t d = 0; d < headDim; ++d) out[r * headDim + d] /= sums[r];
    }
  }
};

/// Working memory of one (batch, key head) in the backward, all fp32.
struct BackwardHead {
  std::uint64_t seq, headDim;
  std::vector<float> keys, keysTransposed, valuesTransposed;  // [seq, headDim], [headDim, seq] twice
  std::vector<float> gradKeys, gradValues;                    // [seq, headDim]
  std::vector<float> scores, gradScores;                      // [kRows, seq]
  std::vector<float> query, gradOut, gradQuery;               // [kRows, headDim]
  float logSumExp[kRows], delta[kRows];

  explicit BackwardHead(const Shape& shape)
      : seq(shape.seq), headDim(shape.headDim), keys(seq * headDim), keysTransposed(seq * headDim), valuesTransposed(seq * headDim),
        gradKeys(seq * headDim), gradValues(seq * headDim), scores(kRows * seq), gradScores(kRows * seq), query(kRows * headDim),
        gradOut(kRows * headDim), gradQuery(kRows * headDim), logSumExp(), delta() {}
};

/// Adds the part of kRows query rows to the gradients of keys and values and computes the gradient of the queries.
/// head.query already carries the scale; so do gradients of keys by it, and gradQuery gets it at the end.
struct BackwardRows {
  template <int Lanes>
  OFFLOAD_KERNEL_BODY void run(BackwardHead* head, std::uint64_t first, std::uint64_t keys) {
    const std::uint64_t seq = head->seq;
    const std::uint64_t headDim = head->headDim;
    multiplyRows(head->query.data(), head->keysTransposed.data(), headDim, seq, keys, head->scores.data());
    multiplyRows(head->gradOut.data(), head->valuesTransposed.data(), headDim, seq, keys, head->gradScores.data());
    for (std::uint64_t r = 0; r < kRows; ++r) {
      float* weights = head->scores.data() + r * seq;
      float* grads = head->gradScores.data() + r * seq;
      const std::uint64_t visible = std::min(keys, first + r + 1);
      const float logSumExp = head->logSumExp[r];
      const float delta = head->delta[r];
#pragma GCC ivdep
      for (std::uint64_t j = 0; j < visible; ++j) {
        weights[j] = exponential(weights[j] - logSumExp);
        grads[j] = weights[j] * (grads[j] - delta);
      }
      std::fill(weights + visible, weights + keys, 0.0F);
      std::fill(grads + visible, grads + keys, 0.0F);
    }
    std::fill(head->gradQuery.begin(), head->gradQuery.end(), 0.0F);
    addWeightedRows(head->gradScores.data(), seq, head->keys.data(), keys, headDim, head->gradQuery.data());
    addOuterProducts(head->gradScores.data(), seq, head->query.data(), keys, headDim, head->gradKeys.data());
    addOuterProducts(head->scores.data(), seq, head->gradOut.data(), keys, headDim, head->gradValues.data());
  }
};

template <class E>
void attendForward(const AttentionForward& call, RowPool& pool) {
  const Shape shape(call);
  const std::uint64_t headSize = shape.seq * shape.headDim;
  std::vector<float> keys(shape.batch * shape.keyValueHeads * headSize);
  std::vector<float> values(keys.size());
  pool.forEach(shape.batch * shape.keyValueHeads, [&](std::uint64_t task) {
    const std::uint64_t b = task / shape.keyValueHeads;
    const std::uint64_t head = task % shape.keyValueHeads;
    copyHeadTransposed(pointerTo<const E>(call.key), shape, b, head, keys.data() + task * headSize);
    copyHead(pointerTo<const E>(call.value), shape, b, head, values.data() + task * headSize);
  });

  const std::uint64_t blocks = tasksFor(shape.seq, kRowsPerTask);
  pool.forEach(shape.batch * shape.heads * blocks, [&](std::uint64_t task) {
    const std::uint64_t b = task / (shape.heads * blocks);
    const std::uint64_t head = task / blocks % shape.heads;
    const std::uint64_t begin = task % blocks * kRowsPerTask;
    const std::uint64_t end = std::min(shape.seq, begin + kRowsPerTask);
    const std::uint64_t keyHead = b * shape.keyValueHeads + head / shape.group();
    std::vector<float> scores(kRows * shape.seq);
    std::vector<float> query(kRows * shape.headDim);
    std::vector<float> out(kRows * shape.headDim);
    float logSumExp[kRows];
    for (std::uint64_t first = begin; first < end && !pool.isCancelled(); first += kRows) {
      const std::uint64_t present = std::min<std::uint64_t>(kRows, end - first);
      copyRows(pointerTo<const E>(call.query), shape, b, first, present, head, shape.scale(), query.data());
      runWidest<ForwardRows, const float*, const float*, const float*>(
          query.data(), keys.data() + keyHead * headSize, values.data() + keyHead * headSize, first, first + present, shape.seq,
          shape.headDim, scores.data(), out.data(), static_cast<float*>(logSumExp));
      for (std::uint64_t r = 0; r < present; ++r) {
        E* to = pointerTo<E>(call.out) + shape.queryOffset(b, first + r, head);
        for (std::uint64_t d = 0; d < shape.headDim; ++d) to[d] = fromFloat<E>(out[r * shape.headDim + d]);
        pointerTo<float>(call.logSumExp)[shape.rowOffset(b, first + r, head)] = logSumExp[r];
      }
    }
  });
}

/// delta[b, head, row] = sum over d of gradOut * out.
template <class E>
void computeDelta(const AttentionBackward& call, const Shape& shape, RowPool& pool) {
  forEachRange(pool, shape.batch * shape.seq, rowsPerTask(shape.heads * shape.headDim),
               [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
                 for (std::uint64_t row = first; row < end; ++row) {
                   const std::uint64_t b = row / shape.seq;
                   for (std::uint64_t head = 0; head < shape.heads; ++head) {
                     const std::uint64_t offset = shape.queryOffset(b, row % shape.seq, head);
                     const E* gradOut = pointerTo<const E>(call.gradOut) + offset;
                     const E* out = pointerTo<const E>(call.out) + offset;
                     float sum = 0;
                     for (std::uint64_t d = 0; d < shape.headDim; ++d) sum += toFloat(gradOut[d]) * toFloat(out[d]);
                     pointerTo<float>(call.delta)[shape.rowOffset(b, row % shape.seq, head)] = sum;
                   }
                 }
               });
}

/// All query heads that read one key head, in order: its gradients are sums over them.
template <class E>
void backwardOfKeyHead(const AttentionBackward& call, const Shape& shape, std::uint64_t b, std::uint64_t keyHead, RowPool& pool) {
  BackwardHead memory(shape);
  copyHead(pointerTo<const E>(call.key), shape, b, keyHead, memory.keys.data());
  copyHeadTransposed(pointerTo<const E>(call.key), shape, b, keyHead, memory.keysTransposed.data());
  copyHeadTransposed(pointerTo<const E>(call.value), shape, b, keyHead, memory.valuesTransposed.data());
  const float scale = shape.scale();
  for (std::uint64_t head = keyHead * shape.group(); head < (keyHead + 1) * shape.group(); ++head) {
    for (std::uint64_t first = 0; first < shape.seq; first += kRows) {
      if (pool.isCancelled()) return;
      const std::uint64_t present = std::min<std::uint64_t>(kRows, shape.seq - first);
      copyRows(pointerTo<const E>(call.query), shape, b, first, present, head, scale, memory.query.data());
      copyRows(pointerTo<const E>(call.gradOut), shape, b, first, present, head, 1.0F, memory.gradOut.data());
      for (std::uint64_t r = 0; r < present; ++r) {
        memory.logSumExp[r] = pointerTo<const float>(call.logSumExp)[shape.rowOffset(b, first + r, head)];
        memory.delta[r] = pointerTo<const float>(call.delta)[shape.rowOffset(b, first + r, head)];
      }
      runWidest<BackwardRows>(&memory, first, first + present);
      for (std::uint64_t r = 0; r < present; ++r) {
        E* to = pointerTo<E>(call.gradQuery) + shape.queryOffset(b, first + r, head);
        for (std::uint64_t d = 0; d < shape.headDim; ++d) to[d] = fromFloat<E>(memory.gradQuery[r * shape.headDim + d] * scale);
      }
    }
  }
  for (std::uint64_t row = 0; row < shape.seq; ++row) {
    const std::uint64_t offset = shape.keyOffset(b, row, keyHead);
    for (std::uint64_t d = 0; d < shape.headDim; ++d) {
      pointerTo<E>(call.gradKey)[offset + d] = fromFloat<E>(memory.gradKeys[row * shape.headDim + d]);
      pointerTo<E>(call.gradValue)[offset + d] = fromFloat<E>(memory.gradValues[row * shape.headDim + d]);
    }
  }
}

}  // namespace

void runKernel(const AttentionForward& call, RowPool& pool) {
  withElement(call.element, [&](auto type) { attendForward<decltype(type)>(call, pool); });
}

void runKernel(const AttentionBackward& call, RowPool& pool) {
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    const Shape shape(call);
    computeDelta<E>(call, shape, pool);
    pool.forEach(shape.batch * shape.keyValueHeads, [&](std::uint64_t task) {
      backwardOfKeyHead<E>(call, shape, task / shape.keyValueHeads, task % shape.keyValueHeads, pool);
    });
  });
}

}  // namespace offload
