#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "cpu/element.h"
#include "cpu/element_range.h"
#include "cpu/kernels.h"

namespace offload {
namespace {

std::uint32_t checkedId(const std::int32_t* ids, std::uint64_t row, std::uint32_t vocab) {
  const auto id = static_cast<std::uint32_t>(ids[row]);
  if (id >= vocab) throw std::out_of_range("token id outside the embedding table");
  return id;
}

}  // namespace

void runKernel(const EmbeddingForward& call, RowPool& pool) {
  const auto* ids = pointerTo<const std::int32_t>(call.ids);
  const std::uint64_t rowBytes = call.hidden * bytesPerElement(call.element);
  const auto* table = pointerTo<const unsigned char>(call.table);
  auto* out = pointerTo<unsigned char>(call.out);
  forEachRange(pool, call.rows, rowsPerTask(call.hidden), [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
    for (std::uint64_t row = first; row < end; ++row) {
      std::memcpy(out + row * rowBytes, table + checkedId(ids, row, call.vocab) * rowBytes, rowBytes);
    }
  });
}

void runKernel(const EmbeddingBackward& call, RowPool& pool) {
  const auto* ids = pointerTo<const std::int32_t>(call.ids);
  std::vector<std::uint64_t> order(call.rows);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::uint64_t row = 0; row < call.rows; ++row) checkedId(ids, row, call.vocab);
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) { return ids[a] < ids[b]; });

  // Tasks are ranges of columns: rows of one id meet in the same table row, columns never meet.
  withElement(call.element, [&](auto type) {
    using E = decltype(type);
    const auto* gradOut = pointerTo<const E>(call.gradOut);
    auto* gradTable = pointerTo<E>(call.gradTable);
    const std::uint64_t columnsPerTask = 128;
    forEachRange(pool, call.hidden, columnsPerTask, [&](std::uint64_t first, std::uint64_t end, std::uint64_t) {
      float sums[columnsPerTask];
      for (std::uint64_t next = 0; next < call.rows && !pool.isCancelled();) {
        const std::int32_t id = ids[order[next]];
        E* target = gradTable + static_cast<std::uint64_t>(id) * call.hidden;
        for (std::uint64_t c = first; c < end; ++c) sums[c - first] = toFloat(target[c]);
        for (; next < call.rows && ids[order[next]] == id; ++next) {
          const E* row = gradOut + order[next] * call.hidden;
          for (std::uint64_t c = first; c < end; ++c) sums[c - first] += toFloat(row[c]);
        }
        for (std::uint64_t c = first; c < end; ++c) target[c] = fromFloat<E>(sums[c - first]);
      }
    });
  });
}

}  // namespace offload
