#include "engine/model/decoder_model.h"

#include <optional>

#include "engine/model/expert_operators.h"
#include "engine/model/residual_streams.h"
#include "engine/tape/reentrant_checkpoint.h"

namespace offload {
namespace {

constexpr float kInitialDeviation = 0.02f;
/// Pairs of tokens that a mask can hold: keeps the sum over layers and steps inside 64 bits.
constexpr std::uint64_t kMostMaskedPairs = std::uint64_t{1} << 40;

}  // namespace

DecoderModel::DecoderModel(Autograd& autograd, const ModelDimensions& dimensions, ElementType element, std::uint64_t seed,
                           Sharding* sharding, ModelUse use)
    : autograd_(autograd),
      dimensions_(dimensions),
      opModel_(*dimensions.opModel),
      element_(element),
      nextSeed_(seed * 1000003 + 1),
      sharding_(sharding),
      modules_(decoderModules(dimensions)),
      use_(use) {
  const PartScope part(autograd.executor(), MemoryPart::parameters);
  embedding_ = addWeight("embed_tokens", {dimensions_.vocab, dimensions_.hidden});
  for (std::size_t index = 0; index < dimensions_.layers; ++index) addLayer(index);
  norm_ = addConstant("norm", dimensions_.hidden, 1.0f);
  if (!dimensions_.tiedEmbeddings && use_ == ModelUse::wholeStep) {
    headWeight_ = addWeight("lm_head", {dimensions_.vocab, dimensions_.hidden});
  } else if (!dimensions_.tiedEmbeddings) {
    Executor& executor = autograd_.executor();
    lmHead_ = executor.allocate(Layout::contiguous(tensorType(element_), {dimensions_.vocab, dimensions_.hidden}));
    executor.launch("fill lm_head", FillNormal{element_, lmHead_.address(), lmHead_.layout.elementCount(), nextSeed_++,
                                               kInitialDeviation});
  }
}

Parameter& DecoderModel::addParameter(const std::string& name, std::initializer_list<std::uint64_t> shape) {
  Executor& executor = autograd_.executor();
  const Layout layout = Layout::contiguous(tensorType(element_), shape);
  Parameter& parameter = parameters_.emplace_back();
  parameter.name = name;
  parameter.value = sharding_ != nullptr ? sharding_->allocatePart(layout) : executor.allocate(layout);
  if (sharding_ != nullptr) {
    const bool isOfLayer = executor.layer() != kNoLayer;
    sharding_->add(isOfLayer ? std::optional(static_cast<std::size_t>(executor.layer())) : std::nullopt, parameter);
  }
  return parameter;
}

Parameter* DecoderModel::addWeight(const std::string& name, std::initializer_list<std::uint64_t> shape) {
  Executor& executor = autograd_.executor();
  Parameter& parameter = addParameter(name, shape);
  executor.launch("fill weights", FillNormal{element_, parameter.value.address(), parameter.value.layout.elementCount(),
                                             nextSeed_++, kInitialDeviation});
  autograd_.attachLeaf(parameter);
  return &parameter;
}

Parameter* DecoderModel::addConstant(const std::string& name, std::uint32_t width, float value) {
  Executor& executor = autograd_.executor();
  Parameter& parameter = addParameter(name, {width});
  executor.launch("fill weights", FillConstant{element_, parameter.value.address(), width, value});
  autograd_.attachLeaf(parameter);
  return &parameter;
}

DecoderModel::Projection DecoderModel::addProjection(const std::string& name, std::uint32_t in, std::uint32_t out,
                                                     bool hasBias) {
  Projection projection;
  projection.weight = addWeight(name + ".weight", {out, in});
  if (hasBias) projection.bias = addConstant(name + ".bias", out, 0.0f);
  return projection;
}

void DecoderModel::addLayer(std::size_t index) {
  const ModelDimensions& d = dimensions_;
  const LayerScope layerScope(autograd_.executor(), static_cast<std::int32_t>(index));
  const std::string name = "layers." + std::to_string(index) + ".";
  const std::uint32_t queryWidth = d.heads * d.headDim;
  const std::uint32_t keyValueWidth = d.keyValueHeads * d.headDim;
  LayerWeights weights;
  if (opModel_.isFused) {
    weights.query = addProjection(name + "qkv_proj", d.hidden, queryWidth + 2 * keyValueWidth, d.queryKeyValueBias);
  } else {
    weights.query = addProjection(name + "q_proj", d.hidden, queryWidth, d.queryKeyValueBias);
    weights.key = addProjection(name + "k_proj", d.hidden, keyValueWidth, d.queryKeyValueBias);
    weights.value = addProjection(name + "v_proj", d.hidden, keyValueWidth, d.queryKeyValueBias);
  }
  weights.output = addProjection(name + "o_proj", queryWidth, d.hidden, d.outputBias);
  if (d.qkNorm) {
    weights.queryNorm = addConstant(name + "q_norm", d.headDim, 1.0f);
    weights.keyNorm = addConstant(name + "k_norm", d.headDim, 1.0f);
  }
  const bool isSparse = d.mixture.isSparse(static_cast<std::uint32_t>(index));
  if (isSparse) addExperts(name, weights);
  const std::uint32_t intermediate = isSparse ? d.mixture.sharedIntermediate : d.intermediate;
  if (intermediate > 0) {
    if (opModel_.isGated) weights.gate = addProjection(name + "gate_proj", d.hidden, intermediate, false);
    weights.up = addProjection(name + "up_proj", d.hidden, intermediate, false);
    weights.down = addProjection(name + "down_proj", intermediate, d.hidden, false);
  }
  addNorms(name, weights);
  layers_.push_back(weights);
}

void DecoderModel::addNorms(const std::string& name, LayerWeights& weights) {
  const LayerForm form = dimensions_.layerForm;
  const auto norm = [&](const char* which) { return addConstant(name + which, dimensions_.hidden, 1.0f); };
  if (form != LayerForm::after) weights.inputNorm = norm("input_layernorm");
  if (form != LayerForm::parallelOneNorm) weights.postAttentionNorm = norm("post_attention_layernorm");
  if (form == LayerForm::around) weights.preFeedforwardNorm = norm("pre_feedforward_layernorm");
  if (form == LayerForm::around || form == LayerForm::after) weights.postFeedforwardNorm = norm("post_feedforward_layernorm");
}

void DecoderModel::addExperts(const std::string& name, LayerWeights& weights) {
  const Mixture& mixture = dimensions_.mixture;
  const std::uint64_t rows = std::uint64_t{mixture.experts} * mixture.intermediate;
  weights.router = addProjection(name + "router", dimensions_.hidden, mixture.experts, false);
  weights.expertsGateUp = addWeight(name + "experts.gate_up_proj", {2 * rows, dimensions_.hidden});
  weights.expertsDown = addWeight(name + "experts.down_proj", {std::uint64_t{mixture.experts} * dimensions_.hidden,
      mixture.intermediate});
}

void DecoderModel::clearGradients() {
  for (Parameter& parameter : parameters_) parameter.gradient = {};
}

Tensor DecoderModel::call(ModuleHooks& hooks, ModuleId module, const Tensor* hiddenStates,
                          const std::function<Tensor()>& body) {
  std::shared_ptr<SavedTensorHooks> around = hooks.enter(module, hiddenStates);
  if (!around) return body();
  try {
    const Autograd::HookScope scope(autograd_, std::move(around));
    return hooks.leave(module, body());
  } catch (...) {
    hooks.abandon();
    throw;
  }
}

Tensor DecoderModel::project(ModuleHooks& hooks, ModuleId module, const char* name, const Tensor& input,
                             const Projection& projection) {
  return call(hooks, module, &input, [&] { return linear(autograd_, name, input, *projection.weight, projection.bias); });
}

Tensor DecoderModel::normalise(ModuleHooks& hooks, ModuleId module, const char* name, const Tensor& input,
                               Parameter& weight) {
  return call(hooks, module, &input, [&] { return norm(autograd_, name, input, weight, dimensions_.normEpsilon, opModel_); });
}

Tensor DecoderModel::loss(const Tensor& ids, ModuleHooks& hooks, bool isCheckpointed) {
  std::optional<Autograd::HookScope> wholeForward;
  if (auto around = hooks.enterForward()) wholeForward.emplace(autograd_, std::move(around));
  return meanOfSquares(autograd_, lastHidden(ids, hooks, isCheckpointed));
}

Tensor DecoderModel::lastHidden(const Tensor& ids, ModuleHooks& hooks, bool isCheckpointed) {
  // The framework's caller passes token ids by keyword, so there are no hidden states to compare with.
  return call(hooks, modules_.base, nullptr, [&] { return runBase(ids, hooks, isCheckpointed); });
}

Tensor DecoderModel::runBase(const Tensor& ids, ModuleHooks& hooks, bool isCheckpointed) {
  if (sharding_ != nullptr) sharding_->beginForward();
  Tensor hidden =
      call(hooks, modules_.embedTokens, &ids, [&] { return embedding(autograd_, "embed_tokens", ids, *embedding_); });
  Positions positions;
  call(hooks, modules_.rotary, &hidden, [&] {
    positions = makePositions(ids.layout.shape[0], static_cast<std::uint32_t>(ids.layout.shape[1]));
    return Tensor{};
  });

  // The framework's checkpointed call keeps all its arguments, the position ids among them. Small: counted where a
  // simulation claims to be exact.
  Tensor positionIds;
  if (isCheckpointed && !autograd_.executor().device().computesValues()) {
    positionIds = autograd_.executor().allocate(Layout::contiguous(TensorType::i32, {ids.layout.shape[1], 2}));
  }

  if (hasStreams()) hidden = expandStreams(autograd_, hidden, dimensions_.residualStreams);
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    const LayerScope layerScope(autograd_.executor(), static_cast<std::int32_t>(index));
    if (sharding_ != nullptr) hidden = sharding_->enterLayer(index, hidden);
    hidden = call(hooks, modules_.layers[index].layer, &hidden, [&] {
      const auto region = [this, &hooks, index, positions, positionIds](const Tensor& input) {
        return runLayer(hooks, index, input, positions);
      };
      if (!isCheckpointed) return region(hidden);
      return hooks.checkpointForm() == CheckpointForm::reentrant ? checkpointReentrant(autograd_, region, hidden)
                                                                    : checkpoint(autograd_, region, hidden);
    });
    if (sharding_ != nullptr) hidden = sharding_->leaveLayer(index, hidden);
  }
  hidden = oneStream(hidden);
  return normalise(hooks, modules_.norm, "norm", hidden, *norm_);
}

