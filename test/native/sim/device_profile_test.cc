#include "sim/device_profile.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/open_sim_device.h"
#include "sim/sim_device.h"

using namespace offload;

namespace {

DeviceProfile found(const std::string& name) {
  auto outcome = findDeviceProfile(name);
  REQUIRE(std::holds_alternative<DeviceProfile>(outcome));
  return std::get<DeviceProfile>(outcome);
}

std::string codeOf(const std::variant<DeviceProfile, Problem>& outcome) {
  const auto* problem = std::get_if<Problem>(&outcome);
  return problem == nullptr ? "" : problem->code + " " + problem->cause;
}

}  // namespace

TEST_CASE("every profile of the folder is built in, each with its source; case, blanks and hyphens of names do not count") {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(OFFLOAD_FIXTURES "/../../native/sim/profiles")) {
    files.insert(nlohmann::json::parse(std::ifstream(entry.path()))["name"]);
  }
  const auto names = deviceProfileNames();
  CHECK(std::set<std::string>(names.begin(), names.end()) == files);
  CHECK(files.contains("RTX 4090"));
  for (const std::string& name : deviceProfileNames()) CHECK_FALSE(found(name).source.empty());
  for (const char* name : {"rtx4090", "RTX 4090", "rtx-4090", "NVIDIA RTX 4090"}) CHECK(found(name).name == "RTX 4090");
  CHECK(found("nvidia-h200").name == "H200");
  CHECK(found("H200").isMeasured);
  CHECK_FALSE(found("A100").isMeasured);
  const std::string unknown = codeOf(findDeviceProfile("H9"));
  CHECK(unknown.starts_with("DEVICE_UNKNOWN Known are "));
  CHECK(unknown.find("RTX4090") != std::string::npos);
  CHECK(codeOf(findDeviceProfile("")).starts_with("DEVICE_UNKNOWN"));
}

// What a newcomer writes into sim/profiles, through the seam that takes it from a file as well.
TEST_CASE("one file is all that the simulator needs of a new GPU") {
  std::ifstream file(OFFLOAD_FIXTURES "/../../native/sim/profiles/l20.json");
  nlohmann::json added = nlohmann::json::parse(file);
  added["name"] = "X 77";
  added["memoryBytes"] = 3 * (std::uint64_t{1} << 30);
  added["d2hGBps"] = 10;
  const auto path = std::filesystem::temp_directory_path() / ("offload-lens-new-gpu-test-" + std::to_string(getpid()) + ".json");
  std::ofstream(path) << added.dump();
  const std::atomic<bool> notCancelled{false};
  auto opened = openSimDevice(path.string(), notCancelled);
  std::filesystem::remove(path);
  REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(opened));
  Device& device = *std::get<std::unique_ptr<Device>>(opened);
  CHECK(device.info().name == "X 77");
  REQUIRE(device.info().simulated);
  CHECK(device.info().simulated->memoryBytes == 3 * (std::uint64_t{1} << 30));
  CHECK(device.info().kind == "sim");
  // It computes copies with the file's own rate.
  const DeviceProfile profile = std::get<DeviceProfile>(parseDeviceProfile(added.dump(), "test"));
  SimDevice simulated(profile, notCancelled);
  const Interval copy = simulated.interval(simulated.copyToHost(kComputeStream, *simulated.allocatePinned(1), 1, 100'000'000));
  CHECK(copy.endNs - copy.startNs == doctest::Approx(1e7));
}

TEST_CASE("a profile survives being written and read") {
  const DeviceProfile before = found("H200");
  const auto outcome = parseDeviceProfile(deviceProfileText(before), "test");
  REQUIRE(std::holds_alternative<DeviceProfile>(outcome));
  const auto& after = std::get<DeviceProfile>(outcome);
  CHECK(after.memoryBytes == before.memoryBytes);
  CHECK(after.memoryShare == before.memoryShare);
  CHECK(after.host.packHookNs == before.host.packHookNs);
  REQUIRE(after.pageable);
  CHECK(after.pageable->d2hGBps == before.pageable->d2hGBps);
  CHECK(deviceProfileText(after) == deviceProfileText(before));
  CHECK(deviceProfileText(found("A100")).find("pageable") == std::string::npos);
}

TEST_CASE("a file of one's own is a device; one that is no profile says what is wrong") {
  const auto path = std::filesystem::temp_directory_path() / ("offload-lens-device-profile-test-" + std::to_string(getpid()) + ".json");
  nlohmann::json own = nlohmann::json::parse(deviceProfileText(found("A100")));
  own["name"] = "measured here";
  std::ofstream(path) << own.dump();
  CHECK(found(path.string()).name == "measured here");
  std::ofstream(path) << std::string(100'000, ' ');
  CHECK(codeOf(findDeviceProfile(path.string())).find("larger than 64 KiB") != std::string::npos);
  std::filesystem::remove(path);
  CHECK(codeOf(findDeviceProfile(path.string())).find("cannot be read") != std::string::npos);
  // Nobody ever writes into this pipe.
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  CHECK(codeOf(findDeviceProfile(path.string())).find("no regular file") != std::string::npos);
  std::filesystem::remove(path);
}

TEST_CASE("members are checked, with their range") {
  const auto with = [](const char* member, const nlohmann::json& value) {
    nlohmann::json text = nlohmann::json::parse(deviceProfileText(found("H200")));
    text[member] = value;
    return codeOf(parseDeviceProfile(text.dump(), "test"));
  };
  CHECK(with("d2hGBps", 0).find("It must be a number from 0.001 to 1000000.0") != std::string::npos);
  CHECK(with("memoryShare", 1.5).find("memoryShare is 1.5") != std::string::npos);
  CHECK(with("matmulTflops", "fast").starts_with("DEVICE_PROFILE_INVALID"));
  CHECK(with("host", 3).find("host is absent") != std::string::npos);
  CHECK(with("pageable", 3).find("pageable is no object") != std::string::npos);
  CHECK(with("pageable", {{"d2hGBps", 1}}).find("h2dGBps is absent") != std::string::npos);
  CHECK(with("name", "").find("name is empty") != std::string::npos);
  CHECK(codeOf(parseDeviceProfile("[", "test")).find("no JSON object") != std::string::npos);
}
