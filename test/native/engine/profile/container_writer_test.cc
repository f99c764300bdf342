#include "engine/profile/container_writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

namespace fs = std::filesystem;

/// A folder that goes with the test.
struct Folder {
  Folder() : path(fs::temp_directory_path() / ("offload-container-" + std::to_string(getpid()))) { fs::create_directories(path); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::uint64_t readWord(const std::string& bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

template <typename Value>
Value elementOf(const std::string& bytes, std::size_t body, const Json& column, std::size_t at) {
  Value value{};
  std::memcpy(&value, bytes.data() + body + column["offset"].get<std::size_t>() + sizeof(Value) * at, sizeof(Value));
  return value;
}

/// What the parts hold together after the last change that reaches the curve's highest value.
double sumOfPartsAtPeak(const std::string& bytes, std::size_t body, const Json& curve) {
  const Json& parts = curve["parts"];
  std::vector<double> held = parts["startBytes"];
  double highest = -1;
  double sum = 0;
  for (std::size_t i = 0; i < curve["bytes"]["length"]; ++i) {
    held.at(elementOf<std::uint8_t>(bytes, body, parts["part"], i)) = elementOf<double>(bytes, body, parts["partBytes"], i);
    const double live = elementOf<double>(bytes, body, curve["bytes"], i);
    if (live < highest) continue;
    highest = live;
    sum = std::accumulate(held.begin(), held.end(), 0.0);
  }
  return sum;
}

ProfileRequest savingTo(const fs::path& path) {
  ProfileRequest request;
  request.configJson = smallConfig().dump();
  request.seqLens = {16};
  request.outPath = path.string();
  return request;
}

Json save(const fs::path& path, std::vector<std::string> strategies = {}) {
  ProfileRequest request = savingTo(path);
  request.strategies = std::move(strategies);
  return profileJson(request, fakeFactory());
}

}  // namespace

TEST_CASE("a saved profile has the documented layout and carries the printed result") {
  const Folder folder;
  const fs::path path = folder.path / "run.offload";
  const Json result = save(path);
  const std::string bytes = contents(path);
  REQUIRE(bytes.size() > 16);
  CHECK(bytes.substr(0, 8) == "OFFLENS1");
  const std::uint64_t headerBytes = readWord(bytes, 8);
  const Json header = Json::parse(bytes.substr(16, headerBytes));
  CHECK(header["format"] == "offload-container/1");
  CHECK(header["result"] == result);
  REQUIRE(header["timelines"].size() == 2);

  const std::size_t body = (16 + headerBytes + 7) / 8 * 8;
  const Json& timeline = header["timelines"][1];
  CHECK(timeline["run"] == 1);
  CHECK(timeline["lanes"][1] == Json{{"role", "d2h"}, {"stream", "swap"}});
  const std::size_t count = timeline["events"]["kind"]["length"];
  std::size_t copies = 0;
  for (const auto& [name, column] : timeline["events"].items()) {
    CHECK(column["length"] == count);
    CHECK(column["offset"].get<std::size_t>() % 8 == 0);
  }
  for (std::size_t i = 0; i < count; ++i) copies += bytes[body + timeline["events"]["kind"]["offset"].get<std::size_t>() + i] == 2;
  CHECK(copies == 3);

  // The highest point of the device curve is the run's peak.
  const Json& curve = timeline["memory"][0]["bytes"];
  double peak = 0;
  for (std::size_t i = 0; i < curve["length"]; ++i) {
    double value = 0;
    std::memcpy(&value, bytes.data() + body + curve["offset"].get<std::size_t>() + 8 * i, 8);
    peak = std::max(peak, value);
  }
  CHECK(peak == result["runs"][1]["peakBytes"].get<double>());
  CHECK(sumOfPartsAtPeak(bytes, body, timeline["memory"][0]) == peak);
  CHECK(timeline["memory"][1]["of"] == "pinned");
}

TEST_CASE("lanes name the streams that a strategy copies on, and copies their layers") {
  const Folder folder;
  const fs::path path = folder.path / "verl.offload";
  save(path, {"verl_double_buffer", "verl_sync", "save_on_cpu"});
  const std::string bytes = contents(path);
  const std::uint64_t headerBytes = readWord(bytes, 8);
  const Json header = Json::parse(bytes.substr(16, headerBytes));
  const auto streamOf = [&](std::size_t run, std::size_t lane) { return header["timelines"][run]["lanes"][lane]["stream"]; };
  CHECK(streamOf(0, 1) == "d2h");
  CHECK(streamOf(0, 2) == "h2d");
  CHECK(streamOf(1, 1) == "compute");
  CHECK(streamOf(2, 2) == "compute");

  const std::size_t body = (16 + headerBytes + 7) / 8 * 8;
  const Json& events = header["timelines"][0]["events"];
  std::vector<std::int32_t> layersBack;
  for (std::size_t i = 0; i < events["kind"]["length"]; ++i) {
    if (bytes[body + events["kind"]["offset"].get<std::size_t>() + i] != 3) continue;
    std::int32_t layer = 0;
    std::memcpy(&layer, bytes.data() + body + events["layer"]["offset"].get<std::size_t>() + 4 * i, 4);
    layersBack.push_back(layer);
  }
  // Each copy back belongs to the layer that saved the tensor, although the one above it starts the copy.
  CHECK(layersBack == std::vector<std::int32_t>{2, 1, 0});
  CHECK(header["result"]["runs"][0]["layers"].size() >= 3);
}

TEST_CASE("saving replaces an older file and leaves nothing else behind") {
  const Folder folder;
  const fs::path path = folder.path / "run.offload";
  std::ofstream(path) << "OFFLENS1 of before";
  save(path);
  CHECK(contents(path).substr(0, 8) == "OFFLENS1");
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("what cannot be written is a problem and no file") {
  const Folder folder;
  CHECK(save(folder.path)["problem"] == "SAVE_FAILED");
  CHECK(save(folder.path / "missing" / "run.offload")["problem"] == "SAVE_FAILED");
  CHECK(save("")["problem"] == "SAVE_FAILED");
}

TEST_CASE("a file that is no profile stays as it is") {
  const Folder folder;
  const fs::path path = folder.path / "veomni.yaml";
  std::ofstream(path) << "strategy: veomni";
  CHECK(save(path)["problem"] == "SAVE_FAILED");
  CHECK(contents(path) == "strategy: veomni");
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("a pipe or a device is never replaced by a file") {
  const Folder folder;
  const fs::path pipe = folder.path / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(save(pipe)["problem"] == "SAVE_FAILED");
  CHECK(fs::is_fifo(pipe));
  // By the check alone: this must hold for whoever may replace the device.
  REQUIRE(checkContainerPath("/dev/null").has_value());
  CHECK(checkContainerPath("/dev/null")->cause == "It is no regular file.");
}

TEST_CASE("links are followed, and one that leads nowhere is refused") {
  const Folder folder;
  std::ofstream(folder.path / "run.offload") << "OFFLENS1 of before";
  fs::create_symlink("run.offload", folder.path / "latest.offload");
  fs::create_symlink("absent", folder.path / "nowhere.offload");
  fs::create_symlink("itself", folder.path / "itself");
  save(folder.path / "latest.offload");
  CHECK(fs::is_symlink(folder.path / "latest.offload"));
  CHECK(readWord(contents(folder.path / "run.offload"), 8) > 100);
  CHECK(save(folder.path / "nowhere.offload")["problem"] == "SAVE_FAILED");
  CHECK(save(folder.path / "itself")["problem"] == "SAVE_FAILED");
}

TEST_CASE("a place that cannot be written is found before the run") {
  const Folder folder;
  CHECK_FALSE(checkContainerPath(folder.path / "run.offload").has_value());
  CHECK(fs::is_empty(folder.path));
  // Short enough by itself, too long for the file that is written first.
  CHECK(checkContainerPath(folder.path / std::string(250, 'n')).has_value());
  CHECK(checkContainerPath("/proc/run.offload").has_value());
}

TEST_CASE("a disk that fills up leaves the older file as it was") {
  const Folder folder;
  const fs::path path = folder.path / "run.offload";
  std::ofstream(path) << "OFFLENS1 of before";
  // A limit on file sizes fails the write half way, as a full disk does.
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::atomic<bool> cancelled{false};
  const auto outcome = runProfile(savingTo(path), fakeFactory(), {}, cancelled);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  // The result is there all the same.
  const auto& finished = std::get<ProfileOutcome>(outcome);
  REQUIRE(finished.saveProblem);
  CHECK(finished.saveProblem->code == "SAVE_FAILED");
  CHECK(Json::parse(finished.resultJson)["schema"] == "offload-profile/1");
  CHECK(contents(path) == "OFFLENS1 of before");
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}
