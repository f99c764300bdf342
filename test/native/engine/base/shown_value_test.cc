#include "engine/base/shown_value.h"

#include <doctest/doctest.h>

using namespace offload;
using Json = nlohmann::json;

TEST_CASE("plain values are shown as JSON writes them") {
  CHECK(shownValue(-3) == "-3");
  CHECK(shownValue(nullptr) == "null");
  CHECK(shownValue("cpu") == "\"cpu\"");
}

TEST_CASE("a long text is cut, characters included") {
  CHECK(shownValue(std::string(1'000'000, 'x')) == "\"" + std::string(63, 'x'));
  CHECK(shownValue(std::string(63, 'x') + "\u00e9").size() == 64);
}

TEST_CASE("control characters and other alphabets become escapes") {
  CHECK(shownValue("a\x1b[31m\u00e9") == "\"a\\u001b[31m\\u00e9\"");
}

TEST_CASE("nested values are named, however deep") {
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  CHECK(shownValue(Json::parse(deep)) == "a list");
  CHECK(shownValue(Json::object()) == "an object");
}
