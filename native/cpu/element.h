#pragma once

#include <bit>
#include <cstdint>

#include "engine/device/kernel_calls.h"

namespace offload {

/// bfloat16 as stored: the upper half of an IEEE binary32. A scalar type, since loops over structs do not vectorise.
enum class Bf16 : std::uint16_t {};

inline float toFloat(float value) { return value; }
inline float toFloat(Bf16 value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16); }

template <class E>
E fromFloat(float value);

template <>
inline float fromFloat<float>(float value) {
  return value;
}

/// Rounds to nearest, ties to even; a NaN stays a (quiet) NaN.
template <>
inline Bf16 fromFloat<Bf16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool isNan = (bits & 0x7fffffffU) > 0x7f800000U;
  const std::uint32_t rounded = bits + 0x7fffU + ((bits >> 16) & 1U);
  return Bf16{static_cast<std::uint16_t>((isNan ? bits | 0x400000U : rounded) >> 16)};
}

/// Memory of CpuDevice as a typed pointer: its addresses are pointers. 0 becomes null.
template <class T>
T* pointerTo(DeviceAddress address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

/// Calls `body` with a value of the C++ type that stores `element`.
template <class Body>
void withElement(ElementType element, Body&& body) {
  if (element == ElementType::bf16) {
    body(Bf16{});
  } else {
    body(float{});
  }
}

}  // namespace offload
