#include "addon/messages.h"

#include <nlohmann/json.hpp>

namespace offload {
namespace {

std::string textOf(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

std::string problemJson(const Problem& problem) {
  nlohmann::ordered_json members{{"code", problem.code}, {"message", problem.message}};
  if (!problem.cause.empty()) members["cause"] = problem.cause;
  members["nextStep"] = problem.nextStep;
  nlohmann::ordered_json document;
  document["problem"] = std::move(members);
  return textOf(document);
}

std::string progressJson(const Progress& progress) {
  return textOf({{"phase", progress.phase}, {"fraction", progress.fraction}, {"message", progress.message}});
}

}  // namespace offload
