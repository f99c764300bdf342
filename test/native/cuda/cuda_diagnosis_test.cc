#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>

#include "cuda/open_cuda_device.h"
#include "devices/open_device.h"
#include "fake_driver.h"

using namespace offload;
using namespace offload::testing;

namespace {

/// Sets a variable for a scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

Problem problemOfOpening() {
  const std::atomic<bool> cancelled{false};
  auto opened = openCudaDevice(cancelled);
  REQUIRE(std::holds_alternative<Problem>(opened));
  return std::get<Problem>(opened);
}

}  // namespace

TEST_CASE("without a driver it says where it looked and what to do") {
  const Variable path("OFFLOAD_LENS_LIBCUDA", "/nonexistent/libcuda.so.1");
  const Problem problem = problemOfOpening();
  CHECK(problem.code == "CUDA_DRIVER_ABSENT");
  // Values of variables stay out of messages: somebody may post them.
  CHECK(problem.cause.find("/nonexistent") == std::string::npos);
  CHECK(problem.cause.find("OFFLOAD_LENS_LIBCUDA") != std::string::npos);
  CHECK(problem.cause.find("cannot open shared object file") != std::string::npos);
  CHECK(problem.nextStep.find("nvidia-smi") != std::string::npos);
}

TEST_CASE("a library that is no driver is told apart from none") {
  const Variable path("OFFLOAD_LENS_LIBCUDA", "libm.so.6");
  const Problem problem = problemOfOpening();
  CHECK(problem.code == "CUDA_DRIVER_FOREIGN");
  CHECK(problem.cause.find("the library that OFFLOAD_LENS_LIBCUDA names has no cuInit") != std::string::npos);
}

TEST_CASE("each reason not to run has a code of its own") {
  const Variable path("OFFLOAD_LENS_LIBCUDA", OFFLOAD_FAKE_CUDA);
  const Variable matmul("OFFLOAD_LENS_MATMUL", "own");
  FakeDriver driver;
  const auto codeAfter = [&](const std::function<void()>& arrange) {
    driver.reset();
    arrange();
    const Problem problem = problemOfOpening();
    CHECK_FALSE(problem.nextStep.empty());
    return problem.code;
  };
  CHECK(codeAfter([&] { driver.fail("cuInit", 1, cuda::result::noDevice, false); }) == "CUDA_NO_DEVICE");
  CHECK(codeAfter([&] { driver.devices(0); }) == "CUDA_NO_DEVICE");
  CHECK(codeAfter([&] { driver.fail("cuInit", 1, cuda::result::stubLibrary, false); }) == "CUDA_DRIVER_TOO_OLD");
  CHECK(codeAfter([&] { driver.versions(90, 10020); }) == "CUDA_DRIVER_TOO_OLD");
  CHECK(codeAfter([&] { driver.fail("cuInit", 1, cuda::result::driverMismatch, false); }) == "CUDA_DRIVER_MISMATCH");
  CHECK(codeAfter([&] { driver.fail("cuInit", 1, 999, false); }) == "CUDA_FAILED");
  CHECK(codeAfter([&] { driver.fail("cuDevicePrimaryCtxRetain", 1, cuda::result::deviceUnavailable, false); }) == "CUDA_DEVICE_BUSY");
  CHECK(codeAfter([&] { driver.fail("cuDevicePrimaryCtxRetain", 1, cuda::result::outOfMemory, false); }) == "DEVICE_OUT_OF_MEMORY");
  CHECK(codeAfter([&] { driver.versions(75, 13000); }) == "CUDA_DEVICE_TOO_OLD");
  CHECK(codeAfter([&] { driver.fail("cuModuleLoadDataEx", 1, cuda::result::unsupportedPtxVersion, true); }) == "CUDA_IMAGE_REFUSED");
}

TEST_CASE("the first GPU that can be used is, and the most hopeful reason is told") {
  const Variable path("OFFLOAD_LENS_LIBCUDA", OFFLOAD_FAKE_CUDA);
  const Variable matmul("OFFLOAD_LENS_MATMUL", "own");
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  driver.devices(2);
  driver.fail("cuDevicePrimaryCtxRetain", 1, cuda::result::deviceUnavailable, false);
  {
    auto opened = openCudaDevice(cancelled);
    REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(opened));
    CHECK(std::get<std::unique_ptr<Device>>(opened)->info().name == "Fake GPU 1");
  }
  driver.reset();
  driver.devices(2);
  driver.fail("cuDeviceGetName", 1, cuda::result::outOfMemory, false);
  driver.fail("cuDevicePrimaryCtxRetain", 2, cuda::result::deviceUnavailable, false);
  const Problem problem = problemOfOpening();
  CHECK(problem.code == "CUDA_DEVICE_BUSY");
  CHECK(problem.cause.find("GPU 1 of 2") != std::string::npos);
  CHECK(driver.live() == 0);
}

TEST_CASE("auto takes the GPU, else the CPU and says why") {
  const std::atomic<bool> cancelled{false};
  const Variable matmul("OFFLOAD_LENS_MATMUL", "own");
  {
    const Variable path("OFFLOAD_LENS_LIBCUDA", OFFLOAD_FAKE_CUDA);
    FakeDriver driver;
    auto opened = openDevice("auto", cancelled);
    REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(opened));
    CHECK(std::get<std::unique_ptr<Device>>(opened)->info().kind == "cuda");
  }
  const Variable path("OFFLOAD_LENS_LIBCUDA", "/nonexistent/libcuda.so.1");
  auto opened = openDevice("auto", cancelled);
  REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(opened));
  auto& device = *std::get<std::unique_ptr<Device>>(opened);
  CHECK(device.info().kind == "cpu");
  REQUIRE(device.warnings().size() == 1);
  CHECK(device.warnings()[0].code == "DEVICE_FALLBACK");
  CHECK(device.warnings()[0].message.find("CUDA_DRIVER_ABSENT") != std::string::npos);
}

TEST_CASE("a GPU that others use is told") {
  const Variable path("OFFLOAD_LENS_LIBCUDA", OFFLOAD_FAKE_CUDA);
  const Variable matmul("OFFLOAD_LENS_MATMUL", "own");
  FakeDriver driver;
  driver.memory(std::uint64_t{10} << 30U, std::uint64_t{40} << 30U);
  const std::atomic<bool> cancelled{false};
  auto opened = openCudaDevice(cancelled);
  REQUIRE(std::holds_alternative<std::unique_ptr<Device>>(opened));
  auto& device = *std::get<std::unique_ptr<Device>>(opened);
  REQUIRE(device.warnings().size() == 1);
  CHECK(device.warnings()[0].code == "GPU_SHARED");
  // A margin of 1 GiB stays with the others.
  CHECK(device.availableBytes() == std::uint64_t{9} << 30U);
}
