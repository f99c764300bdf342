#pragma once

#include <string>

namespace offload {

/// The table of strategies as JSON, by name: what src/core/profile/strategies.json has to hold. `npm run derive` writes it.
std::string strategiesJson();

}  // namespace offload
