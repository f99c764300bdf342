#pragma once

namespace offload {

/// `Lanes` floats that the compiler keeps in one register where the instruction set has one so wide, else in several.
/// Load and store by memcpy: memory need not be aligned. Not for parameters or return values.
template <int Lanes>
struct VectorOf {
  typedef float Type __attribute__((vector_size(Lanes * sizeof(float))));
};

}  // namespace offload
