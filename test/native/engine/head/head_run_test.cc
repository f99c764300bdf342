#include "engine/head/head_run.h"

#include <algorithm>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Sizes of a head in elements, as the facts name them.
struct Sizes {
  std::uint64_t tokens;
  std::uint64_t vocab;
  std::uint64_t hidden;
  std::uint32_t headChunk;
  std::uint32_t entropyChunk;

  std::uint64_t tv() const { return tokens * vocab; }
  std::uint64_t cv() const { return headChunk * vocab; }
  std::uint64_t ev() const { return entropyChunk * vocab; }
  std::uint64_t vh() const { return vocab * hidden; }
  std::uint64_t th() const { return tokens * hidden; }
};

/// Bytes above what is there when the head starts, its input among it.
struct Bytes {
  std::uint64_t forwardPeak = 0;
  std::uint64_t kept = 0;
  std::uint64_t backwardPeak = 0;
  std::uint64_t atEnd = 0;
};

Bytes bytesOf(const HeadChoice& choice, const Sizes& sizes, bool hasGraph = true) {
  FakeEngine engine;
  Tensor hidden = engine.executor.allocate(Layout::contiguous(TensorType::bf16, {1, sizes.tokens, sizes.hidden}));
  const Tensor weight = engine.executor.allocate(Layout::contiguous(TensorType::bf16, {sizes.vocab, sizes.hidden}));
  const Tensor ids = engine.executor.allocate(Layout::contiguous(TensorType::i32, {1, sizes.tokens}), Account::batch);
  const std::uint64_t before = engine.ledger.liveBytes();
  HeadRun run(engine.autograd, headForm(choice), {sizes.hidden, sizes.vocab, sizes.headChunk, sizes.entropyChunk});
  engine.ledger.resetPeak();
  run.forward(std::move(hidden), weight, ids, hasGraph);
  Bytes bytes;
  bytes.forwardPeak = engine.ledger.peakBytes() - before;
  // Without its input, which counts before.
  bytes.kept = engine.ledger.liveBytes() + (engine.ledger.liveBytes() < before ? 2 * sizes.th() : 0) - before;
  if (!hasGraph) return bytes;
  engine.ledger.resetPeak();
  const HeadRun::Gradients gradients = run.backward();
  bytes.backwardPeak = engine.ledger.peakBytes() - before;
  bytes.atEnd = engine.ledger.liveBytes() - before;
  CHECK(gradients.hidden.layout.sizeBytes() == 2 * sizes.th());
  CHECK(gradients.weight.layout.sizeBytes() == 2 * sizes.vh());
  return bytes;
}

/// Logits outweigh the weight, as in long steps; the chunk of the entropy is a quarter of the tokens.
constexpr Sizes kLong{4096, 50304, 256, 512, 1024};
/// The weight outweighs a chunk of logits.
constexpr Sizes kWide{2048, 32000, 2048, 256, 512};

struct Row {
  HeadChoice choice;
  double forwardPeak, kept, backwardPeak;   ///< times tokens times vocabulary
};

}  // namespace

TEST_CASE("heads over all logits hold the bytes that were measured on an H200 and counted upstream") {
  // Blocks of 64 rows add at most four fp32 rows of theirs.
  const double block = 16.0 * 64 / static_cast<double>(kLong.tokens);
  const std::vector<Row> rows{
      {{"hf_eager"}, 10, 4, 12},
      {{"veomni_eager"}, 10, 6, 14},
      {{"verl_flash", Entropy::none, true}, 4, 2, 4},
      {{"verl_torch", Entropy::none, true}, 8, 4, 4},
      {{"verl_torch_rows", Entropy::none, true}, 8, 4, 4},
      {{"verl_torch", Entropy::none, false}, 6, 2, 4},
      {{"verl_flash", Entropy::eager, true}, 16, 10, 26},
      {{"verl_torch", Entropy::eager, true}, 16, 14, 26},
      {{"verl_flash", Entropy::eager, false}, 8, 4, 14},
      {{"verl_torch", Entropy::eager, false}, 8, 6, 14},
      {{"verl_flash", Entropy::checkpointed, true}, 16, 2, 30},
      {{"verl_torch", Entropy::checkpointed, true}, 16, 6, 30},
      {{"verl_flash", Entropy::compiled, true}, 4, 2, 6},
      // 10 + 12 and 12 + 12 bytes of a chunk that is a quarter of the tokens.
      {{"verl_flash", Entropy::chunked, true}, 13, 10, 15},
      {{"verl_torch", Entropy::chunked, true}, 16, 12, 15},
  };
  for (const Row& row : rows) {
    const std::string name = row.choice.head + " " + std::string(entropyName(row.choice.entropy)) + (row.choice.isAutocast ? "" : " without autocast");
    CAPTURE(name);
    const Bytes bytes = bytesOf(row.choice, kLong);
    const auto unit = static_cast<double>(kLong.tv());
    CHECK(static_cast<double>(bytes.forwardPeak) / unit == doctest::Approx(row.forwardPeak).epsilon(block / row.forwardPeak));
    CHECK(static_cast<double>(bytes.kept) / unit == doctest::Approx(row.kept).epsilon(1e-9));
    CHECK(static_cast<double>(bytes.backwardPeak) / unit == doctest::Approx(row.backwardPeak).epsilon(block / row.backwardPeak));
    // The weight's gradient, and the input's in the place of the input.
    CHECK(bytes.atEnd == 2 * kLong.vh());
  }
}

