#include "engine/tape/memory_ledger.h"

#include <doctest/doctest.h>

#include <vector>

using namespace offload;

namespace {

PartUse use(const PartUses& parts, MemoryPart part) { return parts[static_cast<std::size_t>(part)]; }

}  // namespace

TEST_CASE("the peak's parts are those of its first moment and add up to it") {
  MemoryLedger ledger;
  ledger.add(Account::live, MemoryPart::parameters, 100);
  ledger.add(Account::live, MemoryPart::logits, 50);
  ledger.add(Account::live, MemoryPart::logits, 20);
  ledger.remove(Account::live, MemoryPart::logits, 50);
  ledger.add(Account::live, MemoryPart::gradients, 50);
  CHECK(ledger.liveBytes() == 170);
  CHECK(ledger.peakBytes() == 170);
  CHECK(use(ledger.peakParts(), MemoryPart::parameters) == PartUse{100, 1});
  CHECK(use(ledger.peakParts(), MemoryPart::logits) == PartUse{70, 2});
  CHECK(use(ledger.peakParts(), MemoryPart::gradients) == PartUse{});
}

TEST_CASE("bytes that change what they are for stay live, and a new measurement starts from them") {
  MemoryLedger ledger;
  ledger.add(Account::live, MemoryPart::headGradient, 30);
  ledger.move(Account::live, MemoryPart::headGradient, MemoryPart::gradients, 30);
  ledger.resetPeak();
  CHECK(ledger.peakBytes() == 30);
  CHECK(use(ledger.peakParts(), MemoryPart::gradients) == PartUse{30, 1});
  CHECK(use(ledger.peakParts(), MemoryPart::headGradient) == PartUse{});
}

TEST_CASE("each change names its part, and a move concerns two with the same sum") {
  MemoryLedger ledger;
  std::vector<MemoryChange> changes;
  ledger.onChange([&](const MemoryChange& change) { changes.push_back(change); });
  ledger.add(Account::live, MemoryPart::headGradient, 30);
  ledger.add(Account::live, MemoryPart::gradients, 5);
  ledger.move(Account::live, MemoryPart::headGradient, MemoryPart::gradients, 10);
  ledger.remove(Account::live, MemoryPart::gradients, 15);
  ledger.add(Account::scratch, MemoryPart::other, 7);
  const std::vector<MemoryChange> expected = {{30, MemoryPart::headGradient, 30},
                                              {35, MemoryPart::gradients, 5},
                                              {35, MemoryPart::headGradient, 20},
                                              {35, MemoryPart::gradients, 15},
                                              {20, MemoryPart::gradients, 0}};
  CHECK(changes == expected);
}

TEST_CASE("scratch and batches are no part of the peak") {
  MemoryLedger ledger;
  ledger.add(Account::batch, MemoryPart::other, 10);
  ledger.add(Account::scratch, MemoryPart::other, 20);
  ledger.move(Account::scratch, MemoryPart::other, MemoryPart::logits, 20);
  CHECK(ledger.peakBytes() == 0);
  CHECK(ledger.scratchPeakBytes() == 20);
  CHECK(ledger.peakParts() == PartUses{});
}