DecoderModel::Positions DecoderModel::makePositions(std::uint64_t batch, std::uint32_t seq) {
  Executor& executor = autograd_.executor();
  const std::uint32_t width = dimensions_.rotaryDim > 0 ? dimensions_.rotaryDim : dimensions_.headDim;
  // Frameworks keep the tables of one row for all; our kernels read a row for each.
  const std::uint64_t rows = use_ == ModelUse::wholeStep && executor.isSimulated() ? 1 : batch;
  const auto tables = [&] { return rotaryTables(executor, element_, rows, seq, width, dimensions_.ropeTheta); };
  Positions positions;
  positions.tables = tables();
  positions.slidingTables = dimensions_.hasTwoRotaryTables ? tables() : positions.tables;
  // A window at least as long as the sequence hides nothing, and the framework makes no mask.
  if (!dimensions_.slidingLayers.empty() && seq >= dimensions_.slidingWindow) {
    if (batch * seq * seq > kMostMaskedPairs) {
      throw EngineError({"REQUEST_INVALID", "The sequence is too long for a model with sliding windows.",
                         "Their mask has an entry for each pair of tokens; micro-batch times the square of the length may be at most 2^40.",
                         "Use a shorter --seq or a smaller --micro-batch."});
    }
    positions.slidingMask = executor.allocate(Layout::contiguous(TensorType::bf16, {batch, seq, (std::uint64_t{seq} + 1) / 2}));
  }
  return positions;
}

