#include "engine/strategy/glob.h"

namespace offload {
namespace {

/// End of the set that starts after `[` at `open`, or npos where none closes it. A `]` directly after `[` or `[!` is a
/// member of the set.
std::size_t closingBracket(std::string_view pattern, std::size_t open) {
  std::size_t at = open + 1;
  if (at < pattern.size() && pattern[at] == '!') ++at;
  if (at < pattern.size() && pattern[at] == ']') ++at;
  return pattern.find(']', at);
}

bool setContains(std::string_view set, char letter) {
  const bool isNegated = !set.empty() && set.front() == '!';
  if (isNegated) set.remove_prefix(1);
  const auto code = static_cast<unsigned char>(letter);
  bool isFound = false;
  for (std::size_t i = 0; i < set.size() && !isFound;) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      isFound = static_cast<unsigned char>(set[i]) <= code && code <= static_cast<unsigned char>(set[i + 2]);
      i += 3;
    } else {
      isFound = set[i] == letter;
      ++i;
    }
  }
  return isFound != isNegated;
}

/// Length of the pattern element at `at` that matches one letter, 0 where it does not match.
std::size_t matchOne(std::string_view pattern, std::size_t at, char letter) {
  if (pattern[at] == '?') return 1;
  if (pattern[at] == '[') {
    const std::size_t close = closingBracket(pattern, at);
    if (close != std::string_view::npos) {
      return setContains(pattern.substr(at + 1, close - at - 1), letter) ? close - at + 1 : 0;
    }
  }
  return pattern[at] == letter ? 1 : 0;
}

}  // namespace

bool globMatches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t position = 0;
  std::size_t afterStar = std::string_view::npos;
  std::size_t starPosition = 0;
  while (position < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      afterStar = ++at;
      starPosition = position;
      continue;
    }
    const std::size_t matched = at < pattern.size() ? matchOne(pattern, at, text[position]) : 0;
    if (matched > 0) {
      at += matched;
      ++position;
    } else if (afterStar != std::string_view::npos) {
      // Only the last star can be extended: what an earlier one could gain, this one can as well.
      at = afterStar;
      position = ++starPosition;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace offload
