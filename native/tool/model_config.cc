#include "tool/model_config.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace offload {
namespace {

namespace fs = std::filesystem;

Problem unreadable(const std::string& path, const std::string& cause) {
  return {"MODEL_CONFIG_UNREADABLE", path + " cannot be read.", cause, "Check the path and its permissions."};
}

std::variant<std::string, Problem> readFile(const fs::path& path) {
  const std::string name = path.string();
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return Problem{"MODEL_CONFIG_MISSING", "There is no " + name + ".", "",
                   "Copy the config.json of the model there; it is part of every checkpoint."};
  }
  if (error) return unreadable(name, error.message() + ".");
  // Also keeps a pipe from blocking for ever.
  if (status.type() != fs::file_type::regular) return unreadable(name, "It is not a file.");
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(name, "It could not be opened.");
  // One byte more than allowed: files of /proc have no size to ask for, and a size may change.
  std::string text(kMostConfigBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return unreadable(name, "Reading failed.");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() <= kMostConfigBytes) return text;
  return Problem{"MODEL_CONFIG_TOO_LARGE", name + " is larger than 16 MiB.", "A config.json of a model has at most 16 MiB.",
                 "Check that this is the model's config.json."};
}

}  // namespace

std::variant<std::string, Problem> readModelConfig(const std::string& path, bool isDirectory) {
  if (!isDirectory) return readFile(path);
  std::error_code error;
  if (fs::is_directory(path, error)) return readFile(fs::path(path) / "config.json");
  const bool isMissing = !error || error == std::errc::no_such_file_or_directory;
  if (!isMissing) return unreadable(path, error.message() + ".");
  return Problem{"MODEL_DIRECTORY_MISSING", path + " is not a directory.", "",
                 "Give the directory of the checkpoint, or the file itself as --config-json."};
}

}  // namespace offload
