#include "engine/profile/container_writer.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "engine/strategy/strategies.h"

namespace offload {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "the container is little endian");

constexpr const char* kMagic = "OFFLENS1";
constexpr std::size_t kAlignment = 8;

void padTo(std::string& bytes, std::size_t alignment) { bytes.append((alignment - bytes.size() % alignment) % alignment, '\0'); }

/// Appends one column to the body and describes it.
template <typename Value, typename Rows, typename Read>
Json appendColumn(std::string& body, const char* type, const Rows& rows, Read read) {
  padTo(body, kAlignment);
  const Json ref = {{"type", type}, {"offset", body.size()}, {"length", rows.size()}};
  for (const auto& row : rows) {
    const Value value = static_cast<Value>(read(row));
    char raw[sizeof(Value)];
    std::memcpy(raw, &value, sizeof(Value));
    body.append(raw, sizeof(Value));
  }
  return ref;
}

Json eventColumns(std::string& body, const RecordedStep& step) {
  using Event = TimelineEvent;
  const auto& rows = step.events;
  Json events;
  events["startNs"] = appendColumn<double>(body, "f64", rows, [](const Event& e) { return e.startNs; });
  events["durationNs"] = appendColumn<double>(body, "f64", rows, [](const Event& e) { return e.durationNs; });
  events["lane"] = appendColumn<std::uint32_t>(body, "u32", rows, [](const Event& e) { return e.lane; });
  events["name"] = appendColumn<std::uint32_t>(body, "u32", rows, [](const Event& e) { return e.name; });
  events["layer"] = appendColumn<std::int32_t>(body, "i32", rows, [](const Event& e) { return e.layer; });
  events["bytes"] = appendColumn<double>(body, "f64", rows, [](const Event& e) { return e.bytes; });
  events["kind"] = appendColumn<std::uint8_t>(body, "u8", rows, [](const Event& e) { return e.kind; });
  events["dependsOn"] = appendColumn<std::int32_t>(body, "i32", rows, [](const Event& e) { return e.dependsOn; });
  return events;
}

Json memoryCurve(std::string& body, const char* of, const std::vector<MemoryPoint>& points) {
  return {{"of", of},
          {"timeNs", appendColumn<double>(body, "f64", points, [](const MemoryPoint& p) { return p.timeNs; })},
          {"bytes", appendColumn<double>(body, "f64", points, [](const MemoryPoint& p) { return p.bytes; })}};
}

/// The curve of device memory, and which part each of its changes concerned. Parts that no change and no byte concerns are
/// named all the same: there are few.
Json deviceCurve(std::string& body, const RecordedStep& step) {
  using Point = DeviceMemoryPoint;
  const auto& points = step.deviceMemory;
  Json curve = {{"of", "device"},
                {"timeNs", appendColumn<double>(body, "f64", points, [](const Point& p) { return p.timeNs; })},
                {"bytes", appendColumn<double>(body, "f64", points, [](const Point& p) { return p.change.liveBytes; })}};
  Json parts = {{"names", kMemoryPartNames}, {"startBytes", Json::array()}};
  for (const PartUse& use : step.startParts) parts["startBytes"].push_back(use.bytes);
  parts["part"] = appendColumn<std::uint8_t>(body, "u8", points, [](const Point& p) { return p.change.part; });
  parts["partBytes"] = appendColumn<double>(body, "f64", points, [](const Point& p) { return p.change.partBytes; });
  curve["parts"] = std::move(parts);
  return curve;
}

Json timelineJson(std::string& body, std::size_t run, const std::string& strategy, const RecordedStep& step) {
  const StrategyTraits& traits = strategyTraits(strategy);
  Json timeline;
  timeline["run"] = run;
  timeline["lanes"] = Json::array({{{"role", "compute"}, {"stream", "compute"}},
                                   {{"role", "d2h"}, {"stream", traits.toHostStream}},
                                   {{"role", "h2d"}, {"stream", traits.toDeviceStream}},
                                   {{"role", "host"}, {"stream", "host"}}});
  static_assert(kLaneCount == 5, "lanes above and below");
  const bool hasCollectives = std::any_of(step.events.begin(), step.events.end(),
                                          [](const TimelineEvent& event) { return event.lane == Lane::collective; });
  if (hasCollectives) timeline["lanes"].push_back({{"role", "collective"}, {"stream", "collectives"}});
  timeline["strings"] = step.strings;
  timeline["spans"] = Json::array();
  for (const StepSpan& span : step.spans) {
    timeline["spans"].push_back(
        {{"kind", span.kind}, {"label", span.label}, {"startNs", span.startNs}, {"endNs", span.endNs}});
  }
  timeline["events"] = eventColumns(body, step);
  timeline["memory"] =
      Json::array({deviceCurve(body, step), memoryCurve(body, "pinned", step.pinnedMemory)});
  return timeline;
}

