// Heads with real kernels: their gradients are those of the loss by finite differences.
#include <doctest/doctest.h>

#include <cmath>

#include "device_arrays.h"
#include "engine/head/head_run.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr std::uint32_t kBatch = 2;
constexpr std::uint32_t kSeq = 5;
constexpr std::uint32_t kHidden = 7;
constexpr std::uint32_t kVocab = 23;
constexpr float kFactor = 0.5F;
constexpr std::uint32_t kTokens = kBatch * kSeq;

using Values = std::vector<float>;

/// The loss in double precision, of plain loops.
double lossOf(const Values& hidden, const Values& weight, const std::vector<std::int32_t>& ids) {
  double total = 0;
  for (std::uint32_t row = 0; row < kTokens; ++row) {
    if ((row + 1) % kSeq == 0) continue;
    std::vector<double> logits(kVocab);
    double sum = 0;
    for (std::uint32_t word = 0; word < kVocab; ++word) {
      for (std::uint32_t j = 0; j < kHidden; ++j) logits[word] += static_cast<double>(hidden[row * kHidden + j]) * weight[word * kHidden + j];
      sum += std::exp(logits[word]);
    }
    total += std::log(sum) - logits[static_cast<std::size_t>(ids[row + 1])];
  }
  return kFactor * total / (kTokens - kBatch);
}

/// Largest difference between a gradient and the slopes of the loss, over the largest slope.
double worstOf(const Values& gradient, const Values& at, const std::function<double(const Values&)>& loss) {
  const std::vector<double> slopes = numericGradient(at, loss);
  double worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    worst = std::max(worst, std::abs(gradient[i] - slopes[i]));
    largest = std::max(largest, std::abs(slopes[i]));
  }
  REQUIRE(largest > 1e-3);
  return worst / largest;
}

}  // namespace

TEST_CASE("gradients of every head with arithmetic are the slopes of its loss") {
  std::size_t tried = 0;
  for (const std::string& name : headNames()) {
    const HeadForm form = headForm({name});
    if (!hasArithmetic(form)) continue;
    ++tried;
    CAPTURE(name);
    DeviceArrays arrays;
    MemoryLedger ledger;
    Recorder recorder{arrays.device};
    Executor executor{arrays.device, ledger, recorder, arrays.cancelled};
    Autograd autograd{executor};
    const auto upload = [&](const Layout& layout, const auto& values) {
      Tensor tensor = executor.allocate(layout);
      arrays.device.copyToDevice(kComputeStream, tensor.address(), reinterpret_cast<const std::byte*>(values.data()), layout.sizeBytes());
      arrays.device.synchronize();
      return tensor;
    };
    const Values hidden = randomValues(kTokens * kHidden, 1);
    const Values weight = randomValues(kVocab * kHidden, 2);
    std::vector<std::int32_t> ids;
    for (std::uint32_t i = 0; i < kTokens; ++i) ids.push_back(static_cast<std::int32_t>(i * 5 % kVocab));

    HeadRun run(autograd, form, {kHidden, kVocab, 1, 1, ElementType::f32, kFactor});
    const Tensor weightTensor = upload(Layout::contiguous(TensorType::f32, {kVocab, kHidden}), weight);
    run.forward(upload(Layout::contiguous(TensorType::f32, {kBatch, kSeq, kHidden}), hidden), weightTensor,
                upload(Layout::contiguous(TensorType::i32, {kBatch, kSeq}), ids), true);
    const HeadRun::Gradients gradients = run.backward();
    const auto download = [&](const Tensor& tensor) { return arrays.download(ElementType::f32, tensor.address(), tensor.layout.elementCount()); };
    CHECK(worstOf(download(gradients.hidden), hidden, [&](const Values& moved) { return lossOf(moved, weight, ids); }) < 1e-3);
    CHECK(worstOf(download(gradients.weight), weight, [&](const Values& moved) { return lossOf(hidden, moved, ids); }) < 1e-3);
  }
  CHECK(tried >= 2);
}
