#pragma once

#include <string>
#include <string_view>

namespace offload {

/// What comes from a file or a command line, as part of one line: characters that a reader does not see, or that move what he
/// sees, stand as `\u000a`; the same characters as in src/core/base/visibleText.ts. Bytes that are no UTF-8 count among them.
std::string visibleLine(std::string_view text);

/// The same for a text of several lines of our own: its line feeds and tabulators stay. In JSON every value stays the same.
std::string visibleLines(std::string_view text);

/// Whether a character is one of them.
bool isUnseen(char32_t code);

}  // namespace offload
