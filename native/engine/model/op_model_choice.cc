#include "engine/model/op_model_choice.h"

#include <algorithm>
#include <stdexcept>

#include "engine/base/problem.h"
#include "engine/base/shown_value.h"

namespace offload {
namespace {

std::string knownNames() {
  std::string names;
  for (const OpModel& model : opModels()) names += (names.empty() ? "" : ", ") + model.name;
  return names;
}

const OpModel& requireOpModel(std::string_view name) {
  if (const OpModel* model = findOpModel(name)) return *model;
  throw EngineError({"OP_MODEL_UNKNOWN", "There is no op model " + shownValue(std::string(name)) + ".",
                     "Known are " + knownNames() + ".", "Use one of these, or none for the one of the model's family."});
}

const OpModel& familyModel(const ModelFamily& family, const ConfigTraits& traits) {
  const bool isKnown = !family.modelType.empty();
  const OpModel* model = findOpModel(!isKnown && traits.hasLayerNorms ? "layernorm-gelu" : family.opModel);
  if (model == nullptr) throw std::logic_error("a family names an op model that does not exist");
  return *model;
}

bool replaces(const OpModel& model, const OpModel& other) {
  return &model == &other || std::find(model.replaces.begin(), model.replaces.end(), other.name) != model.replaces.end();
}

ChosenOpModel askedModel(const OpModel& asked, const OpModel& own, bool isSimulated) {
  if (!isSimulated && !asked.isComputable) {
    throw EngineError({"OP_MODEL_SIMULATED_ONLY", "The op model " + asked.name + " runs on simulated devices only.",
                       "The kernels compute what " + std::string(kDefaultOpModel) + " saves.",
                       "Use --device sim:NAME, or leave the op model out."});
  }
  if (replaces(asked, own)) return {&asked, ""};
  return {&asked, "its norms and MLP save what " + asked.name + " saves, its own code saves what " + own.name + " does"};
}

}  // namespace

ChosenOpModel chooseOpModel(std::string_view asked, const ModelFamily& family, const ConfigTraits& traits, bool isSimulated) {
  const OpModel& ofFamily = familyModel(family, traits);
  const OpModel* const own = withActivation(ofFamily, traits.activation);
  if (!asked.empty()) return askedModel(requireOpModel(asked), own == nullptr ? ofFamily : *own, isSimulated);

  const OpModel& nearest = own == nullptr ? ofFamily : *own;
  if (!isSimulated && !nearest.isComputable) {
    return {&defaultOpModel(), family.isPlainDecoder ? "its norms and MLP run as those of " + std::string(kDefaultOpModel) : ""};
  }
  if (own != nullptr) return {own, ""};
  return {&ofFamily, "the activation " + traits.activation + " runs as " + ofFamily.activations.front()};
}

}  // namespace offload
