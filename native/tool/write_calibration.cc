#include "tool/write_calibration.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <variant>

#include "sim/device_profile.h"

namespace offload {
namespace {

Problem saveFailed(const std::string& path, const std::string& cause) {
  return {"SAVE_FAILED", "The calibration could not be saved as " + path + ".", cause, "Choose another place, and calibrate again."};
}

}  // namespace

std::optional<Problem> writeCalibration(const std::string& path, const std::string& linkJson) {
  if (!path.ends_with(".json")) return saveFailed(path, "Its name does not end in .json.");
  std::error_code error;
  // What else lies there, somebody still wants.
  if (std::filesystem::exists(path, error) && std::holds_alternative<Problem>(findDeviceProfile(path))) {
    return saveFailed(path, "There is a file of another kind, which is not replaced.");
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << nlohmann::ordered_json::parse(linkJson)["profile"].dump(2) << "\n";
  file.flush();
  if (!file) return saveFailed(path, "The file cannot be written.");
  return std::nullopt;
}

}  // namespace offload
