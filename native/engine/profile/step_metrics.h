#pragma once

#include <cstdint>
#include <vector>

#include "engine/tape/recorder.h"

namespace offload {

/// Copies of one direction in one step. busy = union of their intervals, hidden = the part of it under kernels of the
/// compute lane, exposed = the rest; ns.
struct CopyTotals {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  double busyNs = 0;
  double hiddenNs = 0;
  double exposedNs = 0;
};

/// The part of one layer in a step: the copies of what it saved, and the standstills for them, wherever they fell.
struct LayerMetrics {
  std::int32_t layer = kNoLayer;
  CopyTotals d2h;
  CopyTotals h2d;
  double hostStallNs = 0;
  double streamStallNs = 0;
};

struct StepMetrics {
  CopyTotals d2h;
  CopyTotals h2d;
  double hostStallNs = 0;     ///< the host stood still inside pack and unpack
  double streamStallNs = 0;   ///< the compute stream stood still for copies
  std::vector<LayerMetrics> layers;   ///< those with copies or standstills, in order
};

StepMetrics measure(const RecordedStep& step);

}  // namespace offload
