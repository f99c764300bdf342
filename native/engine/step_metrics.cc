#include "engine/step_metrics.h"

#include <algorithm>
#include <vector>

namespace offload {
namespace {

struct Span {
  double startNs;
  double endNs;
};

/// Disjoint intervals in order; events come sorted by start.
std::vector<Span> unionOf(const RecordedStep& step, EventKind kind) {
  std::vector<Span> merged;
  for (const TimelineEvent& event : step.events) {
    if (event.kind != kind) continue;
    const double endNs = event.startNs + event.durationNs;
    if (!merged.empty() && event.startNs <= merged.back().endNs) {
      merged.back().endNs = std::max(merged.back().endNs, endNs);
    } else {
      merged.push_back({event.startNs, endNs});
    }
  }
  return merged;
}

double lengthOf(const std::vector<Span>& spans) {
  double total = 0;
  for (const Span& span : spans) total += span.endNs - span.startNs;
  return total;
}

double overlapOf(const std::vector<Span>& left, const std::vector<Span>& right) {
  double total = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size() && j < right.size()) {
    total += std::max(0.0, std::min(left[i].endNs, right[j].endNs) - std::max(left[i].startNs, right[j].startNs));
    if (left[i].endNs < right[j].endNs) {
      ++i;
    } else {
      ++j;
    }
  }
  return total;
}

CopyTotals totalsOf(const RecordedStep& step, EventKind kind, const std::vector<Span>& compute) {
  CopyTotals totals;
  for (const TimelineEvent& event : step.events) {
    if (event.kind != kind) continue;
    ++totals.count;
    totals.bytes += event.bytes;
  }
  const std::vector<Span> busy = unionOf(step, kind);
  totals.busyNs = lengthOf(busy);
  totals.hiddenNs = overlapOf(busy, compute);
  totals.exposedNs = std::max(0.0, totals.busyNs - totals.hiddenNs);
  return totals;
}

}  // namespace

StepMetrics measure(const RecordedStep& step) {
  const std::vector<Span> compute = unionOf(step, EventKind::kernel);
  StepMetrics metrics;
  metrics.d2h = totalsOf(step, EventKind::copyD2H, compute);
  metrics.h2d = totalsOf(step, EventKind::copyH2D, compute);
  for (const TimelineEvent& event : step.events) {
    if (event.kind == EventKind::hostWait) metrics.hostStallNs += event.durationNs;
    if (event.kind == EventKind::streamWait && event.lane == Lane::compute) metrics.streamStallNs += event.durationNs;
  }
  return metrics;
}

}  // namespace offload
