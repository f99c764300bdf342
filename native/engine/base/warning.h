#pragma once

#include <string>

namespace offload {

/// A sentence for the user about what a number alone would hide.
struct Warning {
  std::string code;
  std::string message;
};

}  // namespace offload
