#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "engine/head/head_form.h"
#include "engine/tape/autograd.h"

namespace offload {

/// Sizes that a form's extents stand for.
struct HeadSizes {
  std::uint64_t hidden = 0;
  std::uint64_t vocab = 0;
  std::uint32_t headChunk = 0;      ///< rows of `LoopRows::headChunk`
  std::uint32_t entropyChunk = 0;
  ElementType element = ElementType::bf16;   ///< of what the form calls two bytes wide
  float lossFactor = 1;                      ///< the loss is its mean over tokens times this
};

/// Walks through a form: tensors live from their `make` to their `drop`, and peaks follow from that. A device with values computes
/// what the form has arithmetic for; a simulated one counts products and passes.
class HeadRun {
 public:
  HeadRun(Autograd& autograd, HeadForm form, const HeadSizes& sizes);

  /// `hidden` [batch, seq, hidden], `weight` [vocab, hidden], `ids` int32 [batch, seq]: the tokens whose next ones are predicted.
  /// Without a graph nothing is left at the end.
  void forward(Tensor hidden, const Tensor& weight, const Tensor& ids, bool hasGraph);

  struct Gradients {
    Tensor hidden;
    Tensor weight;
  };
  Gradients backward();

 private:
  void walk(const HeadSteps& steps, std::uint64_t rows);
  void walkLoop(const HeadStep& step, std::uint64_t rows);
  void run(const HeadStep& step, std::uint64_t rows);
  void count(const HeadStep& step, std::uint64_t rows);
  void compute(const HeadStep& step, std::uint64_t rows);
  std::uint64_t bytesOf(const HeadStep& step) const;
  DeviceAddress newest(std::string_view name) const;
  void save(const HeadStep& step);
  void unpackSaved();
  std::uint64_t elements(Extent extent, std::uint64_t rows) const;
  std::uint64_t rowsOf(LoopRows rows) const;
  Tensor take(std::string_view name, const Layout& layout);

  Autograd& autograd_;
  Executor& executor_;
  HeadForm form_;
  HeadSizes sizes_;
  std::uint64_t tokens_ = 0;
  Layout hiddenLayout_;
  Tensor weight_;
  Tensor ids_;
  bool computes_;
  bool hasGraph_ = true;
  bool isBackward_ = false;
  std::map<std::string_view, std::vector<Tensor>> tensors_;
  struct Saved {
    std::string_view name;
    SavedSlot slot;
    bool isRead = true;   ///< by the node whose copy the steps of backward work on
  };
  std::vector<Saved> saved_;   ///< what hooks took, in the order of saves
};

}  // namespace offload
