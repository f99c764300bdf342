#include "engine/profile/step_metrics.h"

#include <algorithm>
#include <map>
#include <vector>

namespace offload {
namespace {

struct Span {
  double startNs;
  double endNs;
};

/// Disjoint intervals in order; events come sorted by start.
std::vector<Span> unionOf(const std::vector<const TimelineEvent*>& events) {
  std::vector<Span> merged;
  for (const TimelineEvent* each : events) {
    const TimelineEvent& event = *each;
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

using Events = std::vector<const TimelineEvent*>;

Events eventsOf(const RecordedStep& step, EventKind kind) {
  Events events;
  for (const TimelineEvent& event : step.events) {
    if (event.kind == kind) events.push_back(&event);
  }
  return events;
}

CopyTotals totalsOf(const Events& copies, const std::vector<Span>& compute) {
  CopyTotals totals;
  totals.count = copies.size();
  for (const TimelineEvent* copy : copies) totals.bytes += copy->bytes;
  const std::vector<Span> busy = unionOf(copies);
  totals.busyNs = lengthOf(busy);
  totals.hiddenNs = overlapOf(busy, compute);
  totals.exposedNs = std::max(0.0, totals.busyNs - totals.hiddenNs);
  return totals;
}

std::map<std::int32_t, Events> byLayer(const Events& events) {
  std::map<std::int32_t, Events> layers;
  for (const TimelineEvent* event : events) layers[event->layer].push_back(event);
  return layers;
}

/// The layer whose copy a wait waited for; the layer that waits where that is not known.
std::int32_t awaitedLayer(const RecordedStep& step, const TimelineEvent& wait) {
  if (wait.dependsOn == kNoEvent) return wait.layer;
  return step.events[static_cast<std::size_t>(wait.dependsOn)].layer;
}

/// Compute stands still for a copy; waits for collectives are another matter.
bool isComputeStall(const RecordedStep& step, const TimelineEvent& event) {
  if (event.kind != EventKind::streamWait || event.lane != Lane::compute) return false;
  return event.dependsOn == kNoEvent ||
         step.events[static_cast<std::size_t>(event.dependsOn)].kind != EventKind::collective;
}

std::vector<LayerMetrics> layersOf(const RecordedStep& step, const Events& d2h, const Events& h2d,
                                   const std::vector<Span>& compute) {
  std::map<std::int32_t, LayerMetrics> layers;
  for (const auto& [layer, copies] : byLayer(d2h)) layers[layer].d2h = totalsOf(copies, compute);
  for (const auto& [layer, copies] : byLayer(h2d)) layers[layer].h2d = totalsOf(copies, compute);
  for (const TimelineEvent& event : step.events) {
    if (event.durationNs <= 0) continue;
    if (event.kind == EventKind::hostWait) layers[awaitedLayer(step, event)].hostStallNs += event.durationNs;
    if (isComputeStall(step, event)) layers[awaitedLayer(step, event)].streamStallNs += event.durationNs;
  }
  std::vector<LayerMetrics> list;
  for (auto& [layer, metrics] : layers) {
    metrics.layer = layer;
    list.push_back(metrics);
  }
  return list;
}

}  // namespace

StepMetrics measure(const RecordedStep& step) {
  const std::vector<Span> compute = unionOf(eventsOf(step, EventKind::kernel));
  const Events d2h = eventsOf(step, EventKind::copyD2H);
  const Events h2d = eventsOf(step, EventKind::copyH2D);
  StepMetrics metrics;
  metrics.d2h = totalsOf(d2h, compute);
  metrics.h2d = totalsOf(h2d, compute);
  metrics.layers = layersOf(step, d2h, h2d, compute);
  for (const TimelineEvent& event : step.events) {
    if (event.kind == EventKind::hostWait) metrics.hostStallNs += event.durationNs;
    if (isComputeStall(step, event)) metrics.streamStallNs += event.durationNs;
  }
  return metrics;
}

}  // namespace offload
