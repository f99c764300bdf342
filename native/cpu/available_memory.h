#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace offload {

/// MemAvailable in the text of /proc/meminfo, bytes; nothing where the line is absent or not a number of kB.
std::optional<std::uint64_t> parseMemAvailable(std::string_view meminfo);

/// A limit file of a control group (memory.max, memory.limit_in_bytes), bytes; nothing for "max" or anything else that is
/// not a number.
std::optional<std::uint64_t> parseGroupLimit(std::string_view text);

/// A limit of a process on what it may map, of whatever the machine has (setrlimit).
struct ProcessLimit {
  const char* option;        ///< of the shell's ulimit that sets it: "-v" or "-d"
  std::uint64_t limitBytes;
  std::uint64_t usedBytes;
  std::uint64_t leftBytes() const { return limitBytes - (usedBytes < limitBytes ? usedBytes : limitBytes); }
};

/// Pages of address space and, of them, of data.
struct MappedPages {
  std::uint64_t all;
  std::uint64_t data;
};

/// The text of /proc/self/statm; nothing where it is no such text.
std::optional<MappedPages> parseMappedPages(std::string_view statm);

/// The limit of this process that leaves least; nothing where it has none.
std::optional<ProcessLimit> readProcessLimit();

/// The limit as a sentence for the user; empty where there is none.
std::string processLimitText(const std::optional<ProcessLimit>& limit);

/// What the machine could still give this process: MemAvailable, or what the memory limit of its control group or its own
/// limit leaves if that is less. Bytes; 0 where /proc cannot be read.
std::uint64_t readAvailableMemory();

}  // namespace offload
