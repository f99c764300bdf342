#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/attention_rows.h"
#include "cpu/element.h"
#include "cpu/element_range.h"
#include "cpu/kernels.h"

namespace offload {
namespace {

/// Query rows of one forward task.
constexpr std::uint64_t kRowsPerTask = 64;
static_assert(kRowsPerTask % kQueryRows == 0);

struct Shape {
  std::uint64_t batch, seq, heads, keyValueHeads, headDim;

  template <class Call>
  explicit Shape(const Call& call)
      : batch(call.batch), seq(call.seq), heads(call.heads), keyValueHeads(call.keyValueHeads), headDim(call.headDim) {}

  std::uint64_t group() const { return heads / keyValueHeads; }
  float scale() const { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(headDim))); }
  std::uint64_t paddedDim() const { return paddedToPanel(headDim); }
  std::uint64_t keyPanelSize() const { return paddedToPanel(seq) * headDim; }
  std::uint64_t dimPanelSize() const { return seq * paddedDim(); }
  std::uint64_t queryOffset(std::uint64_t b, std::uint64_t row, std::uint64_t head) const {
    return ((b * seq + row) * heads + head) * headDim;
  }
  std::uint64_t keyOffset(std::uint64_t b, std::uint64_t row, std::uint64_t head) const {
    return ((b * seq + row) * keyValueHeads + head) * headDim;
  }
  std::uint64_t rowOffset(std::uint64_t b, std::uint64_t row, std::uint64_t head) const { return (b * heads + head) * seq + row; }
};

/// One key or value head in panels whose columns are keys; `out` starts zeroed.
template <class E>
void packByKey(const E* source, const Shape& shape, std::uint64_t b, std::uint64_t head, float* out) {
  for (std::uint64_t row = 0; row < shape.seq; ++row) {
    const E* from = source + shape.keyOffset(b, row, head);
    float* to = out + row / kPanel * shape.headDim * kPanel + row % kPanel;
    for (std::uint64_t d = 0; d < shape.headDim; ++d) to[d * kPanel] = toFloat(from[d]);
  }
}

/// The same in panels whose columns are head dimensions.
template <class E>
void packByDim(const E* source, const Shape& shape, std::uint64_t b, std::uint64_t head, float* out) {
  for (std::uint64_t row = 0; row < shape.seq; ++row) {
    const E* from = source + shape.keyOffset(b, row, head);
    for (std::uint64_t d = 0; d < shape.headDim; ++d) {
      out[(d / kPanel * shape.seq + row) * kPanel + d % kPanel] = toFloat(from[d]);
    }
  }
}

/// kQueryRows rows of queries (or gradients of outputs), scaled; rows beyond `present` become zero.
template <class E>
void copyRows(const E* source, const Shape& shape, std::uint64_t b, std::uint64_t first, std::uint64_t present,
              std::uint64_t head, float scale, std::vector<float>& out) {
  std::fill(out.begin(), out.end(), 0.0F);
  for (std::uint64_t r = 0; r < present; ++r) {
    const E* from = source + shape.queryOffset(b, first + r, head);
    float* to = out.data() + r * shape.paddedDim();
    for (std::uint64_t d = 0; d < shape.headDim; ++d) to[d] = toFloat(from[d]) * scale;
  }
}

template <class E>
void storeRows(const std::vector<float>& rows, const Shape& shape, std::uint64_t b, std::uint64_t first, std::uint64_t present,
               std::uint64_t head, float scale, E* out) {
  for (std::uint64_t r = 0; r < present; ++r) {
    const float* from = rows.data() + r * shape.paddedDim();
    E* to = out + shape.queryOffset(b, first + r, head);
    for (std::uint64_t d = 0; d < shape.headDim; ++d) to[d] = fromFloat<E>(from[d] * scale);
  }
}

template <class E>
void attendForward(const AttentionForward& call, RowPool& pool) {
  const Shape shape(call);
  const std::uint64_t keyHeads = shape.batch * shape.keyValueHeads;
  std::vector<float> keyPanels(keyHeads * shape.keyPanelSize());
  std::vector<float> valuePanels(keyHeads * shape.dimPanelSize());
  pool.forEach(keyHeads, [&](std::uint64_t task) {
    const std::uint64_t b = task / shape.keyValueHeads;
    const std::uint64_t head = task % shape.keyValueHeads;
    packByKey(pointerTo<const E>(call.key), shape, b, head, keyPanels.data() + task * shape.keyPanelSize());
    packByDim(pointerTo<const E>(call.value), shape, b, head, valuePanels.data() + task * shape.dimPanelSize());
  });

  const std::uint64_t blocks = tasksFor(shape.seq, kRowsPerTask);
  pool.forEach(shape.batch * shape.heads * blocks, [&](std::uint64_t task) {
    const std::uint64_t b = task / (shape.heads * blocks);
    const std::uint64_t head = task / blocks % shape.heads;
    const std::uint64_t begin = task % blocks * kRowsPerTask;
    const std::uint64_t end = std::min(shape.seq, begin + kRowsPerTask);
    const std::uint64_t keyHead = b * shape.keyValueHeads + head / shape.group();
    std::vector<float> weights(kQueryRows * paddedToPanel(shape.seq));
    std::vector<float> query(kQueryRows * shape.paddedDim());
    std::vector<float> out(query.size());
    float logSumExp[kQueryRows];
    for (std::uint64_t first = begin; first < end && !pool.isCancelled(); first += kQueryRows) {
      const std::uint64_t present = std::min(kQueryRows, end - first);
      copyRows(pointerTo<const E>(call.query), shape, b, first, present, head, shape.scale(), query);
      const ForwardRows rows{.query = query.data(),
                             .keyPanels = keyPanels.data() + keyHead * shape.keyPanelSize(),
                             .valuePanels = valuePanels.data() + keyHead * shape.dimPanelSize(),
                             .first = first,
                             .keys = first + present,
                             .seq = shape.seq,
                             .headDim = shape.headDim,
                             .weights = weights.data(),
                             .out = out.data(),
                             .logSumExp = logSumExp};
      runWidest<ForwardRows>(&rows);
      storeRows(out, shape, b, first, present, head, 1.0F, pointerTo<E>(call.out));
      for (std::uint64_t r = 0; r < present; ++r) {
        pointerTo<float>(call.logSumExp)[shape.rowOffset(b, first + r, head)] = logSumExp[r];
      }
    }
  });
}

