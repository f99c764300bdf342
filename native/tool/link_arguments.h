#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tool/flags.h"

namespace offload {

struct LinkArguments {
  std::string device = "auto";
  std::string profilePath;   ///< where a calibration goes; empty for none
};

using ParsedLinkArguments = std::variant<LinkArguments, HelpAsked, WrongUsage>;

/// Parses what follows the word `link`. Pure; touches no file.
ParsedLinkArguments parseLinkArguments(const std::vector<std::string_view>& words);

/// Text of link --help.
std::string linkHelpText();

}  // namespace offload
