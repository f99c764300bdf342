#include "engine/head/head_run.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "engine/tape/host_read.h"

namespace offload {
namespace {

constexpr std::uint64_t kVocabBlock = 1024;
constexpr std::uint64_t kVocabSplit = 9504;
constexpr std::uint64_t kBlockRows = 64;
/// Operators that a plain loop calls row after row cost the host about 10 us each, less than those of modules, by which a device
/// profile counts: 34 us in forward, 21 in backward. From a recorded step with one row at a time (8,192 rows, 397 + 575 ms).
constexpr double kRowOperatorShareForward = 0.3;
constexpr double kRowOperatorShareBackward = 0.48;

std::uint64_t quotientUp(std::uint64_t count, std::uint64_t each) { return (count + each - 1) / each; }

}  // namespace

HeadRun::HeadRun(Autograd& autograd, HeadForm form, const HeadSizes& sizes)
    : autograd_(autograd),
      executor_(autograd.executor()),
      form_(std::move(form)),
      sizes_(sizes),
      computes_(!executor_.isSimulated() && hasArithmetic(form_)) {}

std::uint64_t HeadRun::elements(Extent extent, std::uint64_t rows) const {
  switch (extent) {
    case Extent::rowsVocab: return rows * sizes_.vocab;
    case Extent::rowsHidden: return rows * sizes_.hidden;
    case Extent::rows: return rows;
    case Extent::allVocab: return tokens_ * sizes_.vocab;
    case Extent::allHidden: return tokens_ * sizes_.hidden;
    case Extent::vocabHidden: return sizes_.vocab * sizes_.hidden;
    case Extent::rowsBlocks: return rows * quotientUp(sizes_.vocab, kVocabBlock);
    case Extent::rowsSplits: return rows * std::min(sizes_.vocab, kVocabSplit);
  }
  throw std::logic_error("an extent without a size");
}

std::uint64_t HeadRun::rowsOf(LoopRows rows) const {
  switch (rows) {
    case LoopRows::headChunk: return sizes_.headChunk;
    case LoopRows::entropyChunk: return sizes_.entropyChunk;
    case LoopRows::blocksOf64: return kBlockRows;
    case LoopRows::liger: return std::bit_ceil(quotientUp(tokens_, quotientUp(sizes_.vocab, sizes_.hidden)));
  }
  throw std::logic_error("a loop without rows");
}

void HeadRun::walk(const HeadSteps& steps, std::uint64_t rows) {
  for (const HeadStep& step : steps) run(step, rows);
}

void HeadRun::walkLoop(const HeadStep& step, std::uint64_t rows) {
  const std::uint64_t each = std::max<std::uint64_t>(1, rowsOf(step.loopRows));
  for (std::uint64_t done = 0; done < rows; done += each) walk(step.body, std::min(each, rows - done));
}

void HeadRun::save(const HeadStep& step) {
  if (!hasGraph_) {
    tensors_.erase(step.name);
    return;
  }
  if (!autograd_.hasHooks()) return;
  for (Tensor& tensor : tensors_[step.name]) {
    for (std::uint32_t node = 1; node < step.launches; ++node) saved_.push_back({step.name, autograd_.save(tensor), false});
    saved_.push_back({step.name, autograd_.save(tensor)});
  }
  tensors_.erase(step.name);
}

void HeadRun::run(const HeadStep& step, std::uint64_t rows) {
  switch (step.kind) {
    case HeadStep::Kind::make: {
      const PartScope part(executor_, step.part);
      const std::uint64_t sizeBytes = bytesOf(step) * elements(step.extent, rows);
      tensors_[step.name].push_back(executor_.allocate(Layout::contiguous(TensorType::bf16, {(sizeBytes + 1) / 2})));
      return;
    }
    case HeadStep::Kind::drop: tensors_.erase(step.name); return;
    case HeadStep::Kind::dropFirst: {
      std::vector<Tensor>& all = tensors_[step.name];
      if (!all.empty()) all.erase(all.begin());
      return;
    }
    case HeadStep::Kind::keepLast: {
      std::vector<Tensor>& all = tensors_[step.name];
      if (all.size() > 1) all.erase(all.begin(), all.end() - 1);
      return;
    }
    case HeadStep::Kind::save: save(step); return;
    case HeadStep::Kind::product:
    case HeadStep::Kind::pass:
      if (computes_) return compute(step, rows);
      return count(step, rows);
    case HeadStep::Kind::sync: readOnHost(executor_, "loss on the host"); return;
    case HeadStep::Kind::loop: walkLoop(step, rows); return;
  }
}

/// What a product or pass costs, for a device that computes nothing.
void HeadRun::count(const HeadStep& step, std::uint64_t rows) {
  if (step.kind == HeadStep::Kind::product) {
    const auto hidden = static_cast<std::uint32_t>(sizes_.hidden);
    const auto vocab = static_cast<std::uint32_t>(sizes_.vocab);
    // One weight for all rows. The logits are so wide that moving them adds to the operations.
    executor_.launch(step.name, GroupedProduct{ElementType::bf16, rows, hidden, vocab, 1, isBackward_});
    return;
  }
  const std::uint64_t kernels = step.launches * (step.perRow ? rows : 1);
  const double share = step.perRow ? (isBackward_ ? kRowOperatorShareBackward : kRowOperatorShareForward) : 1.0;
  const auto operators = static_cast<std::uint32_t>(std::max(1.0, static_cast<double>(kernels) * share));
  const bool isWide = !step.perRow;
  executor_.launch(step.name, MemoryPass{step.bytes * elements(step.extent, rows), static_cast<std::uint32_t>(kernels),
      operators, isBackward_, isWide});
}

std::uint64_t HeadRun::bytesOf(const HeadStep& step) const {
  return step.bytes == bytesPerElement(ElementType::bf16) ? bytesPerElement(sizes_.element) : step.bytes;
}

DeviceAddress HeadRun::newest(std::string_view name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end() || found->second.empty()) throw std::logic_error("a head reads what it has not made");
  return found->second.back().address();
}

