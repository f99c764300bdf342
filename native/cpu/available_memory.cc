#include "cpu/available_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string>

namespace offload {
namespace {

std::optional<std::uint64_t> leadingNumber(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return std::nullopt;
  text.remove_prefix(start);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

/// The number behind `key` at the start of a line.
std::optional<std::uint64_t> numberAfter(std::string_view text, std::string_view key) {
  for (std::size_t line = 0; line < text.size();) {
    const std::string_view rest = text.substr(line);
    if (rest.starts_with(key)) return leadingNumber(rest.substr(key.size(), rest.find('\n') - key.size()));
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;
    line += end + 1;
  }
  return std::nullopt;
}

/// Files under /proc and /sys are short; more than 1 MiB is not one of them.
std::string readSmallFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(1U << 20U, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return text;
}

struct GroupFiles {
  const char* limit;
  const char* used;
  const char* reclaimableKey;
};

std::optional<std::uint64_t> leftInGroup(const std::string& folder, const GroupFiles& files) {
  const auto limit = parseGroupLimit(readSmallFile(folder + files.limit));
  const auto used = parseGroupLimit(readSmallFile(folder + files.used));
  if (!limit || !used) return std::nullopt;
  // File pages count as used but are given up before the limit bites.
  const std::uint64_t reclaimable = numberAfter(readSmallFile(folder + "/memory.stat"), files.reclaimableKey).value_or(0);
  const std::uint64_t held = *used - std::min(*used, reclaimable);
  return *limit - std::min(*limit, held);
}

/// The least that any group from the process's own up to the root leaves.
std::optional<std::uint64_t> leftInGroups(const std::string& mount, std::string group, const GroupFiles& files) {
  std::optional<std::uint64_t> least;
  while (true) {
    const auto left = leftInGroup(mount + group, files);
    if (left && (!least || *left < *least)) least = left;
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.resize(slash);
  }
}

/// Path of the process's group: version 2 ("0::/a/b") or the memory controller of version 1 ("7:memory:/a/b").
std::string ownGroup(std::string_view table, std::string_view marker) {
  const std::size_t at = table.find(marker);
  if (at == std::string_view::npos) return "";
  const std::string_view path = table.substr(at + marker.size());
  return std::string(path.substr(0, path.find('\n')));
}

}  // namespace

std::optional<std::uint64_t> parseMemAvailable(std::string_view meminfo) {
  const auto kibibytes = numberAfter(meminfo, "MemAvailable:");
  if (!kibibytes || *kibibytes > UINT64_MAX / 1024) return std::nullopt;
  return *kibibytes * 1024;
}

std::optional<std::uint64_t> parseGroupLimit(std::string_view text) { return leadingNumber(text); }

std::optional<MappedPages> parseMappedPages(std::string_view statm) {
  // size resident shared text lib data dt
  std::array<std::uint64_t, 6> columns{};
  for (std::uint64_t& column : columns) {
    const auto value = leadingNumber(statm);
    if (!value) return std::nullopt;
    column = *value;
    const std::size_t digits = statm.find_first_of("0123456789");
    statm.remove_prefix(std::min(statm.find_first_of(" \n", digits), statm.size()));
  }
  return MappedPages{.all = columns[0], .data = columns[5]};
}

std::optional<ProcessLimit> readProcessLimit() {
  const auto pages = parseMappedPages(readSmallFile("/proc/self/statm"));
  if (!pages) return std::nullopt;
  const auto pageBytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::optional<ProcessLimit> least;
  const auto consider = [&](auto resource, const char* option, std::uint64_t usedBytes) {
    rlimit limit = {};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    const ProcessLimit found{.option = option, .limitBytes = limit.rlim_cur, .usedBytes = usedBytes};
    if (!least || found.leftBytes() < least->leftBytes()) least = found;
  };
  consider(RLIMIT_AS, "-v", pages->all * pageBytes);
  consider(RLIMIT_DATA, "-d", pages->data * pageBytes);
  return least;
}

std::string processLimitText(const std::optional<ProcessLimit>& limit) {
  if (!limit) return "";
  return "This process may map " + std::to_string(limit->limitBytes >> 20U) + " MiB in all (ulimit " + limit->option + ").";
}

std::uint64_t readAvailableMemory() {
  std::uint64_t available = parseMemAvailable(readSmallFile("/proc/meminfo")).value_or(0);
  const std::string groups = readSmallFile("/proc/self/cgroup");
  const auto second = leftInGroups("/sys/fs/cgroup", ownGroup(groups, "0::"), {"/memory.max", "/memory.current", "inactive_file "});
  const auto first = leftInGroups("/sys/fs/cgroup/memory", ownGroup(groups, ":memory:"),
                                  {"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file "});
  for (const auto& left : {second, first}) {
    if (left) available = std::min(available, *left);
  }
  if (const auto limit = readProcessLimit()) available = std::min(available, limit->leftBytes());
  return available;
}

}  // namespace offload
