#include "engine/profile/step_metrics.h"

#include <doctest/doctest.h>

using namespace offload;

namespace {

TimelineEvent event(Lane lane, EventKind kind, double startNs, double endNs, std::uint64_t bytes = 0) {
  TimelineEvent result;
  result.lane = lane;
  result.kind = kind;
  result.startNs = startNs;
  result.durationNs = endNs - startNs;
  result.bytes = bytes;
  return result;
}

}  // namespace

TEST_CASE("busy is a union, hidden lies under kernels, exposed is the rest") {
  RecordedStep step;
  step.events = {
      event(Lane::compute, EventKind::kernel, 0, 10),
      event(Lane::d2h, EventKind::copyD2H, 5, 15, 100),
      event(Lane::compute, EventKind::memset, 10, 12),
      event(Lane::d2h, EventKind::copyD2H, 12, 20, 50),
      event(Lane::compute, EventKind::kernel, 18, 30),
      event(Lane::h2d, EventKind::copyH2D, 20, 25, 7),
      event(Lane::compute, EventKind::streamWait, 30, 34),
      event(Lane::d2h, EventKind::streamWait, 30, 90),
      event(Lane::host, EventKind::hostWait, 31, 34),
  };
  const StepMetrics metrics = measure(step);
  CHECK(metrics.d2h.count == 2);
  CHECK(metrics.d2h.bytes == 150);
  CHECK(metrics.d2h.busyNs == 15);
  CHECK(metrics.d2h.hiddenNs == 7);
  CHECK(metrics.d2h.exposedNs == 8);
  CHECK(metrics.h2d.busyNs == 5);
  CHECK(metrics.h2d.hiddenNs == 5);
  CHECK(metrics.h2d.exposedNs == 0);
  CHECK(metrics.streamStallNs == 4);
  CHECK(metrics.hostStallNs == 3);
}

TEST_CASE("copies count for the layer that saved the tensor, standstills for the layer whose copy was awaited") {
  RecordedStep step;
  const auto of = [](std::int32_t layer, TimelineEvent each) {
    each.layer = layer;
    return each;
  };
  step.events = {
      of(0, event(Lane::d2h, EventKind::copyD2H, 0, 10, 100)),
      of(1, event(Lane::compute, EventKind::kernel, 2, 6)),
      of(1, event(Lane::host, EventKind::hostWait, 4, 10)),
      of(1, event(Lane::d2h, EventKind::copyD2H, 10, 14, 40)),
      of(2, event(Lane::compute, EventKind::streamWait, 12, 15)),
      of(2, event(Lane::compute, EventKind::streamWait, 15, 15)),
      of(0, event(Lane::h2d, EventKind::copyH2D, 20, 24, 100)),
      of(-1, event(Lane::collective, EventKind::collective, 20, 30)),
      of(2, event(Lane::compute, EventKind::streamWait, 24, 30)),
  };
  step.events[2].dependsOn = 0;
  step.events[4].dependsOn = 3;
  step.events[8].dependsOn = 7;
  const StepMetrics metrics = measure(step);
  REQUIRE(metrics.layers.size() == 2);
  const LayerMetrics& first = metrics.layers[0];
  CHECK(first.layer == 0);
  CHECK(first.d2h.bytes == 100);
  CHECK(first.d2h.hiddenNs == 4);
  CHECK(first.d2h.exposedNs == 6);
  CHECK(first.h2d.busyNs == 4);
  CHECK(first.hostStallNs == 6);
  CHECK(first.streamStallNs == 0);
  const LayerMetrics& second = metrics.layers[1];
  CHECK(second.layer == 1);
  CHECK(second.d2h.bytes == 40);
  CHECK(second.hostStallNs == 0);
  CHECK(second.streamStallNs == 3);
  // The last wait is for a collective.
  CHECK(metrics.streamStallNs == 3);
}

TEST_CASE("a step without copies has none") {
  const StepMetrics metrics = measure({});
  CHECK(metrics.d2h.count == 0);
  CHECK(metrics.d2h.busyNs == 0);
  CHECK(metrics.hostStallNs == 0);
}
