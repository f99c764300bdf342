#include "devices/open_device.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace offload;

// Devices with a GPU: cuda_diagnosis_test.cc.
TEST_CASE("auto and cpu are the CPU device without a GPU, the others say why not") {
  setenv("OFFLOAD_LENS_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
  const std::atomic<bool> cancelled{false};
  for (const char* name : {"auto", "cpu"}) {
    const auto device = openDevice(name, cancelled);
    REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(device));
    CHECK(std::get<std::unique_ptr<Device>>(device)->info().kind == "cpu");
  }
  CHECK(std::get<Problem>(openDevice("cuda", cancelled)).code == "CUDA_DRIVER_ABSENT");
  const auto simulated = openDevice("sim:H200", cancelled);
  REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(simulated));
  CHECK(std::get<std::unique_ptr<Device>>(simulated)->info().kind == "sim");
  CHECK(std::get<Problem>(openDevice("sim:H9", cancelled)).code == "DEVICE_UNKNOWN");
  CHECK(std::get<Problem>(openDevice("tpu", cancelled)).code == "DEVICE_UNKNOWN");
}
