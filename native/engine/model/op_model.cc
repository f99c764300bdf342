#include "engine/model/op_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/model/built_in_op_models.h"

namespace offload {

NLOHMANN_JSON_SERIALIZE_ENUM(NormTensor, {{NormTensor::input, "input"},
                                          {NormTensor::inputRows, "inputRows"},
                                          {NormTensor::input32, "input32"},
                                          {NormTensor::mean, "mean"},
                                          {NormTensor::rstd, "rstd"},
                                          {NormTensor::weight, "weight"},
                                          {NormTensor::weight32, "weight32"},
                                          {NormTensor::normalised, "normalised"},
                                          {NormTensor::normalised32, "normalised32"},
                                          {NormTensor::centred32, "centred32"},
                                          {NormTensor::centredAgain32, "centredAgain32"}})

NLOHMANN_JSON_SERIALIZE_ENUM(MlpTensor, {{MlpTensor::gate, "gate"},
                                         {MlpTensor::gateRows, "gateRows"},
                                         {MlpTensor::up, "up"},
                                         {MlpTensor::upRows, "upRows"},
                                         {MlpTensor::activated, "activated"},
                                         {MlpTensor::product, "product"},
                                         {MlpTensor::tanh, "tanh"},
                                         {MlpTensor::halfInput, "halfInput"},
                                         {MlpTensor::onePlusTanh, "onePlusTanh"}})

namespace {

using Json = nlohmann::json;

/// A name that is none would silently become the first one.
template <typename Tensor>
std::vector<Tensor> tensors(const Json& names) {
  std::vector<Tensor> all;
  for (const Json& name : names) {
    all.push_back(name.get<Tensor>());
    if (Json(all.back()) != name) throw std::logic_error("an op model saves an unknown tensor " + name.dump());
  }
  return all;
}

PassCost passCost(const Json& object) {
  return {object.at("bytesPerElement").get<double>(), object.at("operators").get<std::uint32_t>()};
}

OpModel readModel(const Json& object) {
  OpModel model;
  model.name = object.at("name").get<std::string>();
  model.source = object.at("source").get<std::string>();
  model.isComputable = object.at("isComputable").get<bool>();
  if (object.contains("replaces")) model.replaces = object["replaces"].get<std::vector<std::string>>();
  model.activations = object.at("activations").get<std::vector<std::string>>();
  model.timeUncertainty = object.at("timeUncertainty").get<double>();

  const Json& norm = object.at("norm");
  model.normKind = norm.at("kind").get<std::string>();
  model.normSaves = tensors<NormTensor>(norm.at("saves"));
  model.normTransientBytesPerElement = norm.at("backward").value("transientBytesPerElement", 0.0);
  if (object.contains("attention")) model.isFused = object["attention"].at("isFused").get<bool>();
  const Json& mlp = object.at("mlp");
  model.isGated = mlp.at("isGated").get<bool>();
  model.activationSaves = tensors<MlpTensor>(mlp.at("activationSaves"));
  model.mlpSaves = tensors<MlpTensor>(mlp.at("saves"));
  const Json& rotary = object.at("rotary");
  model.costs = {passCost(norm.at("forward")),  passCost(norm.at("backward")), passCost(mlp.at("forward")),
                 passCost(mlp.at("backward")),  passCost(rotary.at("forward")), passCost(rotary.at("backward"))};
  return model;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool OpModel::savesActivated() const {
  return std::find(mlpSaves.begin(), mlpSaves.end(), MlpTensor::activated) != mlpSaves.end();
}

OpModel parseOpModel(std::string_view json) {
  try {
    return readModel(Json::parse(json));
  } catch (const Json::exception& error) {
    throw std::logic_error(std::string("an op model cannot be read: ") + error.what());
  }
}

const std::vector<OpModel>& opModels() {
  static const std::vector<OpModel> models = [] {
    std::vector<OpModel> all;
    for (const std::string_view text : builtInOpModelTexts()) all.push_back(parseOpModel(text));
    return all;
  }();
  return models;
}

const OpModel* findOpModel(std::string_view name) {
  const auto& all = opModels();
  const auto found = std::find_if(all.begin(), all.end(), [&](const OpModel& model) { return model.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const OpModel& defaultOpModel() {
  static const OpModel* const model = findOpModel(kDefaultOpModel);
  if (model == nullptr) throw std::logic_error("the default op model is absent");
  return *model;
}

const OpModel* withActivation(const OpModel& model, std::string_view activation) {
  if (activation.empty() || contains(model.activations, activation)) return &model;
  for (const OpModel& other : opModels()) {
    const bool isSameElsewhere =
        other.normSaves == model.normSaves && other.isGated == model.isGated && other.isFused == model.isFused;
    if (isSameElsewhere && contains(other.activations, activation)) return &other;
  }
  return nullptr;
}

}  // namespace offload
