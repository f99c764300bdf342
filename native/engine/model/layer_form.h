#pragma once

#include <cstdint>

namespace offload {

/// How a decoder layer puts attention, MLP, norms and residuals together.
enum class LayerForm : std::uint8_t {
  before,           ///< a norm before each half (Llama, Qwen)
  around,           ///< a norm before and one after each half (Gemma 2 and 3)
  after,            ///< a norm after each half (OLMo 2)
  parallelOneNorm,  ///< both halves read one norm of the input, one sum takes both (Cohere)
  parallelTwoNorms, ///< the same with a norm for each half (GPT-NeoX)
};

constexpr bool isParallel(LayerForm form) { return form == LayerForm::parallelOneNorm || form == LayerForm::parallelTwoNorms; }

/// Norms of one layer over the hidden size.
constexpr std::uint32_t normsOf(LayerForm form) {
  return form == LayerForm::around ? 4 : form == LayerForm::parallelOneNorm ? 1 : 2;
}

}  // namespace offload
