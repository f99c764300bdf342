#include "engine/base/code_points.h"

#include <array>
#include <cstddef>

namespace offload {
namespace {

constexpr char32_t kStrayByte = 0xDC00;

struct Character {
  char32_t code;
  std::size_t bytes;
};

/// The character at `at`; nothing in `bytes` where there is none.
Character readCharacter(std::string_view text, std::size_t at) {
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const auto byteAt = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char first = byteAt(at);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC0 || first > 0xF7 || at + bytes > text.size()) return {0, 0};
  char32_t code = first & (0x7FU >> bytes);
  for (std::size_t next = at + 1; next < at + bytes; ++next) {
    if ((byteAt(next) & 0xC0U) != 0x80) return {0, 0};
    code = code << 6U | (byteAt(next) & 0x3FU);
  }
  const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[bytes] || code > 0x10FFFF || isSurrogate) return {0, 0};
  return {code, bytes};
}

}  // namespace

std::u32string codePoints(std::string_view text) {
  std::u32string codes;
  codes.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character read = readCharacter(text, at);
    codes.push_back(read.bytes > 0 ? read.code : kStrayByte + static_cast<unsigned char>(text[at]));
    at += read.bytes > 0 ? read.bytes : 1;
  }
  return codes;
}

}  // namespace offload
