#include "engine/memory_estimate.h"

#include "engine/decoder_model.h"

namespace offload {
namespace {

/// RMS norm over `count` elements in `rows` rows: fp32 copy, normalised tensor, reciprocal root.
std::uint64_t normBytes(std::uint64_t count, std::uint64_t rows, std::uint64_t elementBytes) {
  return count * (4 + elementBytes) + 4 * rows;
}

}  // namespace

SavedBytes savedBytes(const ModelDimensions& d, ElementType element, std::uint64_t batch, std::uint64_t seq) {
  const std::uint64_t tokens = batch * seq;
  const std::uint64_t e = bytesPerElement(element);
  const std::uint64_t query = tokens * d.heads * d.headDim;
  const std::uint64_t keyValue = tokens * d.keyValueHeads * d.headDim;
  const std::uint64_t hidden = tokens * d.hidden;

  SavedBytes bytes;
  bytes.layerInput = hidden * e;
  bytes.perLayer = 2 * normBytes(hidden, tokens, e) + 2 * hidden * e;
  if (d.qkNorm) {
    bytes.perLayer += normBytes(query, tokens * d.heads, e) + normBytes(keyValue, tokens * d.keyValueHeads, e);
  }
  bytes.perLayer += (2 * query + 2 * keyValue) * e + tokens * d.heads * 4;
  bytes.perLayer += 4 * tokens * d.intermediate * e;
  bytes.oncePerModel = normBytes(hidden, tokens, e) + 4 * hidden + 2 * tokens * d.headDim * e;
  return bytes;
}

MemoryNeed estimateNeed(const ModelDimensions& d, ElementType element, std::uint64_t batch, std::uint64_t longestSeq,
                        bool isCheckpointed) {
  const SavedBytes saved = savedBytes(d, element, batch, longestSeq);
  MemoryNeed need;
  need.hostBytes = (d.layers - 1) * saved.layerInput;
  need.deviceBytes = weightBytes(d, element) + trainedBytes(d, element) + saved.oncePerModel + saved.perLayer;
  need.deviceBytes += d.layers * (isCheckpointed ? saved.layerInput : saved.perLayer);
  return need;
}

}  // namespace offload
