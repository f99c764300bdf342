#include "engine/base/shown_value.h"

namespace offload {

std::string shownValue(const nlohmann::json& value) {
  constexpr std::size_t kLongest = 64;
  // The library writes nested values by recursion: as deep as a file says, and that can be deeper than the stack.
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  nlohmann::json shortened = value;
  if (value.is_string()) shortened = value.get_ref<const std::string&>().substr(0, kLongest);
  // Cutting may have split a character.
  return shortened.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).substr(0, kLongest);
}

}  // namespace offload
