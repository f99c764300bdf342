#include "engine/model/model_family.h"

#include <algorithm>
#include <array>

namespace offload {
namespace {

// modelType, plain, qkNorm, qkvBias, tied, wideMlp, base, layers, op model (hf-eager where none is named), form of a
// layer, share of a head that is rotated, every how many layers attend to everything, two rotary tables. Source: the
// transformers models of these names.
constexpr std::array kFamilies = std::to_array<ModelFamily>({
    {"llama", true, false, false, false, false, "model", "layers"},
    {"mistral", true, false, false, false, false, "model", "layers"},
    {"qwen2", true, false, true, false, false, "model", "layers"},
    {"qwen2_vl_text", true, false, true, false, false, "model", "layers"},
    {"qwen2_5_vl_text", true, false, true, false, false, "model", "layers"},
    {"qwen2_vl", true, false, true, false, false, "model", "layers"},
    {"qwen2_5_vl", true, false, true, false, false, "model", "layers"},
    {"qwen3", true, true, false, false, false, "model", "layers"},
    {"qwen3_vl_text", true, true, false, false, false, "model", "layers"},
    {"phi3", true, false, false, false, false, "model", "layers", "hf-eager-fused"},
    {"seed_oss", true, false, false, false, false, "model", "layers"},
    {"qwen2_moe", false, false, true, false, false, "model", "layers"},
    {"qwen3_moe", false, true, false, false, false, "model", "layers"},
    {"qwen3_vl_moe_text", false, true, false, false, false, "model", "layers"},
    {"qwen3_next", false, true, false, false, false, "model", "layers", "gemma-eager"},
    {"qwen3_5", false, true, false, false, false, "model", "layers", "gemma-eager"},
    {"qwen3_5_text", false, true, false, false, false, "model", "layers", "gemma-eager"},
    {"qwen3_5_moe_text", false, true, false, false, false, "model", "layers", "gemma-eager"},
    {"olmo2", false, true, false, false, false, "model", "layers", "olmo2-eager", LayerForm::after},
    {"olmo3", false, true, false, false, false, "model", "layers", "olmo2-eager", LayerForm::after},
    {"olmoe", false, true, false, false, false, "model", "layers"},
    {"exaone4", false, true, false, false, false, "model", "layers"},
    {"gemma", true, false, false, true, false, "model", "layers", "gemma-eager"},
    {"gemma2", true, false, false, true, false, "model", "layers", "gemma-eager", LayerForm::around, 1, 2},
    {"gemma3_text", true, true, false, true, false, "model", "layers", "gemma-eager", LayerForm::around, 1, 6, true},
    {"cohere", true, false, false, true, false, "model", "layers", "cohere-eager", LayerForm::parallelOneNorm},
    {"cohere2", false, false, false, true, false, "model", "layers", "cohere-eager", LayerForm::parallelOneNorm, 1, 4},
    {"starcoder2", false, false, false, true, false, "model", "layers", "layernorm-gelu"},
    {"gpt2", false, false, true, true, true, "transformer", "h", "layernorm-gelu-new"},
    {"gpt_bigcode", false, false, true, true, true, "transformer", "h", "layernorm-gelu"},
    {"gptj", false, false, false, false, true, "transformer", "h", "layernorm-gelu-new"},
    {"bloom", false, false, true, true, true, "transformer", "h", "layernorm-gelu"},
    {"falcon", false, false, false, true, true, "transformer", "h", "layernorm-gelu"},
    {"mpt", false, false, false, true, true, "transformer", "blocks", "layernorm-gelu"},
    {"gpt_neox", true, false, true, false, true, "gpt_neox", "layers", "fused-layernorm-gelu", LayerForm::parallelTwoNorms, 0.25f},
    {"opt", false, false, true, true, true, "model.decoder", "layers", "layernorm-relu"},
});

}  // namespace

ModelFamily familyOf(std::string_view modelType) {
  const auto row = std::find_if(kFamilies.begin(), kFamilies.end(),
                                [&](const ModelFamily& family) { return family.modelType == modelType; });
  return row == kFamilies.end() ? ModelFamily{} : *row;
}

}  // namespace offload
