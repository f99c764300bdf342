#include "sim/device_profile.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/base/shown_value.h"
#include "sim/built_in_profiles.h"

namespace offload {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostFileBytes = 64u << 10;
constexpr std::size_t kMostTextBytes = 2048;

/// A number of a profile with the values that make sense for it.
struct Figure {
  const char* name;
  double DeviceProfile::* member;
  double least;
  double most;
};

constexpr Figure kFigures[] = {
    {"matmulTflops", &DeviceProfile::matmulTflops, 0.001, 1e6},
    {"matmulShare", &DeviceProfile::matmulShare, 0.001, 1},
    {"matmulStartNs", &DeviceProfile::matmulStartNs, 0, 1e9},
    {"attentionForwardShare", &DeviceProfile::attentionForwardShare, 0.001, 1},
    {"attentionBackwardShare", &DeviceProfile::attentionBackwardShare, 0.001, 1},
    {"attentionHalfSeq", &DeviceProfile::attentionHalfSeq, 0, 1e6},
    {"memoryGBps", &DeviceProfile::memoryGBps, 0.1, 1e6},
    {"memoryShare", &DeviceProfile::memoryShare, 0.001, 1},
    {"kernelNs", &DeviceProfile::kernelNs, 0, 1e9},
    {"launchLatencyNs", &DeviceProfile::launchLatencyNs, 0, 1e9},
    {"d2hGBps", &DeviceProfile::d2hGBps, 0.001, 1e6},
    {"h2dGBps", &DeviceProfile::h2dGBps, 0.001, 1e6},
    {"bothGBps", &DeviceProfile::bothGBps, 0.001, 1e6},
    {"copyLatencyNs", &DeviceProfile::copyLatencyNs, 0, 1e9},
    {"pinMsPerGiB", &DeviceProfile::pinMsPerGiB, 0, 1e6},
    {"collectiveGBps", &DeviceProfile::collectiveGBps, 0.001, 1e6},
    {"collectiveLatencyNs", &DeviceProfile::collectiveLatencyNs, 0, 1e9},
    {"collectiveContention", &DeviceProfile::collectiveContention, 0, 1},
    {"timeUncertainty", &DeviceProfile::timeUncertainty, 0, 1},
};

struct HostFigure {
  const char* name;
  double HostCosts::* member;
};

struct PageableFigure {
  const char* name;
  double PageableRates::* member;
};

constexpr PageableFigure kPageableFigures[] = {{"d2hGBps", &PageableRates::d2hGBps}, {"h2dGBps", &PageableRates::h2dGBps}};

constexpr HostFigure kHostFigures[] = {
    {"forwardOperatorNs", &HostCosts::forwardOperatorNs}, {"backwardOperatorNs", &HostCosts::backwardOperatorNs},
    {"packHookNs", &HostCosts::packHookNs},               {"unpackHookNs", &HostCosts::unpackHookNs},
    {"waitNs", &HostCosts::waitNs},
    {"collectiveNs", &HostCosts::collectiveNs},
};

Problem invalid(const std::string& origin, const std::string& cause) {
  return {"DEVICE_PROFILE_INVALID", "The device profile " + origin + " cannot be used.", cause,
          "Correct the file, or calibrate again."};
}

[[noreturn]] void fail(const std::string& origin, const std::string& cause) { throw EngineError(invalid(origin, cause)); }

double readFigure(const Json& object, const char* name, double least, double most, const std::string& origin) {
  const auto member = object.find(name);
  const Json range = {least, most};
  const std::string allowed = " It must be a number from " + range[0].dump() + " to " + range[1].dump() + ".";
  if (member == object.end()) fail(origin, std::string(name) + " is absent." + allowed);
  const double value = member->is_number() ? member->get<double>() : -1;
  if (!member->is_number() || !(value >= least && value <= most)) {
    fail(origin, std::string(name) + " is " + shownValue(nlohmann::json(*member)) + "." + allowed);
  }
  return value;
}

std::string readText(const Json& object, const char* name, const std::string& origin) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_string()) fail(origin, std::string(name) + " is no text.");
  std::string text = member->get<std::string>();
  if (text.empty() || text.size() > kMostTextBytes) fail(origin, std::string(name) + " is empty or too long.");
  return text;
}