TEST_CASE("heads that take chunks hold what the chunk and the weight make of it") {
  for (const Sizes& s : {kLong, kWide}) {
    CAPTURE(s.vocab);
    const std::uint64_t gradients = 2 * s.th();

    const Bytes loss = bytesOf({"chunk_loss"}, s);
    CHECK(loss.forwardPeak == std::max(22 * s.cv() + 4 * s.vh(), 18 * s.cv() + 6 * s.vh()) + gradients);
    CHECK(loss.kept == 2 * s.vh());
    CHECK(loss.backwardPeak == loss.kept + gradients);
    const Bytes scaled = bytesOf({"chunk_loss", Entropy::none, false, true}, s);
    CHECK(scaled.forwardPeak == loss.forwardPeak);
    CHECK(scaled.backwardPeak == scaled.kept + 2 * s.vh() + gradients);

    const Bytes chunked = bytesOf({"verl_chunked", Entropy::none, true}, s);
    CHECK(chunked.forwardPeak == 12 * s.cv());
    CHECK(chunked.kept == 0);
    CHECK(chunked.backwardPeak == std::max(24 * s.cv() + 2 * s.vh(), 14 * s.cv() + 4 * s.vh()) + gradients);
    const Bytes used = bytesOf({"verl_chunked", Entropy::eager, true}, s);
    CHECK(used.backwardPeak == std::max(28 * s.cv() + 2 * s.vh(), 14 * s.cv() + 4 * s.vh()) + gradients);

    const Bytes trap = bytesOf({"verl_chunked_eager", Entropy::eager, true}, s);
    CHECK(trap.forwardPeak == 2 * s.tv() + 12 * s.cv());
    CHECK(trap.kept == 0);
    CHECK(trap.backwardPeak == used.backwardPeak);

    const Bytes fused = bytesOf({"verl_torch_fused", Entropy::none, true}, s);
    CHECK(fused.forwardPeak == 12 * s.cv());
    CHECK(fused.backwardPeak == std::max(20 * s.cv() + 4 * s.vh(), 14 * s.cv() + 6 * s.vh()) + gradients);

    const Bytes triton = bytesOf({"verl_triton", Entropy::none, true}, s);
    CHECK(triton.forwardPeak >= 12 * s.tokens * ((s.vocab + 1023) / 1024));
    CHECK(triton.kept == 12 * s.tokens);
    CHECK(triton.backwardPeak == triton.kept + 2 * s.tokens * 9504 + 2 * s.vh() + 2 * gradients);
  }
}

TEST_CASE("Liger takes as many rows as hidden states are wide in the vocabulary") {
  // 8,192 tokens: 64 rows at a width of 1,024, 256 at 4,096.
  for (const auto& [hidden, rows] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1024, 64}, {4096, 256}}) {
    const Sizes s{8192, 151936, hidden, 1, 1};
    const Bytes bytes = bytesOf({"liger"}, s);
    CHECK(bytes.forwardPeak == 2 * rows * s.vocab + 2 * s.vh() + 2 * s.th());
    CHECK(bytes.kept == 2 * s.vh());
    CHECK(bytes.backwardPeak == bytes.kept);
  }
}

TEST_CASE("a last chunk that is shorter is counted as short") {
  const Sizes even{1024, 1000, 64, 512, 512};
  Sizes odd = even;
  odd.tokens = 1025;
  const HeadChoice choice{"verl_torch", Entropy::chunked, true};
  CHECK(bytesOf(choice, odd).kept - bytesOf(choice, even).kept == 12 * even.vocab);
}

TEST_CASE("a pass without backward keeps nothing") {
  const Sizes& s = kLong;
  const auto peak = [&](const HeadChoice& choice) {
    const Bytes bytes = bytesOf(choice, s, false);
    CHECK(bytes.kept == 0);
    return bytes.forwardPeak;
  };
  CHECK(peak({"verl_flash", Entropy::none, true}) == 4 * s.tv());
  CHECK(peak({"verl_flash", Entropy::eager, true}) == 16 * s.tv());
  CHECK(peak({"verl_flash", Entropy::chunked, true}) == 4 * s.tv() + 12 * s.ev());
  CHECK(peak({"verl_chunked", Entropy::eager, true}) == 12 * s.cv());
}

TEST_CASE("every head of the list has a form, and says which entropies it cannot give") {
  CHECK(headNames().size() == 11);
  for (const std::string& name : headNames()) {
    CHECK(isHead(name));
    CHECK_FALSE(headForm({name}).forward.empty());
    CHECK_FALSE(checkEntropy(name, Entropy::none));
  }
  CHECK_FALSE(isHead("none"));
  CHECK(checkEntropy("hf_eager", Entropy::eager)->code == "ENTROPY_NOT_OF_HEAD");
  CHECK(checkEntropy("verl_chunked", Entropy::checkpointed)->code == "ENTROPY_NOT_OF_HEAD");
  CHECK_FALSE(checkEntropy("verl_chunked", Entropy::eager));
  CHECK_FALSE(checkEntropy("verl_torch", Entropy::checkpointed));
}
