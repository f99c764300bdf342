#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/row_pool.h"

namespace offload {

/// Elements that one task of an element-wise kernel covers: a fixed number, so that partial sums have a fixed order.
inline constexpr std::uint64_t kElementsPerTask = 1U << 15U;

inline std::uint64_t tasksFor(std::uint64_t count, std::uint64_t perTask) { return count / perTask + (count % perTask != 0 ? 1 : 0); }

/// Calls body(first, end, task) for consecutive ranges of at most `perTask` that cover [0, count).
template <class Body>
void forEachRange(RowPool& pool, std::uint64_t count, std::uint64_t perTask, const Body& body) {
  pool.forEach(tasksFor(count, perTask), [&](std::uint64_t task) {
    const std::uint64_t first = task * perTask;
    body(first, std::min(count, first + perTask), task);
  });
}

/// Rows of `width` elements that make up about kElementsPerTask elements, at least one.
inline std::uint64_t rowsPerTask(std::uint64_t width) {
  return std::max<std::uint64_t>(1, kElementsPerTask / std::max<std::uint64_t>(1, width));
}

}  // namespace offload