DeviceProfile readProfile(const Json& object, const std::string& origin) {
  if (object.is_discarded() || !object.is_object()) fail(origin, "It is no JSON object.");
  DeviceProfile profile;
  profile.name = readText(object, "name", origin);
  profile.source = readText(object, "source", origin);
  if (const auto aliases = object.find("aliases"); aliases != object.end() && aliases->is_array() && aliases->size() <= 32) {
    for (const Json& alias : *aliases) {
      if (alias.is_string()) profile.aliases.push_back(alias.get<std::string>());
    }
  }
  profile.isMeasured = object.value("isMeasured", Json(false)) == Json(true);
  profile.memoryBytes = static_cast<std::uint64_t>(readFigure(object, "memoryBytes", 1048576, 1e15, origin));
  for (const Figure& figure : kFigures) {
    profile.*figure.member = readFigure(object, figure.name, figure.least, figure.most, origin);
  }
  if (const auto pageable = object.find("pageable"); pageable != object.end() && !pageable->is_null()) {
    if (!pageable->is_object()) fail(origin, "pageable is no object.");
    profile.pageable.emplace();
    for (const PageableFigure& figure : kPageableFigures) {
      (*profile.pageable).*figure.member = readFigure(*pageable, figure.name, 0.001, 1e6, origin);
    }
  }
  const auto host = object.find("host");
  if (host == object.end() || !host->is_object()) fail(origin, "host is absent.");
  for (const HostFigure& figure : kHostFigures) {
    profile.host.*figure.member = readFigure(*host, figure.name, 0, 1e9, origin);
  }
  return profile;
}

/// Letters and digits alone, small.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

std::variant<DeviceProfile, Problem> readProfileFile(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  // Also keeps a pipe from blocking for ever.
  if (!error && type != std::filesystem::file_type::regular && type != std::filesystem::file_type::not_found) {
    return invalid(path, "It is no regular file.");
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostFileBytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && file.gcount() == 0) return invalid(path, "The file cannot be read.");
  if (static_cast<std::size_t>(file.gcount()) > kMostFileBytes) return invalid(path, "It is larger than 64 KiB.");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parseDeviceProfile(text, path);
}

const std::vector<DeviceProfile>& builtIn() {
  static const std::vector<DeviceProfile> profiles = [] {
    std::vector<DeviceProfile> all;
    for (const std::string_view text : builtInProfileTexts()) {
      auto parsed = parseDeviceProfile(text, "that is built in");
      if (const auto* problem = std::get_if<Problem>(&parsed)) throw std::logic_error(problem->message + " " + problem->cause);
      all.push_back(std::move(std::get<DeviceProfile>(parsed)));
    }
    return all;
  }();
  return profiles;
}

}  // namespace

std::vector<std::string> deviceProfileNames() {
  std::vector<std::string> names;
  for (const DeviceProfile& profile : builtIn()) names.push_back(profile.name);
  return names;
}

std::variant<DeviceProfile, Problem> findDeviceProfile(const std::string& name) {
  if (name.ends_with(".json")) return readProfileFile(name);
  const std::string asked = plain(name);
  for (const DeviceProfile& profile : builtIn()) {
    if (plain(profile.name) == asked) return profile;
    for (const std::string& alias : profile.aliases) {
      if (plain(alias) == asked) return profile;
    }
  }
  std::string known;
  for (std::string each : deviceProfileNames()) {
    // As one writes them on a command line.
    std::erase(each, ' ');
    known += (known.empty() ? "" : ", ") + each;
  }
  return Problem{"DEVICE_UNKNOWN", "There is no simulated device of the name asked for.", "Known are " + known + ".",
                 "Use one of these as sim:NAME, or a profile that a calibration wrote as sim:FILE.json."};
}

std::variant<DeviceProfile, Problem> parseDeviceProfile(std::string_view json, const std::string& origin) {
  try {
    return readProfile(Json::parse(json.begin(), json.end(), nullptr, false), origin);
  } catch (const EngineError& error) {
    return error.problem();
  }
}

std::string deviceProfileText(const DeviceProfile& profile) {
  Json json;
  json["name"] = profile.name;
  json["aliases"] = profile.aliases;
  json["source"] = profile.source;
  json["isMeasured"] = profile.isMeasured;
  json["memoryBytes"] = profile.memoryBytes;
  for (const Figure& figure : kFigures) json[figure.name] = profile.*figure.member;
  if (profile.pageable) {
    for (const PageableFigure& figure : kPageableFigures) json["pageable"][figure.name] = (*profile.pageable).*figure.member;
  }
  for (const HostFigure& figure : kHostFigures) json["host"][figure.name] = profile.host.*figure.member;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace offload
