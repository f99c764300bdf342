#include "engine/base/visible_text.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

using namespace offload;

TEST_CASE("what is not seen is written out, as JSON would") {
  CHECK(visibleLine("a\nb\tc\r") == "a\\u000ab\\u0009c\\u000d");
  CHECK(visibleLine("\x1b[31m") == "\\u001b[31m");
  CHECK(visibleLine("\u202Eevil\u2028") == "\\u202eevil\\u2028");
  CHECK(visibleLine("a\u200Bb\uFEFF\u3164") == "a\\u200bb\\ufeff\\u3164");
  CHECK(visibleLine("\U000E0041") == "\\udb40\\udc41");
  CHECK(visibleLine("Größe 模型 \U0001F600") == "Größe 模型 \U0001F600");
  CHECK(visibleLines("{\n\t\"a\": \"\u202E\"\r\n}") == "{\n\t\"a\": \"\\u202e\"\\u000d\n}");
}

TEST_CASE("bytes that are no text are written out, too") {
  CHECK(visibleLine("a\xff\xc3") == "a\\udcff\\udcc3");
  // Written longer than it needs to be, a line feed is still none.
  CHECK(visibleLine("\xc0\x8a") == "\\udcc0\\udc8a");
  CHECK(visibleLine("\xed\xa0\x80") == "\\udced\\udca0\\udc80");
}

// The list that test/unit/base/visibleText.test.ts compares with src/core/base/visibleText.ts.
TEST_CASE("the characters are those of the editor and the command line") {
  std::ifstream file(OFFLOAD_FIXTURES "/unseen-characters.json");
  const auto ranges = nlohmann::json::parse(file);
  char32_t next = 0;
  for (const auto& range : ranges) {
    const char32_t low = range[0].get<std::uint32_t>();
    const char32_t high = range[1].get<std::uint32_t>();
    bool isSeenBetween = true;
    for (; next < low; ++next) isSeenBetween = isSeenBetween && !isUnseen(next);
    bool isAllUnseen = true;
    for (; next <= high; ++next) isAllUnseen = isAllUnseen && isUnseen(next);
    CAPTURE(low);
    CHECK(isSeenBetween);
    CHECK(isAllUnseen);
  }
  bool isRestSeen = true;
  for (; next <= 0x10FFFF; ++next) isRestSeen = isRestSeen && !isUnseen(next);
  CHECK(isRestSeen);
}
