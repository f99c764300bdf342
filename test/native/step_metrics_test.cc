#include "engine/step_metrics.h"

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

TEST_CASE("a step without copies has none") {
  const StepMetrics metrics = measure({});
  CHECK(metrics.d2h.count == 0);
  CHECK(metrics.d2h.busyNs == 0);
  CHECK(metrics.hostStallNs == 0);
}
