#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace offload {

/// A shell pattern for a whole text, by the rules of Python's `fnmatch.fnmatchcase`, over characters: `*`, `?`, `[seq]`,
/// `[!seq]`, ranges; an unclosed `[` stands for itself, a range that runs backwards is dropped. Case counts.
class Glob {
 public:
  /// Takes time for the length of the pattern only, and a logarithm for sorting its sets.
  explicit Glob(std::string_view pattern);

  /// In time for the square of the text's length at most, whatever the pattern. `text` as `codePoints` gives it.
  bool matches(std::u32string_view text) const;

 private:
  struct CodeRange {
    char32_t low;
    char32_t high;
  };
  enum class Kind : std::uint8_t { any, star, set };
  /// A letter is a set of one.
  struct Element {
    Kind kind;
    bool isNegated = false;
    /// Ascending and apart.
    std::vector<CodeRange> ranges = {};
    bool contains(char32_t code) const;
  };
  /// One character of a set, or the range that a hyphen makes of its two neighbours.
  struct Member {
    CodeRange range;
    bool isRange;
  };

  static Element setOf(std::u32string_view inside);
  static std::vector<Member> membersOf(std::u32string_view inside);
  static std::vector<CodeRange> joined(const std::vector<Member>& members, std::size_t from);

  std::vector<Element> elements_;
  std::size_t leastLength_ = 0;
};

}  // namespace offload
