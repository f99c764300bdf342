#include "engine/device/device_decorator.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "fake_device.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Says of itself what a plain device does not.
class OddDevice final : public DeviceDecorator {
 public:
  using DeviceDecorator::DeviceDecorator;
  std::vector<Warning> warnings() override { return {{"ODD", "It is odd."}}; }
  Ticket collective(StreamId, const CollectiveCall& call) override { return {call.wholeBytes}; }
  void layOutRows(const RowLayout& layout) override { rows = layout; }
  void useOperatorCosts(const OperatorCosts& costs) override { normOperators = costs.normForward.operators; }
  void hostWork(HostWork work) override { isUnpacking = work == HostWork::unpackHook; }
  double hostBoundNs() const override { return 17; }
  double attentionNs() const override { return 19; }
  bool computesValues() const override { return false; }

  RowLayout rows;
  std::uint32_t normOperators = 0;
  bool isUnpacking = false;
};

std::size_t countOf(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) ++count;
  return count;
}

}  // namespace

TEST_CASE("what a device says and takes beyond a plain one goes through a decorator") {
  FakeDevice fake;
  OddDevice odd(fake);
  DeviceDecorator decorated(static_cast<Device&>(odd));
  CHECK(decorated.hostBoundNs() == 17);
  CHECK_FALSE(decorated.computesValues());
  REQUIRE(decorated.warnings().size() == 1);
  CHECK(decorated.warnings()[0].code == "ODD");
  CHECK(decorated.collective(kComputeStream, {CollectiveKind::allGather, 64, 2}).value == 64);
  decorated.layOutRows({4, 512});
  CHECK(odd.rows == RowLayout{4, 512});
  CHECK(decorated.attentionNs() == 19);
  OperatorCosts costs;
  costs.normForward.operators = 6;
  decorated.useOperatorCosts(costs);
  CHECK(odd.normOperators == 6);
  decorated.hostWork(HostWork::unpackHook);
  CHECK(odd.isUnpacking);
}

// A decorator that misses a pure call does not compile (device_decorator.h asserts it); one that misses a call with an answer of
// its own would answer that.
TEST_CASE("Device has no call with an answer of its own") {
  std::ifstream file(OFFLOAD_FIXTURES "/../../native/engine/device/device.h");
  std::ostringstream header;
  header << file.rdbuf();
  const std::string text = header.str();
  const std::size_t begin = text.find("class Device {");
  REQUIRE(begin != std::string::npos);
  const std::string body = text.substr(begin, text.find("\n};", begin) - begin);
  CHECK(countOf(body, "virtual ") > 25);
  // The destructor is the one that is not pure.
  CHECK(countOf(body, "virtual ") == countOf(body, " = 0;") + 1);
}
