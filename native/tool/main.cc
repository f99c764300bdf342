#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "devices/open_device.h"
#include "engine/base/visible_text.h"
#include "engine/profile/profile.h"
#include "link/link.h"
#include "tool/arguments.h"
#include "tool/cancel_watch.h"
#include "tool/link_arguments.h"
#include "tool/model_config.h"
#include "tool/write_calibration.h"

namespace {

using offload::Problem;

constexpr int kFine = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

std::atomic<bool> cancelled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void cancelOnSignal(int) { cancelled = true; }

/// The first Ctrl-C or termination cancels, the second ends the process at once. A file that may not grow further is an
/// error of writing, not a reason to die with a part of it left behind.
void watchSignals() {
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = cancelOnSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void print(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

/// Says one line to the user: words of his command line and names of files can neither steer the terminal nor forge a line.
void say(std::string_view line) { print(stderr, offload::visibleLine(line) + "\n"); }

int fail(const Problem& problem) {
  const std::string cause = problem.cause.empty() ? "" : " " + problem.cause;
  say(problem.code + ": " + problem.message + cause + " " + problem.nextStep);
  return kFailed;
}

/// The end of a process whose run does not come back from a cancel in time.
[[noreturn]] void endCancelled() {
  if (isatty(STDERR_FILENO) == 1) print(stderr, "\r\x1b[K");
  _exit(fail({"CANCELLED", "The run was cancelled.", "", "Start it again when you want its result."}));
}

/// One line on stderr that is rewritten in place; nothing where stderr is not a terminal.
class ProgressLine {
 public:
  void show(const offload::Progress& progress) {
    if (!isTerminal_) return;
    const std::string percent = std::to_string(static_cast<int>(progress.fraction * 100));
    print(stderr, "\r\x1b[K" + percent + " %  " + offload::visibleLine(progress.message));
    isShown_ = true;
  }
  void clear() {
    if (isShown_) print(stderr, "\r\x1b[K");
  }

 private:
  bool isTerminal_ = isatty(STDERR_FILENO) == 1;
  bool isShown_ = false;
};

/// To standard output, whole or with a message.
int printOut(std::string_view text) {
  // JSON, whose values stay the same, or lines of our own.
  print(stdout, offload::visibleLines(text));
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return kFine;
  return fail({"OUTPUT_FAILED", "The result could not be written to standard output.", "", "Check where the output goes: a full disk?"});
}

int profile(offload::ToolArguments arguments) {
  auto config = offload::readModelConfig(arguments.modelPath, arguments.isDirectory);
  if (const auto* problem = std::get_if<Problem>(&config)) return fail(*problem);
  arguments.request.configJson = std::move(std::get<std::string>(config));
  if (const auto problem = offload::checkRequest(arguments.request)) {
    fail(*problem);
    return problem->code == "REQUEST_INVALID" ? kWrongUsage : kFailed;
  }
  watchSignals();
  ProgressLine line;
  const auto outcome = [&] {
    offload::CancelWatch watch(cancelled, endCancelled);
    return offload::runProfile(
        arguments.request, offload::openDevice,
        [&](const offload::Progress& progress) {
          if (progress.phase == "save") watch.beginSave();
          line.show(progress);
        },
        cancelled);
  }();
  line.clear();
  if (const auto* problem = std::get_if<Problem>(&outcome)) return fail(*problem);
  const auto& [resultJson, saveProblem] = std::get<offload::ProfileOutcome>(outcome);
  // The run took minutes: its result is printed whether or not it could be saved.
  const int printed = printOut(resultJson + "\n");
  return saveProblem ? fail(*saveProblem) : printed;
}

int link(const std::vector<std::string_view>& words) {
  const offload::ParsedLinkArguments parsed = offload::parseLinkArguments(words);
  if (const auto* wrong = std::get_if<offload::WrongUsage>(&parsed)) {
    say(wrong->message);
    say("See `offload-lens-engine link --help`.");
    return kWrongUsage;
  }
  if (std::holds_alternative<offload::HelpAsked>(parsed)) return printOut(offload::linkHelpText());
  watchSignals();
  const auto& arguments = std::get<offload::LinkArguments>(parsed);
  const auto outcome = [&] {
    const offload::CancelWatch watch(cancelled, endCancelled);
    return offload::runLink(arguments.device, offload::openDevice, cancelled, !arguments.profilePath.empty());
  }();
  if (const auto* problem = std::get_if<Problem>(&outcome)) return fail(*problem);
  // What was measured is printed whether or not it can be saved.
  const int printed = printOut(std::get<std::string>(outcome) + "\n");
  if (!arguments.profilePath.empty()) {
    if (const auto problem = offload::writeCalibration(arguments.profilePath, std::get<std::string>(outcome))) return fail(*problem);
  }
  return printed;
}

int run(const std::vector<std::string_view>& words) {
  if (!words.empty() && words.front() == "link") return link({words.begin() + 1, words.end()});
  const offload::ParsedArguments parsed = offload::parseArguments(words);
  if (const auto* wrong = std::get_if<offload::WrongUsage>(&parsed)) {
    say(wrong->message);
    say("See `offload-lens-engine --help`.");
    return kWrongUsage;
  }
  if (std::holds_alternative<offload::HelpAsked>(parsed)) {
    return printOut(offload::helpText());
  }
  if (std::holds_alternative<offload::VersionAsked>(parsed)) {
    return printOut("offload-lens-engine " OFFLOAD_VERSION "\n");
  }
  return profile(std::get<offload::ToolArguments>(parsed));
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(std::vector<std::string_view>(words + (count > 0 ? 1 : 0), words + count));
  } catch (const std::bad_alloc&) {
    return fail({"HOST_OUT_OF_MEMORY", "The engine ran out of memory.", "", "Use fewer layers or a shorter sequence."});
  } catch (const std::exception& error) {
    return fail({"ENGINE_BUG", "The engine failed in a way that it should not.", error.what(), "Please report this with the command line."});
  }
}