Tensor DecoderModel::runLayer(ModuleHooks& hooks, std::size_t index, const Tensor& input, const Positions& positions) {
  return isParallel(dimensions_.layerForm) ? runParallel(hooks, index, input, positions)
                                           : runInTurn(hooks, index, input, positions);
}

Tensor DecoderModel::oneStream(const Tensor& residual) {
  return hasStreams() ? collapseStreams(autograd_, residual) : residual;
}

Tensor DecoderModel::addResidual(const char* name, const Tensor& residual, const Tensor& hidden) {
  return hasStreams() ? addToStreams(autograd_, name, residual, hidden) : add(autograd_, name, residual, hidden);
}

Tensor DecoderModel::runInTurn(ModuleHooks& hooks, std::size_t index, const Tensor& input, const Positions& positions) {
  const LayerModules& ids = modules_.layers[index];
  const LayerWeights& weights = layers_[index];
  const LayerForm form = dimensions_.layerForm;
  const bool hasNormsAfter = form != LayerForm::before;
  // Variables live as long as those of the framework's layer do, so that the same tensors are alive at the same time.
  Tensor residual = input;
  Tensor hidden = oneStream(input);
  const auto normaliseHidden = [&](ModuleId module, const char* name, Parameter* weight) {
    hidden = normalise(hooks, module, name, hidden, *weight);
  };
  if (form != LayerForm::after) normaliseHidden(ids.inputNorm, "input_layernorm", weights.inputNorm);
  hidden = call(hooks, ids.selfAttention, &hidden, [&] { return runAttention(hooks, index, hidden, positions); });
  if (hasNormsAfter) normaliseHidden(ids.postAttentionNorm, "post_attention_layernorm", weights.postAttentionNorm);
  residual = addResidual("attention residual", residual, hidden);
  hidden = oneStream(residual);
  if (form == LayerForm::before) normaliseHidden(ids.postAttentionNorm, "post_attention_layernorm", weights.postAttentionNorm);
  if (form == LayerForm::around) normaliseHidden(ids.preFeedforwardNorm, "pre_feedforward_layernorm",
      weights.preFeedforwardNorm);
  hidden = call(hooks, ids.mlp, &hidden, [&] { return runMlp(hooks, index, hidden); });
  if (hasNormsAfter) normaliseHidden(ids.postFeedforwardNorm, "post_feedforward_layernorm", weights.postFeedforwardNorm);
  return addResidual("mlp residual", residual, hidden);
}

