#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "engine/model/model_dimensions.h"
#include "engine/model/module_hooks.h"
#include "engine/model/op_model_operators.h"
#include "engine/model/operators.h"
#include "engine/model/sharding.h"
#include "engine/tape/checkpoint.h"

namespace offload {

/// Modules of one decoder layer; q_norm and k_norm are meaningless without `ModelDimensions::qkNorm`, gate_proj without a gate
/// in the op model.
struct LayerModules {
  ModuleId layer = 0, selfAttention = 0, queryProjection = 0, keyProjection = 0, valueProjection = 0, outputProjection = 0,
           queryNorm = 0, keyNorm = 0, mlp = 0, gateProjection = 0, upProjection = 0, downProjection = 0, activation = 0,
           inputNorm = 0, postAttentionNorm = 0, preFeedforwardNorm = 0, postFeedforwardNorm = 0;
};

/// The engine's modules under the names of a transformers decoder.
struct DecoderModules {
  ModuleTree tree;
  ModuleId base = 0, embedTokens = 0, norm = 0, rotary = 0;
  std::vector<LayerModules> layers;
};
DecoderModules decoderModules(const ModelDimensions& dimensions);

/// Bytes of all weights, and of those that get a gradient (all but lm_head).
std::uint64_t weightBytes(const ModelDimensions& dimensions, ElementType element);
std::uint64_t trainedBytes(const ModelDimensions& dimensions, ElementType element);

/// What a model is built for.
enum class ModelUse : std::uint8_t {
  stack,      ///< lm_head is there and never used; every sample has positions of its own
  wholeStep,  ///< lm_head is trained; one row of positions serves all samples
};

/// A dense decoder (norm, grouped-head attention with rotary positions, MLP) with random weights. The op model of its
/// dimensions says which tensors its operators save, and whether the MLP has a gate. lm_head is resident but unused; tied
/// embeddings have none of their own.
class DecoderModel {
 public:
  /// Allocates and fills the weights; with `sharding` this rank's part of them (lm_head is left whole). Throws
  /// DEVICE_OUT_OF_MEMORY.
  DecoderModel(Autograd& autograd, const ModelDimensions& dimensions, ElementType element, std::uint64_t seed,
               Sharding* sharding = nullptr, ModelUse use = ModelUse::stack);
  DecoderModel(const DecoderModel&) = delete;
  DecoderModel& operator=(const DecoderModel&) = delete;

  /// Mean of squares of the last hidden state. `ids` i32 [batch, seq]. With `isCheckpointed` every layer is recomputed in
  /// backward.
  Tensor loss(const Tensor& ids, ModuleHooks& hooks, bool isCheckpointed);
  /// The last hidden states after the final norm [batch, seq, hidden]; `ids` and `isCheckpointed` as above.
  Tensor lastHidden(const Tensor& ids, ModuleHooks& hooks, bool isCheckpointed);
  /// The weight that makes logits of hidden states: the embedding's where they are tied. Only of `ModelUse::wholeStep`.
  Parameter& headWeight() { return headWeight_ != nullptr ? *headWeight_ : *embedding_; }

  /// Weights that get a gradient, in a fixed order.
  std::deque<Parameter>& parameters() { return parameters_; }
  void clearGradients();
  const DecoderModules& modules() const { return modules_; }

 private:
  struct Projection {
    Parameter* weight = nullptr;
    Parameter* bias = nullptr;
  };
  struct LayerWeights {
    Projection query, key, value, output, gate, up, down;
    Parameter* queryNorm = nullptr;
    Parameter* keyNorm = nullptr;
    Parameter* inputNorm = nullptr;
    Parameter* postAttentionNorm = nullptr;
    Parameter* preFeedforwardNorm = nullptr;
    Parameter* postFeedforwardNorm = nullptr;
    Projection router;                     ///< of a layer with experts; `gate`, `up` and `down` are then the shared one's
    Parameter* expertsGateUp = nullptr;
    Parameter* expertsDown = nullptr;
  };

  Parameter& addParameter(const std::string& name, std::initializer_list<std::uint64_t> shape);
  Parameter* addWeight(const std::string& name, std::initializer_list<std::uint64_t> shape);
  Parameter* addConstant(const std::string& name, std::uint32_t width, float value);
  Projection addProjection(const std::string& name, std::uint32_t in, std::uint32_t out, bool hasBias);
  void addLayer(std::size_t index);
  void addExperts(const std::string& name, LayerWeights& weights);

  /// Every module call goes through here, so that hooks can stand around any of them.
  Tensor call(ModuleHooks& hooks, ModuleId module, const Tensor* hiddenStates, const std::function<Tensor()>& body);
  Tensor project(ModuleHooks& hooks, ModuleId module, const char* name, const Tensor& input, const Projection& projection);
  Tensor normalise(ModuleHooks& hooks, ModuleId module, const char* name, const Tensor& input, Parameter& weight);
  Tensor runBase(const Tensor& ids, ModuleHooks& hooks, bool isCheckpointed);
  /// What all layers of a step share.
  struct Positions {
    RotaryTensors tables;
    RotaryTensors slidingTables;  ///< of layers with a window; the same ones in most families
    Tensor slidingMask;           ///< which token sees which, one byte each; none where the window is longer than the sequence
  };
  Positions makePositions(std::uint64_t batch, std::uint32_t seq);
  bool isSliding(std::size_t index) const { return dimensions_.slidingLayers.contains(static_cast<std::uint32_t>(index)); }
  void addNorms(const std::string& name, LayerWeights& weights);
  bool hasStreams() const { return dimensions_.residualStreams > 1; }
  /// The sum of a residual's streams; a residual that is one stream, itself.
  Tensor oneStream(const Tensor& residual);
  Tensor addResidual(const char* name, const Tensor& residual, const Tensor& hidden);
  Tensor runLayer(ModuleHooks& hooks, std::size_t index, const Tensor& input, const Positions& positions);
  Tensor runInTurn(ModuleHooks& hooks, std::size_t index, const Tensor& input, const Positions& positions);
  Tensor runParallel(ModuleHooks& hooks, std::size_t index, const Tensor& input, const Positions& positions);
  Tensor runAttention(ModuleHooks& hooks, std::size_t index, const Tensor& input, const Positions& positions);
  Tensor runMlp(ModuleHooks& hooks, std::size_t index, const Tensor& input);
  Tensor runDense(ModuleHooks& hooks, std::size_t index, const Tensor& input);
  Tensor runExperts(const LayerWeights& weights, const Tensor& input);

  Autograd& autograd_;
  ModelDimensions dimensions_;
  const OpModel& opModel_;
  ElementType element_;
  std::uint64_t nextSeed_;
  Sharding* sharding_;
  DecoderModules modules_;
  std::deque<Parameter> parameters_;
  Tensor lmHead_;
  ModelUse use_;
  Parameter* headWeight_ = nullptr;   ///< of its own
  Parameter* embedding_ = nullptr;
  Parameter* norm_ = nullptr;
  std::vector<LayerWeights> layers_;
};

}  // namespace offload
