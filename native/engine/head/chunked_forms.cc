#include "engine/head/form_parts.h"
#include "engine/head/head_steps.h"

/*
 * Heads that take a chunk of rows at once: what is alive is chunks times vocabulary, whatever the number of tokens.
 */

namespace offload {
namespace {

using namespace head_steps;
constexpr MemoryPart kGradient = MemoryPart::headGradient;
constexpr std::uint32_t kVeOmniChunk = 1024;
constexpr std::uint32_t kVerlChunk = 512;

HeadSteps gradientsOfAll() {
  return {make("weightGradient", 2, Extent::vocabHidden, kGradient), make("hiddenGradient", 2, Extent::allHidden, kGradient)};
}

/// Both products of a chunk, added to the gradients of all. `keepsLast`: a variable of the loop holds the last chunk's.
HeadSteps chunkProducts(bool keepsLast) {
  return {make("chunkHidden", 2, Extent::rowsHidden, kGradient), product("head input gradient"),
                  pass("rows of the input gradient", 4, 1, Extent::rowsHidden), drop("chunkHidden"),
                  make("chunkWeight", 2, Extent::vocabHidden, kGradient), product("head weight gradient"),
                  pass("sum of weight gradients", 6, 1, Extent::vocabHidden),
          keepsLast ? keepLast("chunkWeight") : drop("chunkWeight")};
}

HeadSteps chunkLogits() { return {make("logits", 2, Extent::rowsVocab, MemoryPart::logits), product("head"), make("wide", 4),
    pass("logits to fp32", 6)}; }

/// Log-softmax, probabilities and their product, one after the other: twelve bytes for each entry of a chunk.
HeadStep logProbsForward() {
  return loop(LoopRows::headChunk,
              joined({chunkLogits(),
                      {drop("logits"), pass("temperature", 8), make("logSoftmax", 4), pass("log-softmax", 16), drop("wide"),
                       make("probabilities", 4), pass("exponential", 8), make("weighted", 4), pass("entropy product", 12),
                       pass("entropy sum", 4), drop("weighted"), drop("probabilities"), drop("logSoftmax")}}));
}

/// A chunk again and its gradient by hand: `temporaries` fp32 tensors of the chunk beside its logits at the highest point,
/// three of them and the bf16 gradient while the products run.
HeadSteps logProbsBackward(std::uint32_t temporaries, bool keepsLast, bool usesEntropy) {
  HeadSteps body = joined({chunkLogits(), {drop("logits"), pass("temperature", 8), make("logSoftmax", 4), pass("log-softmax",
      16), make("probabilities", 4), pass("exponential", 8)}});
  for (std::uint32_t made = 3; made < temporaries; ++made) {
    body = joined({body, {make("term", 4), pass("term of the gradient", 12)}});
  }
  if (usesEntropy) body = joined({body, {pass("entropy's terms", 60, 8)}});
  body = joined({body, {drop("term"), make("gradient", 2, Extent::rowsVocab, kGradient), pass("gradient to bf16", 6)},
      chunkProducts(keepsLast),
                        {drop("gradient"), drop("wide"), drop("logSoftmax"), drop("probabilities")}});
  return joined({gradientsOfAll(), {loop(LoopRows::headChunk, body), drop("chunkWeight"), drop("hidden")}});
}

/// The loss' own gradient arrives when both gradients exist: compared with 1 on the host, multiplied where it differs.
HeadSteps scaleGradients(bool isScaled) {
  const HeadSteps weight{make("weightGradient", 2, Extent::vocabHidden, kGradient), pass("scaled weight gradient", 4, 1,
      Extent::vocabHidden),
                         dropFirst("weightGradient")};
  return joined({{sync(), make("hiddenGradient", 2, Extent::allHidden, kGradient), pass("scaled input gradient", 4, 1,
      Extent::allHidden)},
                 isScaled ? weight : HeadSteps{},
                 {dropFirst("hiddenGradient")}});
}

}  // namespace

HeadForm chunkLossForm(bool isScaled) {
  HeadSteps body = joined({chunkLogits(),
                           {make("logSoftmax", 4), pass("log-softmax", 16), make("picked", 4),
                               pass("gradient of picked entries", 4),
                            make("wideGradient", 4, Extent::rowsVocab, kGradient), pass("log-softmax gradient", 16),
                                drop("picked"), drop("logits"),
                            make("gradient", 2, Extent::rowsVocab, kGradient), pass("gradient to bf16", 6)},
                           chunkProducts(true),
                           // The next chunk binds its fp32 logits to a variable that holds these until then.
                           {drop("gradient"), drop("wideGradient"), drop("logSoftmax"), keepLast("wide")}});
  HeadForm form;
  form.forward = joined({gradientsOfAll(), {loop(LoopRows::headChunk, body), drop("wide"), drop("chunkWeight"),
      drop("hidden"), save("weightGradient"), save("hiddenGradient")}});
  form.backward = scaleGradients(isScaled);
  form.chunk = kVeOmniChunk;
  return form;
}

HeadForm ligerForm(bool isScaled) {
  HeadForm form;
  const HeadSteps body{make("logits", 2, Extent::rowsVocab, MemoryPart::logits), product("head"),
      pass("cross entropy and gradient", 8),
                       product("head input gradient"), product("head weight gradient"), pass("sum of weight gradients", 4, 1,
                           Extent::vocabHidden), drop("logits")};
  form.forward = joined({gradientsOfAll(), {loop(LoopRows::liger, body), drop("hidden"), save("weightGradient"),
      save("hiddenGradient")}});
  const HeadSteps scaled{pass("scaled gradients", 4, 1, Extent::vocabHidden), pass("scaled gradients", 4, 1,
      Extent::allHidden)};
  form.backward = joined({{sync()}, isScaled ? scaled : HeadSteps{}});
  return form;
}

HeadForm chunkedLogProbsForm(bool usesEntropy, bool makesLogitsFirst) {
  HeadForm form{{logProbsForward(), sync()}, logProbsBackward(usesEntropy ? 7 : 6, false, usesEntropy), kVeOmniChunk};
  if (!makesLogitsFirst) return form;
  // Nobody reads them; the model's output holds them until its forward returns.
  form.forward = joined({{make("unusedLogits", 2, Extent::rowsVocab, MemoryPart::logits), product("head, unused")},
                         form.forward,
                         {drop("unusedLogits")}});
  return form;
}

HeadForm torchFusedForm(bool usesEntropy) {
  return {{logProbsForward(), sync()}, logProbsBackward(usesEntropy ? 7 : 5, true, usesEntropy), kVerlChunk};
}

HeadForm tritonForm() {
  HeadForm form;
  form.forward = {make("partials", 12, Extent::rowsBlocks), product("head"), pass("reduce partials", 12, 1, Extent::rowsBlocks),
                  make("statistics", 12, Extent::rows), drop("partials"), save("statistics"), sync()};
  HeadSteps backward{make("slice", 2, Extent::rowsSplits, kGradient), product("head again")};
  backward = joined({backward, gradientsOfAll(), {make("hiddenPartial", 2, Extent::allHidden, kGradient),
      product("head input gradient"), product("head weight gradient"),
                               drop("slice"), drop("hiddenPartial"), drop("statistics"), drop("hidden")}});
  form.backward = backward;
  return form;
}

}  // namespace offload
