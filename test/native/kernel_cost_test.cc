// The cost model against single kernels recorded on the GPU that it is fitted to.
#include "sim/kernel_cost.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

DeviceProfile h200() { return std::get<DeviceProfile>(findDeviceProfile("H200")); }

double milliseconds(const KernelCall& call, const SequenceSharing& sharing = {}) {
  return kernelCost(h200(), call, sharing).deviceNs / 1e6;
}

double productMs(std::uint64_t rows, std::uint32_t inWidth, std::uint32_t outWidth) {
  return milliseconds(LinearForward{ElementType::bf16, 0, 0, 0, 0, rows, inWidth, outWidth});
}

AttentionForward attention(std::uint32_t seq, std::uint32_t heads = 32) {
  return {ElementType::bf16, 0, 0, 0, 0, 0, 1, seq, heads, heads, 128};
}

double attentionBackwardMs(std::uint32_t seq) {
  return milliseconds(AttentionBackward{ElementType::bf16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, seq, 32, 32, 128});
}

}  // namespace

TEST_CASE("matrix products of four sizes within a tenth") {
  const Json kernels = readFixture("reference-runs.json")["kernels_on_the_same_gpu"];
  CHECK(productMs(8192, 4096, 12288) == doctest::Approx(kernels["gemm_8192x4096x12288"]["ms"].get<double>()).epsilon(0.1));
  CHECK(productMs(8192, 12288, 4096) == doctest::Approx(kernels["gemm_8192x12288x4096"]["ms"].get<double>()).epsilon(0.1));
  CHECK(productMs(8192, 4096, 4096) == doctest::Approx(kernels["gemm_8192x4096x4096"]["ms"].get<double>()).epsilon(0.1));
  CHECK(productMs(4096, 1024, 3072) == doctest::Approx(kernels["gemm_4096x1024x3072"]["ms"].get<double>()).epsilon(0.1));
}

TEST_CASE("attention of long sequences within a tenth, forward and backward") {
  const Json kernels = readFixture("reference-runs.json")["kernels_on_the_same_gpu"];
  for (const std::uint32_t seq : {8192u, 32768u}) {
    const Json& recorded = kernels["sdpa_" + std::to_string(seq)];
    const double forward = recorded["fwd_ms"];
    CHECK(milliseconds(attention(seq)) == doctest::Approx(forward).epsilon(0.1));
    CHECK(attentionBackwardMs(seq) == doctest::Approx(recorded["fwdbwd_ms"].get<double>() - forward).epsilon(0.1));
  }
}

TEST_CASE("a product of few tokens costs what reading its weight costs") {
  const double weightBytes = 2.0 * 4096 * 12288;
  CHECK(productMs(1, 4096, 12288) >= weightBytes / (h200().memoryGBps * 1e6));
  CHECK(productMs(16, 4096, 12288) < productMs(1024, 4096, 12288));
}

TEST_CASE("ranks that share a sequence divide the work of attention, and exchange its operands") {
  // 2 ranks: half of the heads over all tokens is half of the operations.
  const double alone = milliseconds(attention(32768));
  const double shared = milliseconds(attention(16384), {2});
  CHECK(shared > alone / 2);
  CHECK(shared < 0.65 * alone);
}

TEST_CASE("eager norms cost the host many operators, a product one") {
  const RmsNormForward norm{ElementType::bf16, 0, 0, 0, 0, 0, 0, 8192, 4096, 1e-6f};
  CHECK(kernelCost(h200(), norm).operators == 8);
  CHECK(kernelCost(h200(), LinearForward{ElementType::bf16, 0, 0, 0, 0, 8, 8, 8}).operators == 1);
  // What only our engine does is free.
  CHECK(kernelCost(h200(), Checksum{0, 1000, 0}).deviceNs == 0);
}
