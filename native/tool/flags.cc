#include "tool/flags.h"

#include <algorithm>
#include <charconv>

namespace offload {
namespace {

/// Where the texts of a list begin, and where they are broken.
constexpr std::size_t kTextColumn = 25;
constexpr std::size_t kWidth = 120;

bool isFlag(std::string_view word) { return word.starts_with("--"); }

/// How many letters have to be put in, left out or replaced to make one word of the other.
std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t replaced = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::uint32_t wholeNumberOf(std::string_view flag, std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0) {
    refuse(std::string(flag) + " " + std::string(text) + ": use a whole number from 1.");
  }
  return number;
}

}  // namespace

void refuse(std::string message) { throw detail::Refused{std::move(message)}; }

std::uint32_t wholeNumber(const GivenFlag& given) { return wholeNumberOf(given.name, given.value()); }

std::vector<std::uint32_t> wholeNumbers(const GivenFlag& given) {
  std::vector<std::uint32_t> numbers;
  std::string_view text = given.value();
  while (true) {
    const std::size_t comma = text.find(',');
    numbers.push_back(wholeNumberOf(given.name, text.substr(0, comma)));
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

double gibibytes(const GivenFlag& given) {
  const std::string& text = given.value();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !(number >= 0)) {
    refuse(std::string(given.name) + " " + text + ": use a number of GiB, 0 or more.");
  }
  return number;
}

std::string path(const GivenFlag& given) {
  if (given.value().empty()) refuse(std::string(given.name) + " needs a path.");
  return given.value();
}

std::string deviceName(const GivenFlag& given) {
  const std::string& text = given.value();
  const bool isSimulated = text.starts_with("sim:") && text.size() > 4;
  if (text == "auto" || text == "cuda" || text == "cpu" || isSimulated) return text;
  refuse(std::string(given.name) + " " + text + ": use auto, cuda, cpu or sim:NAME.");
}

namespace detail {

bool Words::isKnown(std::string_view word) const {
  const std::string_view name = word.substr(0, word.find('='));
  return name == "--help" || name == "--version" ||
         std::any_of(shapes_.begin(), shapes_.end(), [&](const FlagShape& shape) { return shape.name == name; });
}

std::size_t Words::indexOf(std::string_view name) const {
  const auto shape = std::find_if(shapes_.begin(), shapes_.end(), [&](const FlagShape& each) { return each.name == name; });
  if (shape != shapes_.end()) return static_cast<std::size_t>(shape - shapes_.begin());
  if (!isFlag(name)) refuse("\"" + std::string(name) + "\" is not expected here; every value follows a flag.");
  std::string message = std::string(name) + " is not a flag of " + std::string(program_) + ".";
  const auto nearer = [&](const FlagShape& one, const FlagShape& other) { return distance(one.name, name) < distance(other.name, name); };
  const auto nearest = std::min_element(shapes_.begin(), shapes_.end(), nearer);
  if (nearest != shapes_.end() && distance(nearest->name, name) <= 2) message += " Did you mean " + std::string(nearest->name) + "?";
  refuse(std::move(message));
}

std::pair<std::size_t, GivenFlag> Words::next() {
  const std::string_view word = words_[next_++];
  const std::size_t equals = isFlag(word) ? word.find('=') : std::string_view::npos;
  const std::size_t index = indexOf(word.substr(0, equals));
  const FlagShape& shape = shapes_[index];
  GivenFlag given{shape.name, {}};
  const std::string name(shape.name);
  if (shape.takes == Takes::refused) refuse(std::string(shape.help));
  if (!shape.mayRepeat && !seen_.insert(shape.name).second) refuse(name + " is given twice.");
  if (equals != std::string_view::npos) {
    if (shape.takes == Takes::nothing) refuse(name + " takes no value.");
    given.values.emplace_back(word.substr(equals + 1));
  } else if (shape.takes == Takes::value) {
    if (atEnd() || isKnown(words_[next_])) refuse(name + " needs a value.");
    given.values.emplace_back(words_[next_++]);
  } else if (shape.takes == Takes::values) {
    // A misspelt flag must not end as one more value: such a value needs `--flag=value`.
    while (!atEnd() && !isFlag(words_[next_])) given.values.emplace_back(words_[next_++]);
    if (given.values.empty()) refuse(name + " needs a value.");
  }
  return {index, std::move(given)};
}

std::string listText(const std::vector<FlagShape>& shapes) {
  std::string text;
  for (const FlagShape& shape : shapes) {
    if (shape.takes == Takes::refused) continue;
    std::string line = "  " + std::string(shape.name) + (shape.placeholder.empty() ? "" : " ") + std::string(shape.placeholder);
    line.resize(std::max(line.size() + 1, kTextColumn), ' ');
    for (std::string_view rest = shape.help; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      const bool isFirst = line.back() == ' ';
      if (!isFirst && line.size() + 1 + word.size() > kWidth) {
        text += line + "\n";
        line = std::string(kTextColumn, ' ') + std::string(word);
      } else {
        line += (isFirst ? "" : " ") + std::string(word);
      }
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace detail
}  // namespace offload
