#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/problem.h"

namespace offload {

/// What a framework's host thread spends, ns. Operators are the eager ones of the framework, not our fused kernels.
struct HostCosts {
  double forwardOperatorNs = 0;   ///< issued from Python
  double backwardOperatorNs = 0;  ///< issued by the autograd engine
  double packHookNs = 0;          ///< one saved tensor that goes through a Python hook
  double unpackHookNs = 0;        ///< and comes back, where the hook finds the tensor or has it computed again
  double waitNs = 0;              ///< one stream or event wait
  double collectiveNs = 0;        ///< one collective of a group of parameters: hooks of FSDP2, copies in and out, the call
};

/// 10^9 bytes per second of copies from and to host memory that is not pinned. They hold the host up.
struct PageableRates {
  double d2hGBps = 0;
  double h2dGBps = 0;
};

/// A simulated GPU as data: one file of `sim/profiles`, or one that a calibration wrote. Peaks come from data sheets;
/// shares say which part of a peak real operators reach.
struct DeviceProfile {
  std::string name;
  std::vector<std::string> aliases;
  std::string source;              ///< where the figures come from, for the user
  bool isMeasured = false;         ///< fitted to recorded steps, or calibrated on the machine
  std::uint64_t memoryBytes = 0;

  double matmulTflops = 0;         ///< dense bf16 peak, 10^12 operations per second
  double matmulShare = 0;          ///< part of it that products reach
  double matmulStartNs = 0;        ///< what a product takes beside: its start, and its last wave of blocks
  double attentionForwardShare = 0;
  double attentionBackwardShare = 0;
  double attentionHalfSeq = 0;     ///< sequence length at which attention reaches half of its share
  double memoryGBps = 0;           ///< peak, 10^9 bytes per second
  double memoryShare = 0;          ///< of it that chains of eager pointwise operators reach
  double kernelNs = 0;             ///< shortest kernel
  double launchLatencyNs = 0;      ///< from the host's call to the start on an idle stream

  double d2hGBps = 0;
  double h2dGBps = 0;
  double bothGBps = 0;             ///< sum of both directions at once
  double copyLatencyNs = 0;        ///< between the end of a copy and the next work of its stream
  std::optional<PageableRates> pageable;  ///< nothing where nobody measured them
  double pinMsPerGiB = 0;

  double collectiveGBps = 0;       ///< bytes a rank receives per second in an all-gather, 10^9
  double collectiveLatencyNs = 0;
  double collectiveContention = 0; ///< share of a collective's time by which kernels beside it get slower

  double timeUncertainty = 0;      ///< of a step that the GPU bounds, as a share of it
  HostCosts host;
};

/// Names of the built-in profiles, in the order of their files.
std::vector<std::string> deviceProfileNames();

/// The built-in profile of that name or alias (case, blanks and hyphens do not count), or the profile in a file if the name
/// ends in `.json`. Problems: DEVICE_UNKNOWN with the known names, DEVICE_PROFILE_INVALID with the member and its range.
std::variant<DeviceProfile, Problem> findDeviceProfile(const std::string& name);

/// Reads the text of a profile file. `origin` names it in problems.
std::variant<DeviceProfile, Problem> parseDeviceProfile(std::string_view json, const std::string& origin);

/// The text of a profile file.
std::string deviceProfileText(const DeviceProfile& profile);

}  // namespace offload
