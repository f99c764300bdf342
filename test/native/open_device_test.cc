#include "devices/open_device.h"

#include <doctest/doctest.h>

using namespace offload;

TEST_CASE("auto and cpu are the CPU device, the others say why not") {
  const std::atomic<bool> cancelled{false};
  for (const char* name : {"auto", "cpu"}) {
    const auto device = openDevice(name, cancelled);
    REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(device));
    CHECK(std::get<std::unique_ptr<Device>>(device)->info().kind == "cpu");
  }
  CHECK(std::get<Problem>(openDevice("cuda", cancelled)).code == "DEVICE_UNAVAILABLE");
  const auto simulated = openDevice("sim:H200", cancelled);
  REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(simulated));
  CHECK(std::get<std::unique_ptr<Device>>(simulated)->info().kind == "sim");
  CHECK(std::get<Problem>(openDevice("sim:H9", cancelled)).code == "DEVICE_UNKNOWN");
  CHECK(std::get<Problem>(openDevice("tpu", cancelled)).code == "DEVICE_UNKNOWN");
}
