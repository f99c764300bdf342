#include "engine/train/phase_spans.h"

#include <doctest/doctest.h>

using namespace offload;

namespace {

StepPhase phase(std::string name, std::uint32_t microBatch = 0) { return {std::move(name), microBatch, 0, 0, 0, {}}; }

RecordedStep stepOf(double endNs, std::vector<double> phaseEndsNs) {
  RecordedStep step;
  step.spans.push_back({"step", "step 1", 0, endNs});
  step.phaseEndsNs = std::move(phaseEndsNs);
  return step;
}

struct Expected {
  const char* kind;
  const char* label;
  double startNs;
  double endNs;
};

void checkSpans(const RecordedStep& step, const std::vector<Expected>& expected) {
  REQUIRE(step.spans.size() == expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const StepSpan& span = step.spans[i + 1];
    CHECK(span.kind == expected[i].kind);
    CHECK(span.label == expected[i].label);
    CHECK(span.startNs == expected[i].startNs);
    CHECK(span.endNs == expected[i].endNs);
  }
}

}  // namespace

TEST_CASE("each phase of a whole step is a span, and the last one ends with the step") {
  RecordedStep step = stepOf(100, {10, 20, 35, 60, 65, 90});
  addPhaseSpans(step,
                {phase("stackForward"), phase("headForward"), phase("headBackward"), phase("stackBackward"), phase("clip"),
                 phase("optimizer")},
                SpanDetail::phases);
  checkSpans(step, {{"forward", "stack forward", 0, 10},
                    {"forward", "head forward", 10, 20},
                    {"backward", "head backward", 20, 35},
                    {"backward", "stack backward", 35, 60},
                    {"optimizer", "clip", 60, 65},
                    {"optimizer", "optimizer", 65, 100}});
}

TEST_CASE("micro-batches are numbered where there are several") {
  RecordedStep step = stepOf(9, {1, 2, 3, 4, 5});
  addPhaseSpans(step,
                {phase("stackForward"), phase("stackBackward"), phase("stackForward", 1), phase("stackBackward", 1),
                 phase("optimizer", 1)},
                SpanDetail::phases);
  checkSpans(step, {{"forward", "stack forward 1", 0, 1},
                    {"backward", "stack backward 1", 1, 2},
                    {"forward", "stack forward 2", 2, 3},
                    {"backward", "stack backward 2", 3, 4},
                    {"optimizer", "optimizer", 4, 9}});
}

TEST_CASE("the stack alone is forward and backward") {
  RecordedStep step = stepOf(40, {10, 12, 39});
  addPhaseSpans(step, {phase("stackForward"), phase("headForward"), phase("stackBackward")}, SpanDetail::passes);
  checkSpans(step, {{"forward", "forward", 0, 12}, {"backward", "backward", 12, 40}});
}

TEST_CASE("a step without phases has no span but its own") {
  RecordedStep step = stepOf(40, {});
  addPhaseSpans(step, {}, SpanDetail::phases);
  CHECK(step.spans.size() == 1);
}
