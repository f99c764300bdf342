#include "engine/base/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

#include "engine/base/code_points.h"

namespace offload {
namespace {

struct CodeRange {
  char32_t low;
  char32_t high;
};

/// Unicode's categories Cc, Cf, Zl and Zp, and fillers that are drawn as nothing; ascending.
constexpr CodeRange kUnseen[] = {
    {0x0, 0x1F}, {0x7F, 0x9F}, {0xAD, 0xAD}, {0x34F, 0x34F}, {0x600, 0x605}, {0x61C, 0x61C}, {0x6DD, 0x6DD},
    {0x70F, 0x70F}, {0x890, 0x891}, {0x8E2, 0x8E2}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180E, 0x180E},
    {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x2064}, {0x2066, 0x206F}, {0x3164, 0x3164}, {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0001, 0xE0001}, {0xE0020, 0xE007F},
};

void appendEscaped(std::string& text, char32_t unit) {
  std::array<char, 7> escaped{};
  std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(unit & 0xFFFFU));
  text.append(escaped.data());
}

/// In UTF-16 units, as JSON writes them.
void appendUnseen(std::string& text, char32_t code) {
  if (code > 0xFFFF) appendEscaped(text, 0xD7C0 + (code >> 10U));
  appendEscaped(text, code > 0xFFFF ? 0xDC00 + (code & 0x3FFU) : code);
}

void appendUtf8(std::string& text, char32_t code) {
  const auto byte = [&](char32_t value) { text.push_back(static_cast<char>(value)); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6U);
  } else {
    if (code < 0x10000) {
      byte(0xE0 | code >> 12U);
    } else {
      byte(0xF0 | code >> 18U);
      byte(0x80 | (code >> 12U & 0x3FU));
    }
    byte(0x80 | (code >> 6U & 0x3FU));
  }
  byte(0x80 | (code & 0x3FU));
}

template <typename Stays>
std::string visible(std::string_view text, Stays stays) {
  std::string shown;
  shown.reserve(text.size());
  for (const char32_t code : codePoints(text)) {
    const bool isStrayByte = code >= 0xD800 && code <= 0xDFFF;
    if (isStrayByte || (isUnseen(code) && !stays(code))) {
      appendUnseen(shown, code);
    } else {
      appendUtf8(shown, code);
    }
  }
  return shown;
}

}  // namespace

bool isUnseen(char32_t code) {
  const auto* const range = std::lower_bound(std::begin(kUnseen), std::end(kUnseen), code,
                                             [](const CodeRange& each, char32_t sought) { return each.high < sought; });
  return range != std::end(kUnseen) && range->low <= code;
}

std::string visibleLine(std::string_view text) {
  return visible(text, [](char32_t) { return false; });
}

std::string visibleLines(std::string_view text) {
  return visible(text, [](char32_t code) { return code == U'\n' || code == U'\t'; });
}

}  // namespace offload
