#pragma once

#include <cstdint>

namespace offload {

/// How the tokens of a row lie on the device.
struct RowLayout {
  std::uint32_t ranks = 1;         ///< ranks that share every row: kernels see one rank's tokens, attention its heads over all of them
  std::uint32_t packedTokens = 0;  ///< a row holds sequences of at most so many tokens, and attention stays within them; 0: one sequence

  friend bool operator==(const RowLayout&, const RowLayout&) = default;
};

}  // namespace offload
