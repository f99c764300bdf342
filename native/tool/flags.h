#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace offload {

struct HelpAsked {};
struct VersionAsked {};

/// One sentence or two for the user, exit code 2.
struct WrongUsage {
  std::string message;
};

enum class Takes : std::uint8_t {
  nothing,
  value,   ///< one, which may begin with dashes unless it is a flag itself
  values,  ///< all words up to the next that begins with `--`; may be given again
  refused, ///< a flag of another program: `help` says where it belongs, and is not listed
};

/// A flag as it was given, with what stood behind it. `values` is empty for a flag that takes nothing, else not.
struct GivenFlag {
  std::string_view name;
  std::vector<std::string> values;

  const std::string& value() const { return values.front(); }
};

/// One flag: how it is read, and what help says about it. `read` refuses a value by `refuse`; without a `read` the flag is
/// accepted and has no effect.
template <typename Target>
struct Flag {
  std::string_view name;
  std::string_view placeholder;   ///< of its value, as help and users call it
  Takes takes = Takes::value;
  std::string help;               ///< wrapped where it is printed
  void (*read)(Target&, const GivenFlag&) = nullptr;
};

/// Ends the reading of a command line with a message.
[[noreturn]] void refuse(std::string message);

/// Readers of values. Each refuses what it cannot read.
std::uint32_t wholeNumber(const GivenFlag& given);                ///< from 1
std::vector<std::uint32_t> wholeNumbers(const GivenFlag& given);  ///< separated by commas
double gibibytes(const GivenFlag& given);                         ///< 0 or more
std::string path(const GivenFlag& given);                         ///< not empty
std::string deviceName(const GivenFlag& given);                   ///< auto, cuda, cpu or sim:NAME

namespace detail {

/// What `refuse` throws; caught by `readFlags`.
struct Refused {
  std::string message;
};

/// A flag without the program that it belongs to.
struct FlagShape {
  std::string_view name;
  std::string_view placeholder;
  Takes takes;
  bool mayRepeat;
  std::string_view help;
};

/// Gives one flag after the other.
class Words {
 public:
  Words(const std::vector<std::string_view>& words, const std::vector<FlagShape>& shapes, std::string_view program)
      : words_(words), shapes_(shapes), program_(program) {}

  bool atEnd() const { return next_ == words_.size(); }
  /// `index` of the flag among the shapes.
  std::pair<std::size_t, GivenFlag> next();
  bool isHelp() const { return words_[next_] == "--help" || words_[next_] == "-h"; }
  bool isVersion() const { return words_[next_] == "--version"; }

 private:
  std::size_t indexOf(std::string_view name) const;
  bool isKnown(std::string_view word) const;

  const std::vector<std::string_view>& words_;
  const std::vector<FlagShape>& shapes_;
  std::string_view program_;
  std::size_t next_ = 0;
  std::set<std::string_view> seen_;
};

template <typename Target>
std::vector<FlagShape> shapesOf(const std::vector<Flag<Target>>& flags) {
  std::vector<FlagShape> shapes;
  for (const Flag<Target>& flag : flags) {
    shapes.push_back({flag.name, flag.placeholder, flag.takes, flag.takes == Takes::values || flag.read == nullptr, flag.help});
  }
  return shapes;
}

std::string listText(const std::vector<FlagShape>& shapes);

}  // namespace detail

/// Reads a command line by the table of its program into `target`. Nothing: all of it was read. `program` is what messages call
/// the program; `--help` and `--version` end the reading, the latter where the program has one.
template <typename Target>
std::variant<std::monostate, HelpAsked, VersionAsked, WrongUsage> readFlags(const std::vector<std::string_view>& arguments,
                                                                            const std::vector<Flag<Target>>& flags,
                                                                            std::string_view program, bool hasVersion, Target& target) {
  const auto shapes = detail::shapesOf(flags);
  detail::Words words(arguments, shapes, program);
  try {
    while (!words.atEnd()) {
      if (words.isHelp()) return HelpAsked{};
      if (hasVersion && words.isVersion()) return VersionAsked{};
      const auto [index, given] = words.next();
      if (flags[index].read != nullptr) flags[index].read(target, given);
    }
  } catch (detail::Refused& refused) {
    return WrongUsage{std::move(refused.message)};
  }
  return std::monostate{};
}

/// The part of a help text that lists the flags, one paragraph each.
template <typename Target>
std::string flagList(const std::vector<Flag<Target>>& flags) {
  return detail::listText(detail::shapesOf(flags));
}

}  // namespace offload
