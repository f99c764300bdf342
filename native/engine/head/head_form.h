#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/problem.h"
#include "engine/model/whole_step.h"
#include "engine/tape/memory_part.h"

namespace offload {

/// Shape of what a step of a head is about. Rows are those of the loop that the step stands in, outside of loops all tokens.
enum class Extent : std::uint8_t {
  rowsVocab,
  rowsHidden,
  rows,
  allVocab,      ///< all tokens, from inside a loop too
  allHidden,
  vocabHidden,
  rowsBlocks,    ///< rows times blocks of 1,024 entries of the vocabulary
  rowsSplits,    ///< rows times 9,504 entries: the part of the vocabulary that a kernel works on at once
};

/// Which rows a loop takes at once.
enum class LoopRows : std::uint8_t { headChunk, entropyChunk, blocksOf64, liger };

/// Arithmetic of a product or pass, for devices that compute values. Operands are the newest tensors of their names.
enum class HeadMath : std::uint8_t {
  none,                ///< nobody wrote it: the head is simulated only
  logits,              ///< to = from * weight^T
  inputGradient,       ///< to = from * weight
  weightGradient,      ///< to = from^T * hidden
  widen,               ///< to f32 = from
  narrow,              ///< to = E(from f32)
  logSoftmax,
  nextTokenGradient,   ///< to f32 = gradient of the mean loss in the log-probabilities
  logSoftmaxGradient,  ///< to f32 from the log-softmax `from` and its gradient `with`
};

/// One thing that a head does.
struct HeadStep {
  enum class Kind : std::uint8_t {
    make,      ///< a tensor under a name; a loop makes one more each time
    drop,      ///< all tensors of the name
    dropFirst, ///< the oldest one
    keepLast,  ///< all but the newest go: what a variable of a loop holds until it is bound again
    save,      ///< what a graph keeps for backward; goes at once where there is none
    product,   ///< rows x hidden x vocabulary
    pass,      ///< elementwise kernels: bytes for each element of the extent
    sync,      ///< the host waits for the device
    loop,
  };
  Kind kind = Kind::sync;
  std::string_view name;
  std::uint8_t bytes = 0;         ///< of an element: of the tensor, or read and written in a pass
  Extent extent = Extent::rows;
  MemoryPart part = MemoryPart::headTemporaries;
  std::uint32_t launches = 1;     ///< kernels of a pass, `perRow` times the rows; of a save: how many nodes save the tensor
  bool perRow = false;
  LoopRows loopRows = LoopRows::headChunk;
  HeadMath math = HeadMath::none;
  std::string_view from;          ///< operands of `math`
  std::string_view with;
  std::string_view to;
  std::vector<HeadStep> body;
};
using HeadSteps = std::vector<HeadStep>;

/// Head and loss as a list of what they do. Names that every form knows: `hidden` (the stack's output, there from the start),
/// `hiddenGradient` and `weightGradient` (there at the end of backward). Everything else is the form's own.
struct HeadForm {
  HeadSteps forward;
  HeadSteps backward;
  std::uint32_t chunk = 0;   ///< rows of `LoopRows::headChunk`, 0 where the form has no such loop
};

/// Whether a device that computes values can run the form.
bool hasArithmetic(const HeadForm& form);

/// What decides which form runs.
struct HeadChoice {
  std::string head;
  Entropy entropy = Entropy::none;
  bool isAutocast = false;
  bool isLossScaled = false;
};

/// Names of all heads that compute logits, in the order of lists.
const std::vector<std::string>& headNames();
bool isHead(std::string_view name);
/// Whether a framework that runs this head does so under autocast.
bool runsUnderAutocast(std::string_view head);
/// Why this head cannot give this entropy (ENTROPY_NOT_OF_HEAD), or nothing.
std::optional<Problem> checkEntropy(std::string_view head, Entropy entropy);
std::string_view entropyName(Entropy entropy);

/// The form of a head whose choice was checked; std::logic_error for any other.
HeadForm headForm(const HeadChoice& choice);

}  // namespace offload
