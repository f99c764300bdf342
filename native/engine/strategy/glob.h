#pragma once

#include <string_view>

namespace offload {

/// Case-sensitive shell match of a whole text, by the rules of Python's `fnmatch.fnmatchcase`: `*`, `?`, `[seq]`,
/// `[!seq]`, ranges; an unclosed `[` stands for itself; a range that runs backwards matches nothing.
bool globMatches(std::string_view pattern, std::string_view text);

}  // namespace offload
