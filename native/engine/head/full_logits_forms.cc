#include "engine/head/form_parts.h"
#include "engine/head/head_steps.h"

/*
 * Heads over logits of all tokens. Source of orders and lifetimes: the frameworks' code under PyTorch's autograd; the factors
 * that follow from them are held by head_form_test.cc. Bytes of a pass count kernel by kernel: a softmax over a vocabulary
 * that fits no cache reads its rows three times.
 */

namespace offload {
namespace {

using namespace head_steps;
constexpr MemoryPart kLogits = MemoryPart::logits;
constexpr MemoryPart kGradient = MemoryPart::headGradient;

/// The two products at the end of every backward, from the gradient of the logits under `name`.
HeadSteps logitProducts(std::string_view name) {
  return {make("hiddenGradient", 2, Extent::rowsHidden, kGradient),
          computing(product("head input gradient"), HeadMath::inputGradient, name, "hiddenGradient"),
          make("weightGradient", 2, Extent::vocabHidden, kGradient),
          computing(product("head weight gradient"), HeadMath::weightGradient, name, "weightGradient", "hidden"),
          drop("hidden"),
          drop(name)};
}

HeadSteps logits() {
  return {make("logits", 2, Extent::rowsVocab, kLogits), computing(product("head"), HeadMath::logits, "hidden", "logits")};
}

/// One bf16 gradient more for the scaled logits: added in place.
HeadSteps addGradient(std::string_view name) { return {pass("sum of logit gradients", 6), drop(name)}; }

struct EntropyParts {
  HeadSteps forward;
  HeadSteps backward;
  bool keepsScaled = false;   ///< its graph holds the scaled logits
};

HeadSteps softmaxForward(std::uint8_t width, bool copies) {
  const std::uint8_t source = copies ? 4 : 2;
  const HeadSteps softmax{make("probabilities", width), pass("softmax", static_cast<std::uint8_t>(3 * source + width))};
  if (!copies) return softmax;
  return joined({{make("cast", 4), pass("softmax, fp32 copy", 6)}, softmax, {drop("cast")}});
}

/// softmax, logsumexp and their product; autocast makes each take an fp32 copy of its own.
HeadSteps eagerEntropyForward(bool isAutocast) {
  const std::uint8_t width = isAutocast ? 4 : 2;
  HeadSteps steps = softmaxForward(width, isAutocast);
  if (isAutocast) steps = joined({steps, {make("sumCopy", 4), pass("logsumexp, fp32 copy", 6)}});
  return joined({steps,
                 {make("sumTemporary", width), pass("logsumexp", static_cast<std::uint8_t>(6 * width), 4), drop("sumTemporary"),
                  make("weighted", width), pass("entropy product", static_cast<std::uint8_t>(2 * width + 2)),
                  pass("entropy sum", width), drop("weighted")}});
}

/// Backward of the above; leaves its gradient of the scaled logits added to `target`, or as `target` where it is the first.
HeadSteps eagerEntropyBackward(bool isAutocast, std::string_view target, bool isFirst) {
  const std::uint8_t width = isAutocast ? 4 : 2;
  HeadSteps product{make("probabilityGradient", width, Extent::rowsVocab, kGradient),
                    make("factorGradient", width, Extent::rowsVocab, kGradient),
                    pass("entropy product gradient", static_cast<std::uint8_t>(4 * width + 2), 2)};
  if (isAutocast) {
    product = joined({product, {make("narrowGradient", 2, Extent::rowsVocab, kGradient), pass("gradient to bf16", 6),
        drop("factorGradient")}});
  }
  const std::string_view narrow = isAutocast ? "narrowGradient" : "factorGradient";
  const HeadSteps accumulated =
      isFirst ? HeadSteps{make(target, 2, Extent::rowsVocab, kGradient), pass("gradient", 4),
          drop(narrow)} : addGradient(narrow);
  // Difference, exponential and product with the incoming gradient are three tensors at once.
  HeadSteps sum{make("difference", width), make("exponential", width), make("sumGradient", width, Extent::rowsVocab, kGradient),
                pass("logsumexp gradient", static_cast<std::uint8_t>(6 * width), 3), drop("difference"), drop("exponential")};
  HeadSteps soft{make("softmaxGradient", width, Extent::rowsVocab, kGradient),
                 pass("softmax gradient", static_cast<std::uint8_t>(5 * width)), drop("probabilities"),
                     drop("probabilityGradient")};
  if (!isAutocast) {
    return joined({product, accumulated, sum, addGradient("sumGradient"), soft, addGradient("softmaxGradient")});
  }
  const auto narrowed = [&](std::string_view wide) {
    return joined({{make("narrowGradient", 2, Extent::rowsVocab, kGradient), pass("gradient to bf16", 6), drop(wide)},
                   addGradient("narrowGradient")});
  };
  // The product was the last to need the scaled logits; logsumexp has a copy of its own.
  return joined({product, accumulated, {drop("scaled")}, sum, {drop("sumCopy")}, narrowed("sumGradient"), soft,
      narrowed("softmaxGradient")});
}

EntropyParts eagerEntropy(bool isAutocast) {
  // Without autocast there is no copy, and nothing to keep under its name.
  const HeadSteps forward = joined({eagerEntropyForward(isAutocast), {save("probabilities"), save("sumCopy")}});
  return {forward, eagerEntropyBackward(isAutocast, "gradient", false), true};
}

EntropyParts checkpointedEntropy(bool isAutocast) {
  const HeadSteps forward = joined({eagerEntropyForward(isAutocast), {drop("probabilities"), drop("sumCopy")}});
  // The checkpoint holds its input until its own backward has ended, and that has a gradient of its own beside the log-probs'.
  HeadSteps inner;
  for (const HeadStep& step : eagerEntropyBackward(isAutocast, "innerGradient", true)) {
    if (step.kind != HeadStep::Kind::drop || step.name != "scaled") inner = joined({inner, {step}});
  }
  return {forward, joined({eagerEntropyForward(isAutocast), inner, addGradient("innerGradient")}), true};
}

/// Chunks of rows, each made fp32 once; slices' gradients are as large as all logits.
EntropyParts chunkedEntropy() {
  const HeadStep forward = loop(
      LoopRows::entropyChunk,
      {make("chunk32", 4), pass("chunk to fp32", 6), make("probabilities", 4), pass("softmax", 16), make("sumTemporary", 4),
       pass("logsumexp", 24, 4), drop("sumTemporary"), make("weighted", 4), pass("entropy product", 12), pass("entropy sum", 4),
       drop("weighted"), save("chunk32"), save("probabilities")});
  const HeadStep backward = loop(
      LoopRows::entropyChunk,
      {make("probabilityGradient", 4, Extent::rowsVocab, kGradient), make("chunkGradient", 4, Extent::rowsVocab, kGradient),
       pass("entropy product gradient", 20, 2), make("difference", 4), make("exponential", 4),
       make("sumGradient", 4, Extent::rowsVocab, kGradient), pass("logsumexp gradient", 24, 3), drop("difference"),
       drop("exponential"), pass("sum of gradients", 12), drop("sumGradient"),
       make("softmaxGradient", 4, Extent::rowsVocab, kGradient), pass("softmax gradient", 20), dropFirst("probabilities"),
       drop("probabilityGradient"), pass("sum of gradients", 12), drop("softmaxGradient"), dropFirst("chunk32"),
       make("narrowGradient", 2, Extent::rowsVocab, kGradient), pass("gradient to bf16", 6), drop("chunkGradient"),
       make("sliceGradient", 2, Extent::allVocab, kGradient), pass("slice gradient", 2, 1, Extent::allVocab),
           pass("slice copy", 4),
       drop("narrowGradient"), pass("sum of logit gradients", 6, 1, Extent::allVocab), drop("sliceGradient")});
  return {{forward}, {backward}, false};
}

EntropyParts compiledEntropy() {
  return {{pass("compiled entropy", 6, 2)},
          {make("entropyGradient", 2, Extent::rowsVocab, kGradient), pass("compiled entropy gradient", 8),
              pass("sum of logit gradients", 6),
           drop("entropyGradient")},
          true};
}

EntropyParts entropyParts(Entropy entropy, bool isAutocast) {
  switch (entropy) {
    case Entropy::eager: return eagerEntropy(isAutocast);
    case Entropy::chunked: return chunkedEntropy();
    case Entropy::checkpointed: return checkpointedEntropy(isAutocast);
    case Entropy::compiled: return compiledEntropy();
    case Entropy::none: break;
  }
  return {};
}

/// Log-softmax of a few rows at a time: small kernels, as many as there are blocks, or rows.
EntropyParts blockLogProbs(LogProbs kind, bool isAutocast) {
  const std::uint8_t width = isAutocast ? 4 : 2;
  // Kernels of one block or row, cast, log-softmax, gather, negation among them.
  const auto kernels = [&](std::string_view name, std::uint8_t bytes, std::uint32_t launches) {
    return kind == LogProbs::rows ? passPerRow(name, bytes, launches) : pass(name, bytes, launches);
  };
  const HeadSteps cast = isAutocast ? HeadSteps{make("cast", 4)} : HeadSteps{};
  const HeadSteps block = joined({cast,
                                  {make("logSoftmax", width),
                                   kernels("log-softmax of rows", static_cast<std::uint8_t>((isAutocast ? 18 : 6) + width),
                                       isAutocast ? 5 : 4),
                                   drop("cast"), save("logSoftmax")}});
  HeadSteps gradient{make("picked", width), make("rowGradient", width, Extent::rowsVocab, kGradient),
                     kernels("log-softmax gradient of rows", static_cast<std::uint8_t>(5 * width), isAutocast ? 6 : 5),
                         dropFirst("logSoftmax"), drop("picked")};
  if (isAutocast) {
    gradient = joined({gradient, {make("slices", 2, Extent::rowsVocab, kGradient), kernels("gradient to bf16", 6, 1),
        drop("rowGradient")}});
  }
  const std::string_view slices = isAutocast ? "slices" : "rowGradient";
  return {{loop(LoopRows::blocksOf64, block)},
          {loop(LoopRows::blocksOf64, gradient), make("gradient", 2, Extent::rowsVocab, kGradient), pass("stack gradients",
              4), drop(slices)},
          false};
}

EntropyParts flashLogProbs(bool overwrites) {
  const HeadSteps gradient{make("gradient", 2, Extent::rowsVocab, kGradient), pass("cross entropy gradient", 4)};
  // Written over the logits where nobody else needs them: the bytes change their meaning, not their number.
  return {{pass("cross entropy", 4)}, overwrites ? joined({{drop("scaled")}, gradient}) : gradient, true};
}

}  // namespace

HeadForm eagerLossForm(bool keepsOutput) {
  HeadForm form;
  HeadSteps loss{make("wide", 4),
                 computing(pass("logits to fp32", 6), HeadMath::widen, "logits", "wide"),
                 make("logSoftmax", 4),
                 computing(pass("log-softmax", 16), HeadMath::logSoftmax, "wide", "logSoftmax"),
                 drop("wide"),
                 saveTwice("logSoftmax")};
  form.forward = joined({logits(), loss, {keepsOutput ? save("logits") : drop("logits")}});
  HeadSteps gradient{make("picked", 4),
                     computing(pass("gradient of picked entries", 4), HeadMath::nextTokenGradient, {}, "picked"),
                     make("wideGradient", 4, Extent::rowsVocab, kGradient),
                     computing(pass("log-softmax gradient", 16), HeadMath::logSoftmaxGradient, "logSoftmax", "wideGradient", "picked"),
                     drop("logSoftmax"),
                     drop("picked"),
                     make("gradient", 2, Extent::rowsVocab, kGradient),
                     computing(pass("gradient to bf16", 6), HeadMath::narrow, "wideGradient", "gradient"),
                     drop("wideGradient")};
  form.backward = joined({gradient, logitProducts("gradient"), {drop("logits")}});
  return form;
}

HeadForm fullLogitsForm(LogProbs logProbs, Entropy entropy, bool isAutocast) {
  const EntropyParts surprise = entropyParts(entropy, isAutocast);
  const EntropyParts picked =
      logProbs == LogProbs::flash ? flashLogProbs(entropy == Entropy::none) : blockLogProbs(logProbs, isAutocast);
  const bool keepsScaled = picked.keepsScaled || surprise.keepsScaled;
  HeadForm form;
  form.forward = joined({logits(),
                         {make("scaled", 2, Extent::rowsVocab, kLogits), pass("temperature", 4)},
                         surprise.forward,
                         picked.forward,
                         {drop("logits"), keepsScaled ? save("scaled") : drop("scaled"), sync()}});
  // The scaled logits go with the last of those that saved them.
  HeadSteps release;
  if (picked.keepsScaled && !surprise.keepsScaled) release = {drop("scaled")};
  form.backward = joined({picked.backward, release, surprise.backward,
                          {drop("scaled"), make("rawGradient", 2, Extent::rowsVocab, kGradient), pass("temperature gradient",
                              4), drop("gradient")},
                          logitProducts("rawGradient")});
  return form;
}

}  // namespace offload
