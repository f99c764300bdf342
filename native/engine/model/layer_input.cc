#include "engine/model/layer_input.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/problem.h"
#include "engine/base/shown_value.h"
#include "engine/model/layer_inputs_text.h"

namespace offload {
namespace {

using Json = nlohmann::json;

const Json& familyRecords() {
  static const Json records = Json::parse(layerInputsText()).at("families");
  return records;
}

const Json* recordOf(std::string_view modelType) {
  const Json& records = familyRecords();
  const auto record = std::find_if(records.begin(), records.end(), [&](const Json& each) {
    const Json& types = each.at("modelTypes");
    return std::find(types.begin(), types.end(), modelType) != types.end();
  });
  return record == records.end() ? nullptr : &*record;
}

const Json* memberOf(const Json& config, const std::string& name) {
  const auto member = config.find(name);
  return member == config.end() || member->is_null() ? nullptr : &*member;
}

std::uint32_t countOfStreams(const Json& rule, const Json& config) {
  const auto key = rule.at("key").get<std::string>();
  const Json* value = memberOf(config, key);
  if (value == nullptr) return rule.at("default").get<std::uint32_t>();
  if (!value->is_number_integer() || *value < 1 || *value > kMaxStreams) {
    throw EngineError({"MODEL_DIMENSIONS", key + " is " + shownValue(*value) + ".",
                       "It must be a whole number from 1 to " + std::to_string(kMaxStreams) + ".",
                       "Correct config.json, or point at the checkpoint that it belongs to."});
  }
  return value->get<std::uint32_t>();
}

bool holdsFloat32(const Json& rule, const Json& config) {
  const Json* value = rule.contains("key") ? memberOf(config, rule.at("key").get<std::string>()) : nullptr;
  return value != nullptr && value->is_boolean() ? value->get<bool>() : rule.at("default").get<bool>();
}

/// A key that means residual streams in a family of the record, in one that is not there.
std::string unknownStreams(const Json& config) {
  for (const Json& record : familyRecords()) {
    if (!record.contains("streams")) continue;
    const auto key = record.at("streams").at("key").get<std::string>();
    const Json* value = memberOf(config, key);
    if (value == nullptr || !value->is_number_integer() || *value < 2) continue;
    return "config.json says " + key + " " + shownValue(*value) +
           ", residual streams in other families: here a layer's input is taken as one, so it may be that many times as large";
  }
  return {};
}

}  // namespace

LayerInput layerInputOf(std::string_view modelType, const Json& config) {
  LayerInput input;
  const Json* record = recordOf(modelType);
  if (record == nullptr) {
    input.difference = unknownStreams(config);
    return input;
  }
  if (record->contains("streams")) input.streams = countOfStreams(record->at("streams"), config);
  if (input.streams > 1) {
    input.difference = "a layer's input has all " + std::to_string(input.streams) +
                       " residual streams, but they are mixed by plain sums, which save and compute less than the family's own";
  }
  if (record->contains("float32") && holdsFloat32(record->at("float32"), config)) {
    input.difference = "its residual is held in fp32 unless FSDP casts it, here in bf16: a layer's input may be twice as large";
  }
  return input;
}

}  // namespace offload
