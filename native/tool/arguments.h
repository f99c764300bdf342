#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/profile/profile.h"
#include "tool/flags.h"

namespace offload {

/// A well-formed command line. `request.configJson` is still empty: it comes from `modelPath`.
struct ToolArguments {
  std::string modelPath;
  bool isDirectory = false;  ///< a checkpoint directory with a config.json, else that file itself
  ProfileRequest request;
};

using ParsedArguments = std::variant<ToolArguments, HelpAsked, VersionAsked, WrongUsage>;

/// Parses the flags of `profile` in the headless interface, with or without the word `profile` in front; the values of
/// repeated flags run up to the next flag. `--config` is refused: reading verl configs needs Node. Ranges of numbers are those
/// of `checkRequest`. Pure; touches no file.
ParsedArguments parseArguments(const std::vector<std::string_view>& arguments);

/// Text of --help.
std::string helpText();

}  // namespace offload
