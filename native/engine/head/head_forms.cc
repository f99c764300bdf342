#include "engine/head/head_form.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "engine/base/shown_value.h"
#include "engine/head/form_parts.h"

namespace offload {
namespace {

/// Which entropies a head can give.
enum class Entropies : std::uint8_t {
  none,
  used,   ///< it has the entropy anyway: `eager` says that the loss uses it
  all,
};

struct HeadRow {
  std::string name;
  Entropies entropies;
  bool isVerl;
  HeadForm (*form)(const HeadChoice&);
};

/// One row for each head; to add one: a row, and its form.
const std::vector<HeadRow>& rows() {
  static const std::vector<HeadRow> table{
      {"hf_eager", Entropies::none, false, [](const HeadChoice&) { return eagerLossForm(false); }},
      {"veomni_eager", Entropies::none, false, [](const HeadChoice&) { return eagerLossForm(true); }},
      {"chunk_loss", Entropies::none, false, [](const HeadChoice& choice) { return chunkLossForm(choice.isLossScaled); }},
      {"liger", Entropies::none, false, [](const HeadChoice& choice) { return ligerForm(choice.isLossScaled); }},
      {"verl_flash", Entropies::all, true,
       [](const HeadChoice& choice) { return fullLogitsForm(LogProbs::flash, choice.entropy, choice.isAutocast); }},
      {"verl_torch", Entropies::all, true,
       [](const HeadChoice& choice) { return fullLogitsForm(LogProbs::blocks, choice.entropy, choice.isAutocast); }},
      {"verl_torch_rows", Entropies::all, true,
       [](const HeadChoice& choice) { return fullLogitsForm(LogProbs::rows, choice.entropy, choice.isAutocast); }},
      {"verl_chunked", Entropies::used, true,
       [](const HeadChoice& choice) { return chunkedLogProbsForm(choice.entropy == Entropy::eager, false); }},
      {"verl_chunked_eager", Entropies::used, true,
       [](const HeadChoice& choice) { return chunkedLogProbsForm(choice.entropy == Entropy::eager, true); }},
      {"verl_torch_fused", Entropies::used, true,
       [](const HeadChoice& choice) { return torchFusedForm(choice.entropy == Entropy::eager); }},
      {"verl_triton", Entropies::used, true, [](const HeadChoice&) { return tritonForm(); }},
  };
  return table;
}

const HeadRow* findRow(std::string_view name) {
  const auto found = std::find_if(rows().begin(), rows().end(), [&](const HeadRow& row) { return row.name == name; });
  return found == rows().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<std::string>& headNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const HeadRow& row : rows()) all.push_back(row.name);
    return all;
  }();
  return names;
}

bool isHead(std::string_view name) { return findRow(name) != nullptr; }

bool runsUnderAutocast(std::string_view head) {
  const HeadRow* row = findRow(head);
  return row != nullptr && row->isVerl;
}

std::string_view entropyName(Entropy entropy) {
  constexpr std::array<std::string_view, 5> names{"none", "eager", "chunked", "checkpointed", "compiled"};
  return names.at(static_cast<std::size_t>(entropy));
}

std::optional<Problem> checkEntropy(std::string_view head, Entropy entropy) {
  if (entropy == Entropy::none) return std::nullopt;
  const HeadRow* row = findRow(head);
  if (row != nullptr && row->entropies == Entropies::all) return std::nullopt;
  if (row != nullptr && row->entropies == Entropies::used && entropy == Entropy::eager) return std::nullopt;
  const bool isUsed = row != nullptr && row->entropies == Entropies::used;
  return Problem{"ENTROPY_NOT_OF_HEAD",
                 "The head " + shownValue(std::string(head)) + " has no entropy " + std::string(entropyName(entropy)) + ".",
                 isUsed ? "It computes its entropy itself: eager says that the loss uses it." : "Only verl's log-probabilities come with an entropy.",
                 isUsed ? "Use --entropy none or eager." : "Use --entropy none, or a head such as verl_flash or verl_torch."};
}

bool hasArithmetic(const HeadForm& form) {
  // Loops take parts of tensors, which no arithmetic here does.
  const auto isComputed = [](const HeadStep& step) {
    if (step.kind == HeadStep::Kind::loop) return false;
    const bool isKernel = step.kind == HeadStep::Kind::product || step.kind == HeadStep::Kind::pass;
    return !isKernel || step.math != HeadMath::none;
  };
  return std::all_of(form.forward.begin(), form.forward.end(), isComputed) &&
         std::all_of(form.backward.begin(), form.backward.end(), isComputed);
}

HeadForm headForm(const HeadChoice& choice) {
  const HeadRow* row = findRow(choice.head);
  if (row == nullptr) throw std::logic_error("the head was checked");
  return row->form(choice);
}

}  // namespace offload
