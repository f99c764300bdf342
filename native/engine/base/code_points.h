#pragma once

#include <string>
#include <string_view>

namespace offload {

/// The characters of UTF-8. A byte that is not part of any becomes 0xDC00 plus the byte, as Python reads file names.
std::u32string codePoints(std::string_view text);

}  // namespace offload
