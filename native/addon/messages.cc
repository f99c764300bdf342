#include "addon/messages.h"

#include <nlohmann/json.hpp>

namespace offload {
namespace {

std::string textOf(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json membersOf(const Problem& problem) {
  nlohmann::ordered_json members{{"code", problem.code}, {"message", problem.message}};
  if (!problem.cause.empty()) members["cause"] = problem.cause;
  members["nextStep"] = problem.nextStep;
  return members;
}

}  // namespace

std::string problemJson(const Problem& problem) {
  nlohmann::ordered_json document;
  document["problem"] = membersOf(problem);
  return textOf(document);
}

std::string unsavedJson(const Problem& problem, const std::string& resultJson) {
  nlohmann::ordered_json document;
  document["problem"] = membersOf(problem);
  document["resultJson"] = resultJson;
  return textOf(document);
}

std::string progressJson(const Progress& progress) {
  return textOf({{"phase", progress.phase}, {"fraction", progress.fraction}, {"message", progress.message}});
}

}  // namespace offload
