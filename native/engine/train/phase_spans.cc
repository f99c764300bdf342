#include "engine/train/phase_spans.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace offload {
namespace {

/// "headBackward" belongs to "backward"; clip and optimizer are neither pass.
std::string kindOf(const StepPhase& phase) {
  if (phase.name.ends_with("Forward")) return "forward";
  return phase.name.ends_with("Backward") ? "backward" : "optimizer";
}

/// "headBackward" as "head backward".
std::string wordsOf(const std::string& name) {
  std::string words;
  for (const char letter : name) {
    if (std::isupper(static_cast<unsigned char>(letter)) != 0) words += ' ';
    words += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return words;
}

std::string labelOf(const StepPhase& phase, SpanDetail detail, bool severalMicroBatches) {
  std::string label = detail == SpanDetail::phases ? wordsOf(phase.name) : kindOf(phase);
  if (severalMicroBatches && kindOf(phase) != "optimizer") label += " " + std::to_string(phase.microBatch + 1);
  return label;
}

}  // namespace

void addPhaseSpans(RecordedStep& step, const std::vector<StepPhase>& phases, SpanDetail detail) {
  if (phases.empty() || step.phaseEndsNs.size() != phases.size()) return;
  const bool severalMicroBatches = phases.back().microBatch > 0;
  double startNs = 0;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const std::string label = labelOf(phases[i], detail, severalMicroBatches);
    if (step.spans.back().label == label) {
      step.spans.back().endNs = step.phaseEndsNs[i];
    } else {
      step.spans.push_back({kindOf(phases[i]), label, startNs, step.phaseEndsNs[i]});
    }
    startNs = step.phaseEndsNs[i];
  }
  step.spans.back().endNs = std::max(startNs, step.spans.front().endNs);
}

}  // namespace offload
