#include "engine/model/model_json.h"

#include <algorithm>
#include <string>

namespace offload {
namespace {

using Json = nlohmann::json;

/// Where the string that begins at `start` ends: behind its closing quote, or at the end of the text.
std::size_t endOfString(std::string_view text, std::size_t start) {
  std::size_t at = start + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::string withoutPythonNumbers(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t length = text[at] == '"' ? endOfString(text, at) - at : 1;
    std::string_view written = rest.substr(0, length);
    for (const std::string_view word : {std::string_view("NaN"), std::string_view("Infinity"), std::string_view("-Infinity")}) {
      if (!rest.starts_with(word)) continue;
      length = word.size();
      written = "null";
    }
    plain += written;
    at += length;
  }
  return plain;
}

}  // namespace

Json parseModelJson(std::string_view text) {
  Json parsed = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!parsed.is_discarded()) return parsed;
  return Json::parse(withoutPythonNumbers(text), nullptr, false);
}

}  // namespace offload
