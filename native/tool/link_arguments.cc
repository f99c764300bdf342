#include "tool/link_arguments.h"

namespace offload {
namespace {

bool isDevice(std::string_view name) {
  return name == "auto" || name == "cuda" || name == "cpu" || (name.starts_with("sim:") && name.size() > 4);
}

}  // namespace

ParsedLinkArguments parseLinkArguments(const std::vector<std::string_view>& words) {
  LinkArguments parsed;
  bool isDeviceGiven = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (word == "--help" || word == "-h") return HelpAsked{};
    // The only output there is; accepted so that a command line of `offload-lens link` works here.
    if (word == "--json") continue;
    std::string_view value;
    if (word == "--calibrate") {
      if (i + 1 == words.size() || words[i + 1].empty() || words[i + 1].starts_with("--")) return WrongUsage{"--calibrate needs a file."};
      parsed.profilePath = words[++i];
      continue;
    }
    if (word.starts_with("--device=")) {
      value = word.substr(9);
    } else if (word == "--device") {
      if (i + 1 == words.size()) return WrongUsage{"--device needs a value."};
      value = words[++i];
    } else {
      return WrongUsage{"\"" + std::string(word) + "\" is not expected by link."};
    }
    if (isDeviceGiven) return WrongUsage{"--device is given twice."};
    if (!isDevice(value)) return WrongUsage{"--device " + std::string(value) + ": use auto, cuda, cpu or sim:NAME."};
    isDeviceGiven = true;
    parsed.device = value;
  }
  return parsed;
}

std::string_view linkHelpText() {
  return R"(offload-lens-engine link: measure the link between host and device and print it as JSON.

Usage: offload-lens-engine link [--device D]

  --device D  auto, cuda, cpu or sim:NAME (default auto)
  --calibrate FILE.json  measure the device, too, and write a profile that --device sim:FILE.json simulates
  --json      accepted and without effect: JSON is the only output

GB/s are 10^9 bytes per second of large copies, device to host, host to device and the sum while both are under way, with
pinned and with pageable host memory. A pattern is copied and compared.
Exit: 0 fine, 1 it failed or was cancelled, 2 wrong usage.
)";
}

}  // namespace offload
