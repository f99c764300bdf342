#pragma once

#include <cstdint>
#include <set>

namespace offload {

/// The experts of a model that has some, as config.json states them.
struct Mixture {
  std::uint32_t experts = 0;            ///< per layer; 0: none, every layer is dense
  std::uint32_t expertsPerToken = 0;
  std::uint32_t intermediate = 0;       ///< of one expert
  std::uint32_t sharedIntermediate = 0; ///< of the experts that every token visits, together; 0: none
  std::uint32_t firstSparse = 0;        ///< layers below it are dense
  std::uint32_t sparseStep = 1;         ///< every n-th layer is sparse
  std::set<std::uint32_t> dense;        ///< further dense layers

  bool isSparse(std::uint32_t layer) const {
    return experts > 0 && layer >= firstSparse && (layer + 1) % sparseStep == 0 && !dense.contains(layer);
  }
};

}  // namespace offload