Tensor DecoderModel::runParallel(ModuleHooks& hooks, std::size_t index, const Tensor& input, const Positions& positions) {
  const LayerModules& ids = modules_.layers[index];
  const LayerWeights& weights = layers_[index];
  const Tensor collapsed = oneStream(input);
  Tensor hidden = normalise(hooks, ids.inputNorm, "input_layernorm", collapsed, *weights.inputNorm);
  const Tensor attended = call(hooks, ids.selfAttention, &hidden, [&] { return runAttention(hooks, index, hidden,
      positions); });
  if (weights.postAttentionNorm != nullptr) {
    hidden = normalise(hooks, ids.postAttentionNorm, "post_attention_layernorm", collapsed, *weights.postAttentionNorm);
  }
  const Tensor fed = call(hooks, ids.mlp, &hidden, [&] { return runMlp(hooks, index, hidden); });
  return addResidual("mlp residual", addResidual("attention residual", input, attended), fed);
}

Tensor DecoderModel::runAttention(ModuleHooks& hooks, std::size_t index, const Tensor& input, const Positions& positions) {
  const LayerModules& ids = modules_.layers[index];
  const LayerWeights& weights = layers_[index];
  // A view, of all of the projected tensor or of a part: nothing is computed where it could be a part.
  const auto split = [&](const Tensor& projected, std::uint32_t heads) {
    const auto& shape = projected.layout.shape;
    Tensor view = projected;
    view.layout = Layout::contiguous(projected.layout.type, {shape[0], shape[1], heads, dimensions_.headDim});
    view.isView = true;
    return view;
  };

  // One projection for all three: views of its output.
  const Tensor fused = opModel_.isFused ? project(hooks, ids.queryProjection, "qkv_proj", input, weights.query) : Tensor{};
  const auto headsOf = [&](ModuleId module, const char* name, const Projection& projection, std::uint32_t heads) {
    return split(fused ? fused : project(hooks, module, name, input, projection), heads);
  };

  Tensor query = headsOf(ids.queryProjection, "q_proj", weights.query, dimensions_.heads);
  if (weights.queryNorm != nullptr) query = normalise(hooks, ids.queryNorm, "q_norm", query, *weights.queryNorm);
  Tensor key = headsOf(ids.keyProjection, "k_proj", weights.key, dimensions_.keyValueHeads);
  if (weights.keyNorm != nullptr) key = normalise(hooks, ids.keyNorm, "k_norm", key, *weights.keyNorm);
  Tensor value = headsOf(ids.valueProjection, "v_proj", weights.value, dimensions_.keyValueHeads);

  const RotaryTensors& tables = isSliding(index) ? positions.slidingTables : positions.tables;
  query = rotary(autograd_, "rotary query", query, tables);
  key = rotary(autograd_, "rotary key", key, tables);
  const AttentionMask mask = isSliding(index) && positions.slidingMask ? AttentionMask::given : AttentionMask::causal;
  if (mask == AttentionMask::given && dimensions_.keyValueHeads > 1) {
    // With a mask the framework repeats keys and values for the queries of their group; a single head is only viewed so.
    key = repeatHeads(autograd_, key, dimensions_.heads);
    value = repeatHeads(autograd_, value, dimensions_.heads);
  }
  Tensor attended = attention(autograd_, "attention", query, key, value, mask);
  if (opModel_.isFused) attended = copyOf(autograd_, attended);
  return project(hooks, ids.outputProjection, "o_proj", attended, weights.output);
}

