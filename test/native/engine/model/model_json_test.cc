#include "engine/model/model_json.h"

#include <doctest/doctest.h>

using namespace offload;
using Json = nlohmann::json;

TEST_CASE("numbers that only Python writes are null") {
  CHECK(parseModelJson(R"({"a":NaN,"b":[Infinity,-Infinity],"c":1})") == Json::parse(R"({"a":null,"b":[null,null],"c":1})"));
}

TEST_CASE("texts keep such words") {
  CHECK(parseModelJson(R"({"a":NaN,"b":"NaN \" Infinity \\","c":Infinity})")["b"] == "NaN \" Infinity \\");
}

TEST_CASE("what is no JSON stays none") {
  for (const char* text : {"", "{", "{\"a\":NaNo}", "{\"a\":\"NaN", "{\"a\":-NaN}", "{\"a\":NaN,\"\\"}) {
    CAPTURE(text);
    CHECK(parseModelJson(text).is_discarded());
  }
}
