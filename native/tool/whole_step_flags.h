#pragma once

#include <vector>

#include "tool/arguments.h"
#include "tool/flags.h"

namespace offload {

/// The flags of `profile` about what a step does beside the decoder stack, under the names of `offload-lens profile`.
std::vector<Flag<ToolArguments>> wholeStepFlags();

}  // namespace offload
