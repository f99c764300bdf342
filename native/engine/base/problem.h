#pragma once

#include <exception>
#include <string>
#include <utility>

namespace offload {

/// A failure that the user can act on; the same four members as `Problem` in src/core/outcome.ts.
/// `code` is stable and upper snake case, `cause` may be empty.
struct Problem {
  std::string code;
  std::string message;
  std::string cause;
  std::string nextStep;
};

/// Carries a Problem from the place of failure to the engine's boundary, where it becomes a value again.
/// Inside the engine nothing else is thrown on purpose; any other exception is a bug.
class EngineError : public std::exception {
 public:
  explicit EngineError(Problem problem)
      : problem_(std::move(problem)), text_(problem_.code + ": " + problem_.message) {}

  const Problem& problem() const noexcept { return problem_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Problem problem_;
  std::string text_;
};

}  // namespace offload
