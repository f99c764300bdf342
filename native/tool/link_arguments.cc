#include "tool/link_arguments.h"

namespace offload {
namespace {

const std::vector<Flag<LinkArguments>>& flags() {
  static const std::vector<Flag<LinkArguments>> table = {
      {"--device", "D", Takes::value, "auto, cuda, cpu or sim:NAME (default auto)",
       [](LinkArguments& to, const GivenFlag& given) { to.device = deviceName(given); }},
      {"--calibrate", "FILE.json", Takes::value,
       "measure the device, too, and write a profile that --device sim:FILE.json simulates",
       [](LinkArguments& to, const GivenFlag& given) { to.profilePath = path(given); }},
      // A command line of `offload-lens link` works here, too.
      {"--json", "", Takes::nothing, "accepted and without effect: JSON is the only output"},
  };
  return table;
}

}  // namespace

ParsedLinkArguments parseLinkArguments(const std::vector<std::string_view>& words) {
  LinkArguments parsed;
  const auto read = readFlags(words, flags(), "link", false, parsed);
  if (std::holds_alternative<HelpAsked>(read)) return HelpAsked{};
  if (const auto* wrong = std::get_if<WrongUsage>(&read)) return *wrong;
  return parsed;
}

std::string linkHelpText() {
  return R"(offload-lens-engine link: measure the link between host and device and print it as JSON.

Usage: offload-lens-engine link [options]

)" + flagList(flags()) +
         R"(
GB/s are 10^9 bytes per second of large copies, device to host, host to device and the sum while both are under way, with
pinned and with pageable host memory. A pattern is copied and compared.
Exit: 0 fine, 1 it failed or was cancelled, 2 wrong usage.
)";
}

}  // namespace offload
