#pragma once

#include <string_view>

#include "engine/tape/executor.h"

namespace offload {

/// The host reads a value that the compute stream makes, and stands still until it is there. No wait of a schedule: offload has
/// no part in it, so it counts as none.
void readOnHost(Executor& executor, std::string_view name);

}  // namespace offload
