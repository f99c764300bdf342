#include "engine/strategy/glob.h"

#include <doctest/doctest.h>

#include <string>

using offload::globMatches;

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
