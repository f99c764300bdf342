#include "engine/strategy/glob.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/base/code_points.h"

using namespace offload;

namespace {

bool globMatches(const std::string& pattern, const std::string& text) { return Glob(pattern).matches(codePoints(text)); }

}  // namespace

TEST_CASE("letters, stars and question marks") {
  CHECK(globMatches("layers", "layers"));
  CHECK_FALSE(globMatches("layers", "Layers"));
  CHECK(globMatches("*", ""));
  CHECK(globMatches("*", "anything"));
  CHECK_FALSE(globMatches("?", ""));
  CHECK(globMatches("1*", "10"));
  CHECK(globMatches("*_proj", "q_proj"));
  CHECK(globMatches("a*b*c", "aXbYbZc"));
  CHECK_FALSE(globMatches("a*b*c", "aXbYcZ"));
  CHECK_FALSE(globMatches("", "a"));
  CHECK(globMatches("", ""));
}

TEST_CASE("sets as Python's fnmatchcase reads them") {
  CHECK(globMatches("[0-3]", "2"));
  CHECK_FALSE(globMatches("[0-3]", "4"));
  CHECK(globMatches("[!0-3]", "4"));
  CHECK_FALSE(globMatches("[!0-3]", "0"));
  CHECK(globMatches("[]]", "]"));
  CHECK(globMatches("[!]]", "a"));
  CHECK(globMatches("[a-]", "-"));
  CHECK(globMatches("[-a]", "-"));
  CHECK_FALSE(globMatches("[3-0]", "2"));
  CHECK(globMatches("[03]?", "3x"));
}

TEST_CASE("an unclosed bracket stands for itself") {
  CHECK(globMatches("[0", "[0"));
  CHECK_FALSE(globMatches("[0", "0"));
  CHECK(globMatches("a[", "a["));
  CHECK(globMatches("[!", "[!"));
}

TEST_CASE("many stars on a long text end") {
  CHECK_FALSE(globMatches("*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

// Written by test/python/globs.py with seed 1, Python 3.11: patterns, and texts that fnmatchcase accepts and refuses.
TEST_CASE("what Python's fnmatchcase was recorded to say") {
  std::ifstream file(OFFLOAD_FIXTURES "/globs.json");
  const auto cases = nlohmann::json::parse(file);
  REQUIRE(cases.size() == 400);
  for (const auto& one : cases) {
    const std::string pattern = one[0];
    for (const auto& [at, isMatch] : {std::pair{1, true}, {2, false}}) {
      for (const std::string text : one[at]) {
        CAPTURE(pattern);
        CAPTURE(text);
        CHECK(globMatches(pattern, text) == isMatch);
      }
    }
  }
}

TEST_CASE("what removed ranges leave is read again") {
  CHECK_FALSE(globMatches("[z-a]", "z"));
  CHECK(globMatches("[!z-a]", "z"));
  CHECK(globMatches("[z-a!]", "q"));
  CHECK_FALSE(globMatches("[z-a!]", ""));
  CHECK_FALSE(globMatches("[z-a!-c]", "-"));
  CHECK_FALSE(globMatches("[z-a!-c]", "c"));
  CHECK(globMatches("[z-a!-c]", "b"));
}

TEST_CASE("letters are characters, not bytes") {
  CHECK(globMatches("?", "é"));
  CHECK_FALSE(globMatches("??", "é"));
  CHECK(globMatches("[à-ü]", "é"));
  CHECK_FALSE(globMatches("[!à-ü]", "é"));
}

TEST_CASE("sets of any size and order cost no more than their letters") {
  std::string backwards;
  for (int at = 0; at < 100'000; ++at) backwards += "z-a";
  const std::u32string text(20'000, U'm');
  CHECK_FALSE(Glob("*[" + backwards + "b-l]").matches(text));
  CHECK(Glob("*[" + backwards + "a-m]*").matches(text));
  CHECK_FALSE(Glob(std::string(200'000, '[')).matches(text));
}
