#include "engine/model/model_dimensions.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "engine/base/shown_value.h"
#include "engine/model/layer_input.h"
#include "engine/model/model_family.h"
#include "engine/model/model_json.h"
#include "engine/model/op_model_choice.h"

namespace offload {
namespace {

using Json = nlohmann::json;
using Names = std::initializer_list<const char*>;

[[noreturn]] void failDimensions(const std::string& message, const std::string& cause) {
  throw EngineError({"MODEL_DIMENSIONS", message, cause, "Correct config.json, or point at the checkpoint that it belongs to."});
}

/// First member of that name that is present and not null.
const Json* findMember(const Json& config, Names names) {
  for (const char* name : names) {
    const auto member = config.find(name);
    if (member != config.end() && !member->is_null()) return &*member;
  }
  return nullptr;
}

std::uint32_t requireInRange(const Json& value, const char* name, std::uint32_t largest) {
  const std::string range = "It must be a whole number from 1 to " + std::to_string(largest) + ".";
  const bool isWhole = value.is_number_integer();
  if (!isWhole) failDimensions(std::string(name) + " is no whole number.", range);
  const bool isInRange = value.is_number_unsigned() ? value.get<std::uint64_t>() >= 1 && value.get<std::uint64_t>() <= largest
                                                    : value.get<std::int64_t>() >= 1 && value.get<std::int64_t>() <= largest;
  if (!isInRange) failDimensions(std::string(name) + " is " + shownValue(value) + ".", range);
  return value.get<std::uint32_t>();
}

std::optional<std::uint32_t> optionalDimension(const Json& config, Names names, std::uint32_t largest) {
  const Json* value = findMember(config, names);
  if (value == nullptr) return std::nullopt;
  return requireInRange(*value, *names.begin(), largest);
}

std::uint32_t requiredDimension(const Json& config, Names names, std::uint32_t largest) {
  const auto value = optionalDimension(config, names, largest);
  if (!value) {
    failDimensions(std::string("config.json does not say ") + *names.begin() + ".",
                   "It must be a whole number from 1 to " + std::to_string(largest) + ".");
  }
  return *value;
}

std::optional<bool> optionalFlag(const Json& config, Names names) {
  const Json* value = findMember(config, names);
  if (value == nullptr || !value->is_boolean()) return std::nullopt;
  return value->get<bool>();
}

/// A name that can be shown as it is: short, printable ASCII; anything else counts as absent.
std::string plainName(const Json* value) {
  constexpr std::size_t kLongest = 128;
  if (value == nullptr || !value->is_string()) return {};
  std::string name = value->get<std::string>();
  const bool isPlain =
      name.size() <= kLongest && std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return isPlain ? name : std::string();
}

float positiveNumber(const Json& config, Names names, float fallback) {
  const Json* value = findMember(config, names);
  if (value == nullptr) return fallback;
  const double number = value->is_number() ? value->get<double>() : -1.0;
  if (!(number > 0) || !std::isfinite(static_cast<float>(number))) {
    failDimensions(std::string(*names.begin()) + " is " + shownValue(*value) + ".", "It must be a number above 0.");
  }
  return static_cast<float>(number);
}

/// rope_theta of the config, of its `rope_parameters`, or of the entry for full attention in there.
float readRopeTheta(const Json& config) {
  const Json* parameters = findMember(config, {"rope_parameters"});
  if (parameters != nullptr && parameters->is_object()) {
    const Json* full = findMember(*parameters, {"full_attention"});
    const Json& where = full != nullptr && full->is_object() ? *full : *parameters;
    if (findMember(where, {"rope_theta"}) != nullptr) return positiveNumber(where, {"rope_theta"}, 10000.0f);
  }
  return positiveNumber(config, {"rope_theta"}, 10000.0f);
}

std::uint32_t readIntermediate(const Json& config, const ModelFamily& family, std::uint32_t hidden) {
  const auto given = optionalDimension(
      config, {"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"}, kMaxIntermediate);
  if (given) return *given;
  const auto expert = optionalDimension(config, {"moe_intermediate_size"}, kMaxIntermediate);
  if (expert) {
    const std::uint64_t active = optionalDimension(config, {"num_experts_per_tok"}, kMaxHeads).value_or(1);
    return requireInRange(Json(*expert * active), "moe_intermediate_size * num_experts_per_tok", kMaxIntermediate);
  }
  if (family.wideMlpByDefault) return requireInRange(Json(std::uint64_t{4} * hidden), "intermediate_size", kMaxIntermediate);
  return requiredDimension(config, {"intermediate_size"}, kMaxIntermediate);
}

void readHeads(const Json& config, ModelDimensions& model) {
  model.heads = requiredDimension(config, {"num_attention_heads", "n_head", "n_heads"}, kMaxHeads);
  model.keyValueHeads = optionalDimension(config, {"num_key_value_heads", "num_kv_heads"}, kMaxHeads).value_or(model.heads);
  if (model.heads % model.keyValueHeads != 0) {
    failDimensions("The attention heads do not divide into groups.",
                   "num_attention_heads (" + std::to_string(model.heads) + ") must be a multiple of num_key_value_heads (" +
                       std::to_string(model.keyValueHeads) + ").");
  }
  const auto headDim = optionalDimension(config, {"head_dim"}, kMaxHeadDim);
  if (!headDim && model.hidden % model.heads != 0) {
    failDimensions("head_dim is absent and does not follow.", "hidden_size (" + std::to_string(model.hidden) +
                                                                  ") must be a multiple of num_attention_heads (" +
                                                                  std::to_string(model.heads) + ").");
  }
  model.headDim = headDim.value_or(model.hidden / model.heads);
  if (model.headDim % 2 != 0 || model.headDim > kMaxHeadDim) {
    failDimensions("head_dim is " + std::to_string(model.headDim) + ".",
                   "Rotary positions turn pairs: it must be an even number from 2 to " + std::to_string(kMaxHeadDim) + ".");
  }
}

bool hasOtherAttention(const Json& config, bool isSimulated) {
  const Json* kinds = findMember(config, {"layer_types"});
  if (kinds == nullptr || !kinds->is_array()) return false;
  for (const Json& kind : *kinds) {
    if (!kind.is_string() || kind == "full_attention" || (isSimulated && kind == "sliding_attention")) continue;
    return true;
  }
  return false;
}

/// Which layers have a window, and how wide it is.
void readWindow(const Json& config, const ModelFamily& family, ModelDimensions& model) {
  const Json* window = findMember(config, {"sliding_window"});
  if (window == nullptr || !window->is_number_unsigned() || *window == 0 || optionalFlag(config, {"use_sliding_window"}) == false) return;
  model.slidingWindow = static_cast<std::uint32_t>(std::min<std::uint64_t>(window->get<std::uint64_t>(), UINT32_MAX));
  const Json* kinds = findMember(config, {"layer_types"});
  const bool isListed = kinds != nullptr && kinds->is_array();
  for (std::uint32_t layer = 0; layer < model.layers; ++layer) {
    const bool isSliding = isListed ? layer < kinds->size() && (*kinds)[layer] == "sliding_attention"
                                    : family.fullEvery == 0 || (layer + 1) % family.fullEvery != 0;
    if (isSliding) model.slidingLayers.insert(layer);
  }
}

/// Form of the layers and what their attention holds beside its operands.
void readLayerForm(const Json& config, const ModelFamily& family, ModelDimensions& model) {
  model.layerForm = family.layerForm;
  const auto parallel = optionalFlag(config, {"use_parallel_residual", "parallel_attn"});
  if (isParallel(family.layerForm) && parallel == false) model.layerForm = LayerForm::before;
  const Json* share = findMember(config, {"partial_rotary_factor", "rotary_pct"});
  const double rotated = share != nullptr && share->is_number() ? share->get<double>() : static_cast<double>(family.rotaryShare);
  if (rotated > 0 && rotated <= 1) model.rotaryDim = std::max(2u, static_cast<std::uint32_t>(rotated * model.headDim) / 2 * 2);
  model.hasTwoRotaryTables = family.hasTwoRotaryTables;
  readWindow(config, family, model);
}

void readStreams(const LayerInput& input, bool isSimulated, ModelDimensions& model) {
  model.residualStreams = input.streams;
  // All streams of a token are one row of a layer's input: its bytes have to stay inside 64 bits, too.
  requireInRange(Json(std::uint64_t{input.streams} * model.hidden), "hidden_size * residual streams", kMaxIntermediate);
  constexpr std::uint32_t kElementsOfPack = 8;
  if (input.streams > 1 && !isSimulated && model.hidden % kElementsOfPack != 0) {
    failDimensions("hidden_size is " + std::to_string(model.hidden) + ".",
                   "With several residual streams the kernels take a multiple of 8; a simulated device takes any.");
  }
}

/// A list of layer numbers; what is no number of a layer counts for nothing.
std::set<std::uint32_t> layerNumbers(const Json* list) {
  std::set<std::uint32_t> numbers;
  if (list == nullptr || !list->is_array()) return numbers;
  for (const Json& each : *list) {
    if (each.is_number_unsigned() && each.get<std::uint64_t>() < kMaxLayers) numbers.insert(each.get<std::uint32_t>());
  }
  return numbers;
}

std::uint32_t countOrZero(const Json& config, Names names, std::uint32_t largest) {
  const Json* value = findMember(config, names);
  if (value == nullptr || *value == 0) return 0;
  return requireInRange(*value, *names.begin(), largest);
}

void readMixture(const Json& config, ModelDimensions& model) {
  Mixture& mixture = model.mixture;
  mixture.experts = countOrZero(config, {"num_experts", "num_local_experts", "n_routed_experts"}, kMaxExperts);
  if (mixture.experts == 0) return;
  mixture.expertsPerToken = requiredDimension(config, {"num_experts_per_tok", "num_experts_per_token", "top_k_experts"}, kMaxExperts);
  if (mixture.expertsPerToken > mixture.experts) {
    failDimensions("num_experts_per_tok is " + std::to_string(mixture.expertsPerToken) + ".",
                   "It must be from 1 to the number of experts, " + std::to_string(mixture.experts) + ".");
  }
  mixture.intermediate = requiredDimension(config, {"moe_intermediate_size", "intermediate_size"}, kMaxIntermediate);
  // Sorted tokens are as many as experts per token times the tokens: their bytes have to stay inside 64 bits, too.
  const std::uint64_t sortedWidth = std::uint64_t{mixture.expertsPerToken} * std::max(model.hidden, mixture.intermediate);
  requireInRange(Json(sortedWidth), "num_experts_per_tok * the larger of hidden_size and moe_intermediate_size", kMaxIntermediate);
  mixture.sharedIntermediate = countOrZero(config, {"shared_expert_intermediate_size"}, kMaxIntermediate);
  const std::uint64_t shared = std::uint64_t{countOrZero(config, {"n_shared_experts"}, kMaxExperts)} * mixture.intermediate;
  if (mixture.sharedIntermediate == 0 && shared > 0) {
    mixture.sharedIntermediate = requireInRange(Json(shared), "n_shared_experts * moe_intermediate_size", kMaxIntermediate);
  }
  mixture.firstSparse = countOrZero(config, {"first_k_dense_replace"}, kMaxLayers);
  mixture.sparseStep = std::max(1u, countOrZero(config, {"decoder_sparse_step", "moe_layer_freq"}, kMaxLayers));
  mixture.dense = layerNumbers(findMember(config, {"mlp_only_layers"}));
}

ConfigTraits configTraits(const Json& config) {
  ConfigTraits traits;
  traits.activation = plainName(findMember(config, {"hidden_activation", "hidden_act", "activation_function", "activation"}));
  traits.hasLayerNorms = findMember(config, {"layer_norm_epsilon", "layer_norm_eps"}) != nullptr &&
                         findMember(config, {"rms_norm_eps"}) == nullptr;
  return traits;
}

void noteVision(const Json& outer, ModelDimensions& model) {
  if (findMember(outer, {"vision_config"}) == nullptr) return;
  model.warnings.push_back({"VISION_UNKNOWN",
                            "The figures are those of the language model. How much the vision tower adds depends on the number of "
                            "image tokens, which a configuration does not say."});
}

/// How a layer runs whose family may do otherwise.
std::string layerForm(const OpModel& opModel) {
  return "each layer runs as " + opModel.normKind + " norms, rotary attention and " +
         (opModel.isGated ? "a SwiGLU MLP" : "an MLP without a gate") + ", which this family may do otherwise";
}

void noteApproximations(const Json& config, bool isNested, const ModelFamily& family, bool isSimulated,
                        const ChosenOpModel& chosen, const LayerInput& input, ModelDimensions& model) {
  std::string differences;
  const auto differs = [&](const std::string& what) { differences += (differences.empty() ? "" : "; ") + what; };
  if (isNested && !isSimulated) differs("only the language model runs, no vision or audio tower");
  if (findMember(config, {"num_experts", "num_local_experts", "n_routed_experts"}) != nullptr) {
    if (isSimulated) {
      differs("the experts run as grouped products of sorted tokens, evenly spread");
    } else {
      differs("the experts run as one dense MLP of width " + std::to_string(model.intermediate) + " without a router");
    }
  } else if (!family.isPlainDecoder || (!isSimulated && family.layerForm != LayerForm::before)) {
    differs(layerForm(*model.opModel));
  }
  if (!input.difference.empty()) differs(input.difference);
  if (!chosen.difference.empty()) differs(chosen.difference);
  if (findMember(config, {"kv_lora_rank"}) != nullptr) differs("latent attention runs as plain grouped attention");
  if (hasOtherAttention(config, isSimulated)) differs("sliding-window or linear attention runs as full causal attention");
  if (differences.empty()) return;
  const std::string name = model.modelType.empty() ? std::string("This model") : model.modelType;
  model.warnings.push_back({"MODEL_APPROXIMATED", name + " is run as the nearest dense decoder: " + differences +
                                                      ". Bytes and times are estimates for it."});
}

void requireLayers(std::uint32_t asked, std::uint32_t present) {
  if (asked >= 1 && asked <= present) return;
  const std::string most = std::to_string(present);
  throw EngineError({"LAYERS_OUT_OF_RANGE", std::to_string(asked) + " layers are asked for.", "The model has " + most + ".",
                     "Ask for 1 to " + most + " layers, or for no number to run all."});
}

ModelDimensions readDimensions(const Json& outer, std::optional<std::uint32_t> layers, bool isSimulated,
                               std::string_view askedOpModel) {
  const Json* nested = findMember(outer, {"text_config"});
  const bool isNested = nested != nullptr && nested->is_object();
  const Json& config = isNested ? *nested : outer;

  ModelDimensions model;
  model.modelType = plainName(findMember(config, {"model_type"}));
  if (model.modelType.empty()) model.modelType = plainName(findMember(outer, {"model_type"}));
  const Json* architectures = findMember(outer, {"architectures"});
  if (architectures != nullptr && architectures->is_array() && !architectures->empty()) {
    model.architecture = plainName(&architectures->front());
  }
  const ModelFamily family = familyOf(model.modelType);
  model.baseName = isNested ? "model.language_model" : family.baseName;
  model.layersName = family.layersName;

  model.hidden = requiredDimension(config, {"hidden_size", "n_embd", "d_model"}, kMaxWidth);
  model.intermediate = readIntermediate(config, family, model.hidden);
  model.layers = requiredDimension(config, {"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, kMaxLayers);
  model.vocab = requiredDimension(config, {"vocab_size"}, kMaxVocab);
  readHeads(config, model);
  model.normEpsilon = positiveNumber(config, {"rms_norm_eps", "layer_norm_epsilon", "layer_norm_eps", "norm_eps"}, 1e-6f);
  model.ropeTheta = readRopeTheta(config);
  model.qkNorm = family.qkNorm;
  const auto bias = optionalFlag(config, {"attention_bias", "use_bias"});
  model.queryKeyValueBias = family.queryKeyValueBias || bias.value_or(false);
  model.outputBias = !family.queryKeyValueBias && bias.value_or(false);
  if (const auto outputBias = optionalFlag(config, {"attention_out_bias"})) model.outputBias = *outputBias;
  const auto tied = optionalFlag(config, {"tie_word_embeddings"});
  model.tiedEmbeddings = tied ? *tied : optionalFlag(outer, {"tie_word_embeddings"}).value_or(family.tiedByDefault);

  if (isSimulated) readMixture(config, model);
  if (isSimulated) readLayerForm(config, family, model);
  const ChosenOpModel chosen = chooseOpModel(askedOpModel, family, configTraits(config), isSimulated);
  model.opModel = chosen.model;
  const LayerInput input = layerInputOf(model.modelType, config);
  readStreams(input, isSimulated, model);
  noteApproximations(config, isNested, family, isSimulated, chosen, input, model);
  if (isSimulated) noteVision(outer, model);
  if (layers) {
    requireLayers(*layers, model.layers);
    model.layers = *layers;
  }
  return model;
}

}  // namespace

std::variant<ModelDimensions, Problem> readModelDimensions(std::string_view configJson, std::optional<std::uint32_t> layers,
                                                           bool isSimulated, std::string_view opModel) {
  const Json config = parseModelJson(configJson);
  if (config.is_discarded() || !config.is_object()) {
    return Problem{"MODEL_CONFIG_INVALID", "config.json cannot be read.",
                   config.is_discarded() ? "It is not valid JSON." : "It holds no JSON object.",
                   "Check the file, or copy it again from the checkpoint."};
  }
  try {
    return readDimensions(config, layers, isSimulated, opModel);
  } catch (const EngineError& error) {
    Problem problem = error.problem();
    // It was read all the same: no JSON can only mean the numbers that Python writes.
    if (problem.message.starts_with("config.json does not say") && !Json::accept(configJson)) {
      problem.cause += " NaN and Infinity, which the file holds, are no JSON numbers: they count as absent.";
    }
    return problem;
  }
}

}  // namespace offload