Problem saveFailed(const std::string& path, const std::string& cause) {
  return {"SAVE_FAILED", "The profile could not be saved as " + path + ".", cause,
          "Choose another place, or free space there, and profile again."};
}

/// An empty file, or one that begins as saved profiles do. What else lies there, somebody still wants.
bool isReplaceable(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string start(std::strlen(kMagic), '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return stream.gcount() == 0 ? !stream.bad() : start == kMagic;
}

/// Why the file that is there must stay; an empty text if it may be replaced. Renaming onto a device or a pipe would
/// put a file in its place.
std::string whyKept(const fs::path& file, fs::file_type type) {
  if (type == fs::file_type::directory) return "It is a folder.";
  if (type != fs::file_type::regular) return "It is no regular file.";
  if (access(file.c_str(), W_OK) != 0) return std::string(std::strerror(errno)) + ".";
  return isReplaceable(file) ? "" : "There is a file of another kind, which is not replaced.";
}

/// The file that is written for `path`: the end of its links.
std::variant<std::string, Problem> saveTarget(const std::string& path) {
  if (path.empty()) return saveFailed(path, "It is no file name.");
  std::error_code error;
  fs::path target(path);
  const fs::file_type type = fs::status(target, error).type();
  if (type == fs::file_type::none) return saveFailed(path, error.message() + ".");
  if (type != fs::file_type::not_found) {
    if (const std::string cause = whyKept(target, type); !cause.empty()) return saveFailed(path, cause);
    target = fs::canonical(target, error);
    if (error) return saveFailed(path, error.message() + ".");
  } else if (fs::is_symlink(target, error)) {
    return saveFailed(path, "It is a link that leads nowhere.");
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) return saveFailed(path, "The folder does not exist.");
  return target.string();
}

/// Beside its place, so that renaming stays on one disk; two profiles at once do not meet.
std::string partialName(const std::string& target) { return target + "." + std::to_string(getpid()) + ".partial"; }

/// Writes and flushes a whole file; an empty text for success, else why not.
std::string writeFile(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return std::strerror(errno);
  const bool isWritten = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0 &&
                         fsync(fileno(file)) == 0;
  const std::string cause = isWritten ? std::string() : std::strerror(errno);
  const bool isClosed = std::fclose(file) == 0;
  return isWritten && !isClosed ? std::strerror(errno) : cause;
}

}  // namespace

std::string containerBytes(const ProfileReport& report, const std::string& resultJson) {
  std::string body;
  Json timelines = Json::array();
  for (std::size_t run = 0; run < report.runs.size(); ++run) {
    timelines.push_back(timelineJson(body, run, report.runs[run].outcome.setting.strategy, report.runs[run].outcome.timeline));
  }
  padTo(body, kAlignment);

  std::string header = R"({"format":"offload-container/1","result":)" + resultJson + R"(,"timelines":)" + timelines.dump() + "}";
  const std::uint64_t headerBytes = header.size();
  std::string bytes = kMagic;
  bytes.append(reinterpret_cast<const char*>(&headerBytes), sizeof headerBytes);
  bytes += header;
  padTo(bytes, kAlignment);
  return bytes + body;
}

std::optional<Problem> checkContainerPath(const std::string& path) {
  const auto target = saveTarget(path);
  if (const auto* problem = std::get_if<Problem>(&target)) return *problem;
  const std::string partial = partialName(std::get<std::string>(target));
  std::FILE* file = std::fopen(partial.c_str(), "wb");
  if (file == nullptr) return saveFailed(path, std::string(std::strerror(errno)) + ".");
  std::fclose(file);
  std::remove(partial.c_str());
  return std::nullopt;
}

std::optional<Problem> writeContainer(const std::string& path, const ProfileReport& report, const std::string& resultJson) {
  const auto checked = saveTarget(path);
  if (const auto* problem = std::get_if<Problem>(&checked)) return *problem;
  const std::string& target = std::get<std::string>(checked);
  const std::string partial = partialName(target);
  std::string cause;
  try {
    cause = writeFile(partial, containerBytes(report, resultJson));
  } catch (const std::bad_alloc&) {
    // The result itself is there already, and worth more than its file.
    cause = "There is too little memory to lay out the file";
  }
  if (!cause.empty()) {
    std::remove(partial.c_str());
    return saveFailed(path, cause + ".");
  }
  if (std::rename(partial.c_str(), target.c_str()) != 0) {
    const std::string renameCause = std::strerror(errno);
    std::remove(partial.c_str());
    return saveFailed(path, renameCause + ".");
  }
  return std::nullopt;
}

}  // namespace offload
