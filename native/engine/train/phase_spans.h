#pragma once

#include <vector>

#include "engine/train/step_phases.h"

namespace offload {

/// How a timeline divides the step: each phase for itself, or forward and backward alone.
enum class SpanDetail { phases, passes };

/// Adds the spans of `phases` to a recording of them; they follow each other without a gap, and the last ends with the step.
void addPhaseSpans(RecordedStep& step, const std::vector<StepPhase>& phases, SpanDetail detail);

}  // namespace offload
