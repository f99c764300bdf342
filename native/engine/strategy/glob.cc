#include "engine/strategy/glob.h"

#include <algorithm>

#include "engine/base/code_points.h"

namespace offload {
namespace {

constexpr std::size_t kNone = std::u32string_view::npos;

/// End of the set whose inside begins at `start`, or kNone where nothing closes it. A `]` in first place, or behind a `!`
/// there, is a member of the set.
std::size_t closingBracket(std::u32string_view pattern, std::size_t start) {
  std::size_t at = start;
  if (at < pattern.size() && pattern[at] == U'!') ++at;
  if (at < pattern.size() && pattern[at] == U']') ++at;
  return pattern.find(U']', at);
}

/// Positions of the hyphens that make a range: none at either end of the set, none next to the end of an earlier range.
std::vector<std::size_t> rangeHyphens(std::u32string_view inside) {
  std::vector<std::size_t> found;
  for (std::size_t at = !inside.empty() && inside.front() == U'!' ? 2 : 1; at + 1 < inside.size(); ++at) {
    if (inside[at] != U'-') continue;
    found.push_back(at);
    at += 2;
  }
  return found;
}

}  // namespace

Glob::Glob(std::string_view pattern) {
  const std::u32string codes = codePoints(pattern);
  bool mayClose = true;
  for (std::size_t at = 0; at < codes.size(); ++at) {
    const char32_t code = codes[at];
    if (code == U'*') {
      if (elements_.empty() || elements_.back().kind != Kind::star) elements_.push_back({.kind = Kind::star});
      continue;
    }
    ++leastLength_;
    // What does not close here does not close further on: searching once keeps "[[[[" linear.
    const std::size_t close = code == U'[' && mayClose ? closingBracket(codes, at + 1) : kNone;
    if (code == U'?') {
      elements_.push_back({.kind = Kind::any});
    } else if (close != kNone) {
      elements_.push_back(setOf(std::u32string_view(codes).substr(at + 1, close - at - 1)));
      at = close;
    } else {
      if (code == U'[') mayClose = false;
      elements_.push_back({.kind = Kind::set, .ranges = {{code, code}}});
    }
  }
}

/// Python splits a set at its range hyphens, removes ranges that run backwards together with the two characters that they
/// join, and only then looks for the leading `!`: `[z-a]` never matches, `[!z-a]` and even `[z-a!]` match any character.
Glob::Element Glob::setOf(std::u32string_view inside) {
  std::vector<Member> members = membersOf(inside);
  if (members.empty() || members.front().range.low != U'!') {
    return {.kind = Kind::set, .ranges = joined(members, 0)};
  }
  if (members.size() == 1) return {.kind = Kind::any};
  // The hyphen behind a `!` that came to stand in front has lost its left neighbour and counts as itself.
  if (members[1].isRange) members[1] = {.range = {U'-', U'-'}, .isRange = false};
  return {.kind = Kind::set, .isNegated = true, .ranges = joined(members, 1)};
}

std::vector<Glob::Member> Glob::membersOf(std::u32string_view inside) {
  std::vector<Member> members;
  std::size_t start = 0;
  const auto addSingles = [&](std::size_t end) {
    for (; start < end; ++start) members.push_back({.range = {inside[start], inside[start]}, .isRange = false});
  };
  for (const std::size_t hyphen : rangeHyphens(inside)) {
    const CodeRange range{inside[hyphen - 1], inside[hyphen + 1]};
    const bool isBackwards = range.low > range.high;
    addSingles(isBackwards ? hyphen - 1 : hyphen);
    if (!isBackwards) members.push_back({.range = range, .isRange = true});
    start = hyphen + (isBackwards ? 2 : 1);
  }
  addSingles(inside.size());
  return members;
}

/// The characters of the members from `from` on.
std::vector<Glob::CodeRange> Glob::joined(const std::vector<Member>& members, std::size_t from) {
  std::vector<CodeRange> ranges;
  for (std::size_t at = from; at < members.size(); ++at) ranges.push_back(members[at].range);
  std::sort(ranges.begin(), ranges.end(), [](const CodeRange& a, const CodeRange& b) { return a.low < b.low; });
  std::vector<CodeRange> apart;
  for (const CodeRange& range : ranges) {
    if (apart.empty() || range.low > apart.back().high + 1) {
      apart.push_back(range);
    } else {
      apart.back().high = std::max(apart.back().high, range.high);
    }
  }
  return apart;
}

bool Glob::Element::contains(char32_t code) const {
  if (kind == Kind::any) return true;
  const auto range = std::lower_bound(ranges.begin(), ranges.end(), code,
                                      [](const CodeRange& each, char32_t sought) { return each.high < sought; });
  return (range != ranges.end() && range->low <= code) != isNegated;
}

bool Glob::matches(std::u32string_view text) const {
  if (text.size() < leastLength_) return false;
  std::size_t at = 0;
  std::size_t position = 0;
  std::size_t afterStar = kNone;
  std::size_t starPosition = 0;
  while (position < text.size()) {
    if (at < elements_.size() && elements_[at].kind == Kind::star) {
      afterStar = ++at;
      starPosition = position;
    } else if (at < elements_.size() && elements_[at].contains(text[position])) {
      ++at;
      ++position;
    } else if (afterStar != kNone) {
      // Only the last star can be extended: what an earlier one could gain, this one can as well.
      at = afterStar;
      position = ++starPosition;
    } else {
      return false;
    }
  }
  while (at < elements_.size() && elements_[at].kind == Kind::star) ++at;
  return at == elements_.size();
}

}  // namespace offload