Tensor DecoderModel::runMlp(ModuleHooks& hooks, std::size_t index, const Tensor& input) {
  const LayerWeights& weights = layers_[index];
  if (weights.expertsDown == nullptr) return runDense(hooks, index, input);
  const Tensor routed = runExperts(weights, input);
  if (weights.up.weight == nullptr) return routed;
  return add(autograd_, "shared experts", routed, runDense(hooks, index, input));
}

Tensor DecoderModel::runExperts(const LayerWeights& weights, const Tensor& input) {
  const Mixture& mixture = dimensions_.mixture;
  const Tensor scores = linear(autograd_, "router", input, *weights.router.weight, nullptr);
  const Tensor chosen = routeTokens(autograd_, scores, mixture.expertsPerToken);
  const Tensor sorted = sortTokens(autograd_, input, mixture.expertsPerToken);
  // Gate and up of one product, then halves of its result.
  const Tensor gateUp = expertLinear(autograd_, "experts gate and up", sorted, *weights.expertsGateUp,
      2 * mixture.intermediate);
  const Tensor product = gatedHalves(autograd_, "experts swiglu", gateUp, opModel_.savesActivated());
  const Tensor out = expertLinear(autograd_, "experts down", product, *weights.expertsDown, dimensions_.hidden);
  return combineTokens(autograd_, out, chosen, mixture.expertsPerToken);
}

Tensor DecoderModel::runDense(ModuleHooks& hooks, std::size_t index, const Tensor& input) {
  const LayerModules& ids = modules_.layers[index];
  const LayerWeights& weights = layers_[index];
  const auto callActivation = [&](const Tensor& on, const std::function<void()>& activation) {
    call(hooks, ids.activation, &on, [&] {
      activation();
      return Tensor{};
    });
  };
  const auto activated = [&] {
    if (!opModel_.isGated) {
      const Tensor up = project(hooks, ids.upProjection, "up_proj", input, weights.up);
      return plainActivation(
          autograd_, "activation", up, [&](const auto& activation) { callActivation(up, activation); }, opModel_);
    }
    const Tensor gate = project(hooks, ids.gateProjection, "gate_proj", input, weights.gate);
    const Tensor up = project(hooks, ids.upProjection, "up_proj", input, weights.up);
    return gatedActivation(
        autograd_, "swiglu", gate, up, [&](const auto& activation) { callActivation(gate, activation); }, opModel_);
  };
  return project(hooks, ids.downProjection, "down_proj", activated(), weights.down);
}

}  // namespace offload
