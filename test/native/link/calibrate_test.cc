#include "link/calibrate.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "devices/open_device.h"
#include "tool/write_calibration.h"

using namespace offload;

namespace {

const std::atomic<bool> kNotCancelled{false};

nlohmann::json calibrated(const std::string& device) {
  const auto outcome = runLink(device, openDevice, kNotCancelled, true);
  if (const auto* problem = std::get_if<Problem>(&outcome)) return {{"problem", problem->code}};
  return nlohmann::json::parse(std::get<std::string>(outcome));
}

}  // namespace

TEST_CASE("the device that is present becomes a profile that can be simulated") {
  const nlohmann::json result = calibrated("cpu");
  REQUIRE(result.contains("profile"));
  CHECK(result["profile"]["d2hGBps"] == result["pinned"]["d2hGBps"]);
  CHECK(result["profile"]["pageable"]["h2dGBps"] == result["pageable"]["h2dGBps"]);
  CHECK(result["profile"]["matmulTflops"].get<double>() > 0);
  CHECK(result["profile"]["isMeasured"] == true);

  const auto path = (std::filesystem::temp_directory_path() / "offload-lens-calibrate-test.json").string();
  std::filesystem::remove(path);
  CHECK_FALSE(writeCalibration(path, result.dump()).has_value());
  const auto simulated = openDevice("sim:" + path, kNotCancelled);
  REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(simulated));
  CHECK(std::get<std::unique_ptr<Device>>(simulated)->info().name == result["device"]["name"].get<std::string>());
  // Again over the earlier one; a file of another kind stays.
  CHECK_FALSE(writeCalibration(path, result.dump()).has_value());
  std::ofstream(path) << "{\"mine\": 1}";
  CHECK(writeCalibration(path, result.dump())->code == "SAVE_FAILED");
  CHECK(writeCalibration("no-json.txt", result.dump())->code == "SAVE_FAILED");
  std::filesystem::remove(path);
}

TEST_CASE("a simulated device is a profile already") { CHECK(calibrated("sim:H200")["problem"] == "CALIBRATION_SIMULATED"); }
