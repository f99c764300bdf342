#pragma once

#include <cstdint>

namespace offload {

/// Which saved tensors verl's double buffer takes for the same.
enum class CopyKey : std::uint8_t {
  layout,    ///< same storage and same full layout
  original,  ///< verl's own: same address and type, whatever shape and strides
};

}  // namespace offload
