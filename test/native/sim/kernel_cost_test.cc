// The cost model against single kernels recorded on the GPU that it is fitted to.
#include "sim/kernel_cost.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

DeviceProfile h200() { return std::get<DeviceProfile>(findDeviceProfile("H200")); }

double milliseconds(const KernelCall& call, const RowLayout& layout = {}) {
  return kernelCost(h200(), call, layout).deviceNs / 1e6;
}

bool isWithinTenth(double value, double truth) { return std::abs(value / truth - 1) <= 0.1; }

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

// Medians over the kernels of test/fixtures/traces: q8_s8k_gc_veomni (8,192 tokens, 32 heads) and q06_s4k_gc_veomni_mem (4,096
// tokens, 16 heads). Products timed by the host, one at a time, take longer than these.
TEST_CASE("matrix products of a recorded step, large and small, within a tenth") {
  CHECK(isWithinTenth(productMs(8192, 4096, 12288), 1.0455));
  CHECK(isWithinTenth(productMs(8192, 4096, 4096), 0.3455));
  CHECK(isWithinTenth(productMs(4096, 1024, 3072), 0.0368));
  CHECK(isWithinTenth(productMs(4096, 1024, 1024), 0.0149));
}

TEST_CASE("attention of a recorded step, and alone over a long sequence, within a tenth, forward and backward") {
  CHECK(isWithinTenth(milliseconds(attention(8192)), 0.9783));
  CHECK(isWithinTenth(milliseconds(attention(4096, 16)), 0.1474));
  CHECK(isWithinTenth(attentionBackwardMs(8192), 2.7559));
  const Json recorded = readFixture("reference-runs.json")["kernels_on_the_same_gpu"]["sdpa_32768"];
  const double forward = recorded["fwd_ms"];
  CHECK(isWithinTenth(milliseconds(attention(32768)), forward));
  CHECK(isWithinTenth(attentionBackwardMs(32768), recorded["fwdbwd_ms"].get<double>() - forward));
}

TEST_CASE("attention computes heads of whole multiples of 64") {
  const auto ofWidth = [](std::uint32_t headDim) {
    return milliseconds(AttentionForward{ElementType::bf16, 0, 0, 0, 0, 0, 1, 8192, 32, 32, headDim});
  };
  CHECK(ofWidth(96) == ofWidth(128));
  CHECK(ofWidth(64) < ofWidth(96));
}

TEST_CASE("a product of few tokens costs what reading its weight costs") {
  const double weightBytes = 2.0 * 4096 * 12288;
  CHECK(productMs(1, 4096, 12288) >= weightBytes / (h200().memoryGBps * 1e6));
  CHECK(productMs(16, 4096, 12288) < productMs(1024, 4096, 12288));
}

TEST_CASE("a grouped product reads the weights of all experts that it has tokens for, however few") {
  const auto ms = [](std::uint64_t rows, std::uint64_t experts) {
    return milliseconds(GroupedProduct{ElementType::bf16, rows, 2048, 1536, experts, false});
  };
  const double weightBytes = 2.0 * 2048 * 1536;
  CHECK(ms(128, 128) >= 128 * weightBytes / (h200().memoryGBps * 1e6));
  CHECK(ms(128, 128) > 8 * ms(128, 8));
  CHECK(ms(8, 128) == ms(8, 8));
  // With many tokens each it comes near to one product of all.
  CHECK(ms(1 << 20, 8) < 1.35 * productMs(1 << 20, 2048, 1536));
}

TEST_CASE("ranks that share a sequence divide the work of attention, and exchange its operands") {
  // 2 ranks: half of the heads over all tokens is half of the operations.
  const double alone = milliseconds(attention(32768));
  const double shared = milliseconds(attention(16384), {2});
  CHECK(shared > alone / 2);
  CHECK(shared < 0.65 * alone);
}

TEST_CASE("attention of a packed row costs what its sequences cost one by one") {
  AttentionForward rows = attention(2048);
  rows.batch = 8;
  CHECK(milliseconds(attention(16384), {1, 2048}) == doctest::Approx(milliseconds(rows)));
  // A sequence is never longer than its row.
  CHECK(milliseconds(attention(4096), {1, 1u << 20}) == milliseconds(attention(4096)));
  CHECK(milliseconds(attention(2048), {8, 2048}) < milliseconds(attention(2048), {8, 0}));
  // Nothing else of the row changes.
  const RmsNormForward norm{ElementType::bf16, 0, 0, 0, 0, 0, 0, 16384, 4096, 1e-6f};
  CHECK(milliseconds(norm, {1, 512}) == milliseconds(norm));
}

TEST_CASE("eager norms cost the host many operators, a product one") {
  const RmsNormForward norm{ElementType::bf16, 0, 0, 0, 0, 0, 0, 8192, 4096, 1e-6f};
  CHECK(kernelCost(h200(), norm).operators == 8);
  CHECK(kernelCost(h200(), LinearForward{ElementType::bf16, 0, 0, 0, 0, 8, 8, 8}).operators == 1);
  // What only our engine does is free.
  CHECK(kernelCost(h200(), Checksum{0, 1000, 0}).deviceNs == 0);
}
