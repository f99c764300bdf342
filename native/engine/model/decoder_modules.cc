#include "engine/model/decoder_model.h"

namespace offload {
namespace {

/// `Qwen3ForCausalLM` -> `Qwen3`: what the family's class names start with.
std::string classPrefix(const std::string& architecture) {
  const std::size_t end = architecture.find("For");
  return end == std::string::npos || end == 0 ? std::string("Decoder") : architecture.substr(0, end);
}

std::string normClass(const std::string& prefix, const OpModel& opModel) {
  return opModel.normKind == "layer" ? std::string("LayerNorm") : prefix + "RMSNorm";
}

LayerModules addLayerModules(ModuleTree& tree, const std::string& name, const std::string& prefix, const ModelDimensions& dimensions) {
  const OpModel& opModel = *dimensions.opModel;
  LayerModules ids;
  const std::string norm = normClass(prefix, opModel);
  const auto add = [&](const std::string& child, const std::string& className) {
    return tree.add({name + "." + child, className, false, false});
  };
  ids.layer = tree.add({name, prefix + "DecoderLayer", false, true});
  ids.selfAttention = add("self_attn", prefix + "Attention");
  ids.queryProjection = add("self_attn.q_proj", "Linear");
  ids.keyProjection = add("self_attn.k_proj", "Linear");
  ids.valueProjection = add("self_attn.v_proj", "Linear");
  ids.outputProjection = add("self_attn.o_proj", "Linear");
  if (dimensions.qkNorm) {
    ids.queryNorm = add("self_attn.q_norm", norm);
    ids.keyNorm = add("self_attn.k_norm", norm);
  }
  ids.mlp = add("mlp", prefix + "MLP");
  if (opModel.isGated) ids.gateProjection = add("mlp.gate_proj", "Linear");
  ids.upProjection = add("mlp.up_proj", "Linear");
  ids.downProjection = add("mlp.down_proj", "Linear");
  ids.activation = add("mlp.act_fn", opModel.isGated ? "SiLUActivation" : "GELUActivation");
  const LayerForm form = dimensions.layerForm;
  if (form != LayerForm::after) ids.inputNorm = add("input_layernorm", norm);
  if (form != LayerForm::parallelOneNorm) ids.postAttentionNorm = add("post_attention_layernorm", norm);
  if (form == LayerForm::around) ids.preFeedforwardNorm = add("pre_feedforward_layernorm", norm);
  if (form == LayerForm::around || form == LayerForm::after) ids.postFeedforwardNorm = add("post_feedforward_layernorm", norm);
  return ids;
}

}  // namespace

DecoderModules decoderModules(const ModelDimensions& dimensions) {
  DecoderModules modules;
  ModuleTree& tree = modules.tree;
  const std::string prefix = classPrefix(dimensions.architecture);
  tree.add({"", dimensions.architecture.empty() ? std::string("Decoder") : dimensions.architecture, false, false});

  const std::string& base = dimensions.baseName;
  for (std::size_t dot = base.find('.'); dot != std::string::npos; dot = base.find('.', dot + 1)) {
    tree.add({base.substr(0, dot), prefix + "Model", false, false});
  }
  modules.base = tree.add({base, prefix + (base.find('.') == std::string::npos ? "Model" : "TextModel"), false, false});
  modules.embedTokens = tree.add({base + ".embed_tokens", "Embedding", false, false});
  const std::string list = base + "." + dimensions.layersName;
  tree.add({list, "ModuleList", true, false});
  for (std::uint32_t index = 0; index < dimensions.layers; ++index) {
    modules.layers.push_back(addLayerModules(tree, list + "." + std::to_string(index), prefix, dimensions));
  }
  modules.norm = tree.add({base + ".norm", normClass(prefix, *dimensions.opModel), false, false});
  modules.rotary = tree.add({base + ".rotary_emb", prefix + "RotaryEmbedding", false, false});
  tree.add({"lm_head", "Linear", false, false});
  return modules;
}

std::uint64_t trainedBytes(const ModelDimensions& d, ElementType element) {
  const std::uint64_t hidden = d.hidden;
  const std::uint64_t queryWidth = std::uint64_t{d.heads} * d.headDim;
  const std::uint64_t keyValueWidth = std::uint64_t{d.keyValueHeads} * d.headDim;
  std::uint64_t layer = normsOf(d.layerForm) * hidden;
  layer += hidden * (2 * queryWidth + 2 * keyValueWidth) + (d.opModel->isGated ? 3 : 2) * hidden * d.intermediate;
  if (d.queryKeyValueBias) layer += queryWidth + 2 * keyValueWidth;
  if (d.outputBias) layer += hidden;
  if (d.qkNorm) layer += 2 * std::uint64_t{d.headDim};
  return (d.layers * layer + d.vocab * hidden + hidden) * bytesPerElement(element);
}

std::uint64_t weightBytes(const ModelDimensions& d, ElementType element) {
  const std::uint64_t head = d.tiedEmbeddings ? 0 : std::uint64_t{d.vocab} * d.hidden * bytesPerElement(element);
  return trainedBytes(d, element) + head;
}

}  // namespace offload
