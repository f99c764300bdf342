#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace offload {

/// MemAvailable in the text of /proc/meminfo, bytes; nothing where the line is absent or not a number of kB.
std::optional<std::uint64_t> parseMemAvailable(std::string_view meminfo);

/// A limit file of a control group (memory.max, memory.limit_in_bytes), bytes; nothing for "max" or anything else that is
/// not a number.
std::optional<std::uint64_t> parseGroupLimit(std::string_view text);

/// What the machine could still give this process: MemAvailable, or what the memory limit of its control group leaves if
/// that is less. Bytes; 0 where /proc cannot be read.
std::uint64_t readAvailableMemory();

}  // namespace offload
