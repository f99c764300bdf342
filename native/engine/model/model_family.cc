#include "engine/model/model_family.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "engine/model/decoder_families_text.h"

namespace offload {

NLOHMANN_JSON_SERIALIZE_ENUM(LayerForm, {{LayerForm::before, "before"},
                                         {LayerForm::around, "around"},
                                         {LayerForm::after, "after"},
                                         {LayerForm::parallelOneNorm, "parallelOneNorm"},
                                         {LayerForm::parallelTwoNorms, "parallelTwoNorms"}})

namespace {

using Json = nlohmann::json;

[[noreturn]] void wrong(const std::string& what) { throw std::logic_error("the record of model families " + what); }

/// A name that is none would silently become the first one.
LayerForm layerForm(const Json& name) {
  const auto form = name.get<LayerForm>();
  if (Json(form) != name) wrong("has no form of a layer called " + name.dump());
  return form;
}

std::string opModel(const Json& name) {
  if (findOpModel(name.get<std::string>()) == nullptr) wrong("names an op model that does not exist, " + name.dump());
  return name.get<std::string>();
}

void readMember(ModelFamily& family, const std::string& name, const Json& value) {
  if (name == "isPlainDecoder") {
    family.isPlainDecoder = value.get<bool>();
  } else if (name == "qkNorm") {
    family.qkNorm = value.get<bool>();
  } else if (name == "queryKeyValueBias") {
    family.queryKeyValueBias = value.get<bool>();
  } else if (name == "tiedByDefault") {
    family.tiedByDefault = value.get<bool>();
  } else if (name == "wideMlpByDefault") {
    family.wideMlpByDefault = value.get<bool>();
  } else if (name == "baseName") {
    family.baseName = value.get<std::string>();
  } else if (name == "layersName") {
    family.layersName = value.get<std::string>();
  } else if (name == "opModel") {
    family.opModel = opModel(value);
  } else if (name == "layerForm") {
    family.layerForm = layerForm(value);
  } else if (name == "rotaryShare") {
    family.rotaryShare = value.get<float>();
  } else if (name == "fullEvery") {
    family.fullEvery = value.get<std::uint32_t>();
  } else if (name == "hasTwoRotaryTables") {
    family.hasTwoRotaryTables = value.get<bool>();
  } else if (name != "modelTypes") {
    wrong("has a member " + name);
  }
}

const std::vector<ModelFamily>& families() {
  static const std::vector<ModelFamily> all = parseFamilies(decoderFamiliesText());
  return all;
}

}  // namespace

std::vector<ModelFamily> parseFamilies(std::string_view json) {
  std::vector<ModelFamily> all;
  std::set<std::string> known;
  try {
    const Json record = Json::parse(json);
    for (const Json& row : record.at("families")) {
      ModelFamily family;
      for (const auto& [name, value] : row.items()) readMember(family, name, value);
      for (const Json& modelType : row.at("modelTypes")) {
        family.modelType = modelType.get<std::string>();
        if (!known.insert(family.modelType).second) wrong("has " + family.modelType + " twice");
        all.push_back(family);
      }
    }
  } catch (const Json::exception& error) {
    wrong(std::string("cannot be read: ") + error.what());
  }
  return all;
}

ModelFamily familyOf(std::string_view modelType) {
  const auto row = std::find_if(families().begin(), families().end(),
                                [&](const ModelFamily& family) { return family.modelType == modelType; });
  return row == families().end() ? ModelFamily{} : *row;
}

}  // namespace offload
