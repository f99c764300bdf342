#include "tool/flags.h"

#include <doctest/doctest.h>

using namespace offload;

namespace {

struct Target {
  std::vector<std::string> names;
  std::string text;
  std::uint32_t count = 0;
  bool isSet = false;
};

const std::vector<Flag<Target>>& flags() {
  static const std::vector<Flag<Target>> table = {
      {"--name", "N...", Takes::values, "names",
       [](Target& to, const GivenFlag& given) { to.names.insert(to.names.end(), given.values.begin(), given.values.end()); }},
      {"--text", "T", Takes::value, "a text", [](Target& to, const GivenFlag& given) { to.text = given.value(); }},
      {"--count", "N", Takes::value, "a number", [](Target& to, const GivenFlag& given) { to.count = wholeNumber(given); }},
      {"--set", "", Takes::nothing, "a switch", [](Target& to, const GivenFlag&) { to.isSet = true; }},
      {"--idle", "", Takes::nothing, "without effect"},
      {"--other", "", Takes::refused, "--other is of another program."},
  };
  return table;
}

Target good(const std::vector<std::string_view>& words) {
  Target target;
  const auto read = readFlags(words, flags(), "the test", true, target);
  if (const auto* wrong = std::get_if<WrongUsage>(&read)) FAIL(wrong->message);
  REQUIRE(std::holds_alternative<std::monostate>(read));
  return target;
}

std::string wrong(const std::vector<std::string_view>& words) {
  Target target;
  const auto read = readFlags(words, flags(), "the test", true, target);
  const auto* usage = std::get_if<WrongUsage>(&read);
  return usage == nullptr ? "" : usage->message;
}

}  // namespace

TEST_CASE("a flag of several values takes all words up to the next flag, and adds up") {
  CHECK(good({"--name", "a", "-b", "-", "--set", "--name", "c"}).names == std::vector<std::string>{"a", "-b", "-", "c"});
  CHECK(good({"--name=--a", "--name=b=c", "--name="}).names == std::vector<std::string>{"--a", "b=c", ""});
  CHECK(wrong({"--name"}) == "--name needs a value.");
  CHECK(wrong({"--name", "--set"}) == "--name needs a value.");
}

TEST_CASE("a value may begin with dashes, a flag is none") {
  CHECK(good({"--text", "-1"}).text == "-1");
  CHECK(good({"--text", "--draft"}).text == "--draft");
  CHECK(good({"--text=--set"}).text == "--set");
  CHECK(wrong({"--text", "--set"}) == "--text needs a value.");
  CHECK(wrong({"--text", "--count=2"}) == "--text needs a value.");
  CHECK(wrong({"--text", "--help"}) == "--text needs a value.");
  CHECK(wrong({"--text"}) == "--text needs a value.");
}

TEST_CASE("a misspelt flag is no value of the one before it, and the nearest is named") {
  CHECK(wrong({"--name", "a", "--cuont", "2"}) == "--cuont is not a flag of the test. Did you mean --count?");
  CHECK(wrong({"--nmae", "a"}) == "--nmae is not a flag of the test. Did you mean --name?");
  CHECK(wrong({"--unheard-of"}) == "--unheard-of is not a flag of the test.");
  CHECK(wrong({"--unheard-of=1"}) == "--unheard-of is not a flag of the test.");
  CHECK(wrong({"stray"}) == "\"stray\" is not expected here; every value follows a flag.");
}

TEST_CASE("what may stand once, what takes nothing, what belongs elsewhere") {
  CHECK(wrong({"--text", "a", "--text", "b"}) == "--text is given twice.");
  CHECK(wrong({"--set", "--set"}) == "--set is given twice.");
  CHECK(good({"--idle", "--idle", "--set"}).isSet);
  CHECK(wrong({"--set=1"}) == "--set takes no value.");
  CHECK(wrong({"--idle=1"}) == "--idle takes no value.");
  CHECK(wrong({"--other"}) == "--other is of another program.");
  CHECK(wrong({"--other=a"}) == "--other is of another program.");
}

TEST_CASE("help and version end the reading where they stand, before them errors win") {
  Target target;
  CHECK(std::holds_alternative<HelpAsked>(readFlags({"--set", "-h", "--nonsense"}, flags(), "the test", true, target)));
  CHECK(std::holds_alternative<VersionAsked>(readFlags({"--version"}, flags(), "the test", true, target)));
  CHECK(std::holds_alternative<WrongUsage>(readFlags({"--version"}, flags(), "the test", false, target)));
  CHECK(std::holds_alternative<WrongUsage>(readFlags({"--count", "x", "--help"}, flags(), "the test", true, target)));
}

TEST_CASE("help lists every flag of the program once, in columns, within its width") {
  const std::vector<Flag<Target>> two = {
      {"--long", "VALUE", Takes::value, "a text of many words that is longer than one line of the help and therefore goes on below the first "
                                        "one, in the same column"},
      {"--other", "", Takes::refused, "not listed"},
      {"--a-flag-beyond-the-column", "V", Takes::value, "its text follows at once"},
  };
  CHECK(flagList(two) ==
        "  --long VALUE           a text of many words that is longer than one line of the help and therefore goes on below the\n"
        "                         first one, in the same column\n"
        "  --a-flag-beyond-the-column V its text follows at once\n");
}
