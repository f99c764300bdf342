#include "link/link.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cpu/cpu_device.h"
#include "engine/device/device_decorator.h"
#include "sim/open_sim_device.h"

using namespace offload;

namespace {

constexpr std::uint64_t kBytes = 1U << 20U;

/// Sends one wrong byte to the host with each copy from the `firstWrong`-th on.
class CorruptingDevice final : public DeviceDecorator {
 public:
  CorruptingDevice(Device& device, int firstWrong) : DeviceDecorator(device), left_(firstWrong) {}
  Ticket copyToHost(StreamId stream, HostAddress to, DeviceAddress from, std::uint64_t sizeBytes) override {
    const Ticket ticket = DeviceDecorator::copyToHost(stream, to, from, sizeBytes);
    synchronize();
    if (--left_ <= 0) to[sizeBytes / 2] ^= std::byte{1};
    return ticket;
  }

 private:
  int left_;
};

/// Opens a CPU device with options, whatever the name.
DeviceFactory cpuFactory(CpuDeviceOptions options = {}) {
  return [options](const std::string&, const std::atomic<bool>& cancelled) -> std::variant<std::unique_ptr<Device>, Problem> {
    return std::make_unique<CpuDevice>(cancelled, options);
  };
}

}  // namespace

TEST_CASE("each direction and both have a rate, and the pattern comes back") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  const LinkResult result = measureLink(device, kBytes, 4, cancelled);
  REQUIRE(result.pinned);
  for (const LinkRates& rates : {*result.pinned, *result.pageable}) {
    CHECK(rates.d2hGBps > 0);
    CHECK(rates.h2dGBps > 0);
  }
  CHECK(result.isVerified == true);
  CHECK(result.device.kind == "cpu");
}

TEST_CASE("pinned copies of the sizes of layers are measured one by one, where the buffers are larger") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled);
  const LinkResult result = measureLink(device, 9 * kBytes, 3, cancelled);
  REQUIRE(result.pinnedBySize.size() == 1);
  CHECK(result.pinnedBySize[0].sizeBytes == 8 * kBytes);
  CHECK(result.pinnedBySize[0].d2hGBps > 0);
  CHECK(result.pinnedBySize[0].h2dGBps > 0);
  CHECK(result.isVerified == true);
  CHECK(measureLink(device, 8 * kBytes, 3, cancelled).pinnedBySize.empty());
}

TEST_CASE("a byte that changes on the way is seen, first or last") {
  const std::atomic<bool> cancelled{false};
  for (const int firstWrong : {1, 10}) {
    CpuDevice cpu(cancelled);
    CorruptingDevice device(cpu, firstWrong);
    CHECK(measureLink(device, kBytes, 4, cancelled).isVerified == false);
  }
}

TEST_CASE("without pinned memory the rest is measured and it is said") {
  const std::atomic<bool> cancelled{false};
  CpuDevice device(cancelled, {.failPinning = 1});
  const LinkResult result = measureLink(device, kBytes, 4, cancelled);
  CHECK_FALSE(result.pinned);
  REQUIRE(result.pageable);
  CHECK(result.pageable->h2dGBps > 0);
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].code == "PINNING_FAILED");
}

TEST_CASE("the JSON has the members of the interface") {
  const std::atomic<bool> cancelled{false};
  const auto outcome = runLink("auto", cpuFactory(), cancelled);
  REQUIRE(std::holds_alternative<std::string>(outcome));
  const auto json = nlohmann::json::parse(std::get<std::string>(outcome));
  CHECK(json["device"]["kind"] == "cpu");
  CHECK(json["verified"] == true);
  for (const char* kind : {"pinned", "pageable"}) {
    for (const char* rate : {"d2hGBps", "h2dGBps", "bothGBps"}) CHECK(json[kind][rate].is_number());
  }
}

TEST_CASE("a simulated device shows its pageable rates, or that nobody knows them") {
  const std::atomic<bool> cancelled{false};
  const auto linkOf = [&](const char* name) {
    return nlohmann::json::parse(std::get<std::string>(runLink(name, openSimDevice, cancelled)));
  };
  const auto known = linkOf("H200");
  CHECK(known["pinned"]["d2hGBps"].get<double>() == doctest::Approx(54.85).epsilon(0.002));
  CHECK(known["pageable"]["d2hGBps"].get<double>() == doctest::Approx(15.45).epsilon(0.002));
  CHECK(known["pageable"]["h2dGBps"].get<double>() == doctest::Approx(8.88).epsilon(0.002));
  CHECK(known["warnings"].empty());
  const auto unknown = linkOf("A100");
  CHECK(unknown["pageable"].is_null());
  CHECK(unknown["warnings"][0]["code"] == "PAGEABLE_UNKNOWN");
}

TEST_CASE("no memory, a cancel and an unknown device are problems with a code") {
  const std::atomic<bool> cancelled{true};
  CHECK(std::get<Problem>(runLink("auto", cpuFactory(), cancelled)).code == "CANCELLED");
  const std::atomic<bool> running{false};
  CHECK(std::get<Problem>(runLink("auto", cpuFactory({.memoryLimitBytes = kBytes}), running)).code == "DEVICE_OUT_OF_MEMORY");
  CHECK(std::get<Problem>(runLink("auto", cpuFactory({.failAllocation = 2}), running)).code == "DEVICE_OUT_OF_MEMORY");
  const DeviceFactory none = [](const std::string&, const std::atomic<bool>&) { return Problem{"DEVICE_UNKNOWN", "no", "", ""}; };
  CHECK(std::get<Problem>(runLink("tpu", none, running)).code == "DEVICE_UNKNOWN");
}