/// delta[b, head, row] = sum over d of gradOut * out.
template <class E>
void computeDelta(const AttentionBackward& call, const Shape& shape, RowPool& pool) {
  const std::uint64_t perTask = rowsPerTask(shape.heads * shape.headDim);
  forEachRange(pool, shape.batch * shape.seq, perTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
    for (std::uint64_t row = first; row < end; ++row) {
      for (std::uint64_t head = 0; head < shape.heads; ++head) {
        const std::uint64_t offset = shape.queryOffset(0, row, head);
        const E* gradOut = pointerTo<const E>(call.gradOut) + offset;
        const E* out = pointerTo<const E>(call.out) + offset;
        float sum = 0;
        for (std::uint64_t d = 0; d < shape.headDim; ++d) sum += toFloat(gradOut[d]) * toFloat(out[d]);
        pointerTo<float>(call.delta)[shape.rowOffset(row / shape.seq, row % shape.seq, head)] = sum;
      }
    }
  });
}

/// Working memory of one (batch, key head) in the backward.
struct KeyHeadMemory {
  std::vector<float> keyPanels, valuePanels, keyDimPanels, gradKeys, gradValues, weights, gradScores, query, gradOut, gradQuery;

  explicit KeyHeadMemory(const Shape& shape)
      : keyPanels(shape.keyPanelSize()), valuePanels(shape.keyPanelSize()), keyDimPanels(shape.dimPanelSize()),
        gradKeys(shape.dimPanelSize()), gradValues(shape.dimPanelSize()), weights(kQueryRows * paddedToPanel(shape.seq)),
        gradScores(weights.size()), query(kQueryRows * shape.paddedDim()), gradOut(query.size()), gradQuery(query.size()) {}
};

/// All query heads that read one key head, in order: the gradients of keys and values are sums over them.
template <class E>
void backwardOfKeyHead(const AttentionBackward& call, const Shape& shape, std::uint64_t b, std::uint64_t keyHead, RowPool& pool) {
  KeyHeadMemory memory(shape);
  packByKey(pointerTo<const E>(call.key), shape, b, keyHead, memory.keyPanels.data());
  packByKey(pointerTo<const E>(call.value), shape, b, keyHead, memory.valuePanels.data());
  packByDim(pointerTo<const E>(call.key), shape, b, keyHead, memory.keyDimPanels.data());
  const float scale = shape.scale();
  for (std::uint64_t head = keyHead * shape.group(); head < (keyHead + 1) * shape.group(); ++head) {
    for (std::uint64_t first = 0; first < shape.seq; first += kQueryRows) {
      if (pool.isCancelled()) return;
      const std::uint64_t present = std::min(kQueryRows, shape.seq - first);
      copyRows(pointerTo<const E>(call.query), shape, b, first, present, head, scale, memory.query);
      copyRows(pointerTo<const E>(call.gradOut), shape, b, first, present, head, 1.0F, memory.gradOut);
      float logSumExp[kQueryRows] = {};
      float delta[kQueryRows] = {};
      for (std::uint64_t r = 0; r < present; ++r) {
        logSumExp[r] = pointerTo<const float>(call.logSumExp)[shape.rowOffset(b, first + r, head)];
        delta[r] = pointerTo<const float>(call.delta)[shape.rowOffset(b, first + r, head)];
      }
      const BackwardRows rows{.query = memory.query.data(),
                              .gradOut = memory.gradOut.data(),
                              .logSumExp = logSumExp,
                              .delta = delta,
                              .keyPanels = memory.keyPanels.data(),
                              .valuePanels = memory.valuePanels.data(),
                              .keyDimPanels = memory.keyDimPanels.data(),
                              .first = first,
                              .keys = first + present,
                              .seq = shape.seq,
                              .headDim = shape.headDim,
                              .weights = memory.weights.data(),
                              .gradScores = memory.gradScores.data(),
                              .gradQuery = memory.gradQuery.data(),
                              .gradKeys = memory.gradKeys.data(),
                              .gradValues = memory.gradValues.data()};
      runWidest<BackwardRows>(&rows);
      storeRows(memory.gradQuery, shape, b, first, present, head, scale, pointerTo<E>(call.gradQuery));
    }
  }
  for (std::uint64_t row = 0; row < shape.seq; ++row) {
    const std::uint64_t offset = shape.keyOffset(b, row, keyHead);
    for (std::uint64_t d = 0; d < shape.headDim; ++d) {
      pointerTo<E>(call.gradKey)[offset + d] = fromFloat<E>(memory.gradKeys[row * shape.paddedDim() + d]);
      pointerTo<E>(call.gradValue)[offset + d] = fromFloat<E>(memory.gradValues[row * shape.paddedDim() + d]);
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
