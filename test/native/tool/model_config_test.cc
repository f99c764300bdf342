#include "tool/model_config.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

using namespace offload;
namespace fs = std::filesystem;

namespace {

/// A directory of its own, gone at the end.
struct Scratch {
  fs::path path;
  Scratch() {
    std::string name = (fs::temp_directory_path() / "offload-config-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Scratch() { fs::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};

std::string codeOf(const std::string& path, bool isDirectory) {
  const auto result = readModelConfig(path, isDirectory);
  const auto* problem = std::get_if<Problem>(&result);
  if (problem != nullptr) CHECK(!problem->nextStep.empty());
  return problem == nullptr ? "" : problem->code;
}

}  // namespace

TEST_CASE("the text comes from the file or from the directory's config.json") {
  const Scratch scratch;
  const std::string file = scratch.file("config.json", "{\"a\": 1}");
  CHECK(std::get<std::string>(readModelConfig(file, false)) == "{\"a\": 1}");
  CHECK(std::get<std::string>(readModelConfig(scratch.path.string(), true)) == "{\"a\": 1}");
}

TEST_CASE("what is missing, foreign or too large is a problem with a code") {
  const Scratch scratch;
  CHECK(codeOf((scratch.path / "none").string(), true) == "MODEL_DIRECTORY_MISSING");
  CHECK(codeOf(scratch.file("plain", "x"), true) == "MODEL_DIRECTORY_MISSING");
  CHECK(codeOf(scratch.path.string(), true) == "MODEL_CONFIG_MISSING");
  CHECK(codeOf((scratch.path / "none.json").string(), false) == "MODEL_CONFIG_MISSING");
  CHECK(codeOf(scratch.path.string(), false) == "MODEL_CONFIG_UNREADABLE");
  const std::string pipe = (scratch.path / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(codeOf(pipe, false) == "MODEL_CONFIG_UNREADABLE");
  CHECK(codeOf(scratch.file("fits", std::string(kMostConfigBytes, ' ')), false).empty());
  CHECK(codeOf(scratch.file("large", std::string(kMostConfigBytes + 1, ' ')), false) == "MODEL_CONFIG_TOO_LARGE");
}