void HeadRun::compute(const HeadStep& step, std::uint64_t rows) {
  const auto hidden = static_cast<std::uint32_t>(sizes_.hidden);
  const auto vocab = static_cast<std::uint32_t>(sizes_.vocab);
  const ElementType element = sizes_.element;
  const DeviceAddress to = newest(step.to);
  const auto call = [&]() -> KernelCall {
    switch (step.math) {
      case HeadMath::logits: return LinearForward{element, newest(step.from), weight_.address(), 0, to, rows, hidden, vocab};
      case HeadMath::inputGradient: return LinearBackwardInput{element, newest(step.from), weight_.address(), to, rows, hidden, vocab};
      case HeadMath::weightGradient:
        return LinearBackwardWeight{element, newest(step.from), newest(step.with), to, 0, rows, hidden, vocab};
      case HeadMath::widen: return Widen{element, newest(step.from), to, rows * vocab};
      case HeadMath::narrow: return Narrow{element, newest(step.from), to, rows * vocab};
      case HeadMath::logSoftmax: return LogSoftmax{newest(step.from), to, rows, vocab};
      case HeadMath::nextTokenGradient:
        return NextTokenGradient{ids_.address(), to, rows, static_cast<std::uint32_t>(ids_.layout.shape[ids_.layout.rank - 1]), vocab, sizes_.lossFactor};
      case HeadMath::logSoftmaxGradient: return LogSoftmaxBackward{newest(step.with), newest(step.from), to, rows, vocab};
      case HeadMath::none: break;
    }
    throw std::logic_error("a form without arithmetic");
  };
  executor_.launch(step.name, call());
}

void HeadRun::forward(Tensor hidden, const Tensor& weight, const Tensor& ids, bool hasGraph) {
  hasGraph_ = hasGraph;
  hiddenLayout_ = hidden.layout;
  weight_ = weight;
  ids_ = ids;
  tokens_ = hidden.layout.elementCount() / sizes_.hidden;
  if (hasGraph && autograd_.hasHooks()) {
    // The product saves its input and its weight.
    saved_.push_back({"hidden", autograd_.save(hidden)});
    saved_.push_back({"weight", autograd_.save(weight), false});
  }
  tensors_["hidden"].push_back(std::move(hidden));
  walk(form_.forward, tokens_);
  if (!hasGraph || autograd_.hasHooks()) tensors_.erase("hidden");
}

void HeadRun::unpackSaved() {
  for (Saved& saved : std::exchange(saved_, {})) {
    if (saved.slot.isHooked()) executor_.device().hostWork(HostWork::unpackHook);
    Tensor tensor = saved.slot.unpack();
    // What another node saved comes back, is used at once and goes.
    if (saved.isRead) tensors_[saved.name].push_back(std::move(tensor));
  }
}

Tensor HeadRun::take(std::string_view name, const Layout& layout) {
  std::vector<Tensor>& all = tensors_[name];
  if (all.size() != 1) throw std::logic_error("a head ends with one gradient of each kind");
  Tensor tensor = std::move(all.front());
  tensors_.erase(name);
  tensor.layout = layout;
  return tensor;
}

HeadRun::Gradients HeadRun::backward() {
  isBackward_ = true;
  unpackSaved();
  walk(form_.backward, tokens_);
  isBackward_ = false;
  Gradients gradients{take("hiddenGradient", hiddenLayout_), take("weightGradient", weight_.layout)};
  tensors_.clear();
  return gradients;
}

}  // namespace offload
