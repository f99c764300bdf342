#include "cuda/cuda_device.h"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "fake_driver.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr CudaDeviceOptions kOwnMatmul{.matmul = CudaDeviceOptions::Matmul::own};

std::string codeOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const EngineError& error) {
    return error.problem().code;
  }
  return "nothing thrown";
}

/// Memset, copies in both directions, a wait between streams: what a step consists of.
void smallStep(CudaDevice& device) {
  const StreamId swap = device.createStream("swap");
  const DeviceAddress memory = device.allocate(4096, kComputeStream);
  device.launch(kComputeStream, Memset{memory, 4096});
  const auto pinned = device.allocatePinned(4096);
  std::vector<std::byte> pageable(4096);
  const HostAddress host = pinned ? *pinned : pageable.data();
  const EventId done = device.record(kComputeStream);
  device.streamWait(swap, done);
  device.copyToHost(swap, host, memory, 4096);
  device.copyToDevice(swap, memory, host, 4096);
  device.releaseEvent(done);
  device.synchronize();
  if (pinned) device.releasePinned(*pinned);
  device.release(memory);
  device.destroyStream(swap);
}

}  // namespace

TEST_CASE("bytes go to the GPU and back, and everything is given back") {
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  {
    CudaDevice device(driver.api(), 0, cancelled, kOwnMatmul);
    CHECK(device.info().kind == "cuda");
    CHECK(device.info().name == "Fake GPU 0");
    CHECK(device.info().matmul == "own");
    std::vector<std::uint32_t> sent(1000), received(1000);
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::uint32_t>(i * 2654435761U);
    const DeviceAddress a = device.allocate(4000, kComputeStream), b = device.allocate(4000, kComputeStream);
    CHECK(a % 256 == 0);
    CHECK(b % 256 == 0);
    device.copyToDevice(kComputeStream, a, reinterpret_cast<const std::byte*>(sent.data()), 4000);
    device.copyOnDevice(kComputeStream, b, a, 4000);
    device.copyToHost(kComputeStream, reinterpret_cast<std::byte*>(received.data()), b, 4000);
    device.synchronize();
    CHECK(received == sent);
    smallStep(device);
  }
  CHECK(driver.live() == 0);
}

TEST_CASE("intervals lie on the host's clock, in order, and work on a busy stream starts where the work before it ends") {
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  CudaDevice device(driver.api(), 0, cancelled, kOwnMatmul);
  const DeviceAddress memory = device.allocate(1 << 20, kComputeStream);
  const double beforeNs = device.nowNs();
  const Ticket first = device.launch(kComputeStream, Memset{memory, 1 << 20});
  driver.busy(1);
  const Ticket second = device.launch(kComputeStream, Memset{memory, 1 << 20});
  const Ticket third = device.launch(kComputeStream, Memset{memory, 1 << 20});
  device.synchronize();
  // Floats of milliseconds since the clocks were tied, and the tie itself.
  constexpr double slackNs = 1e6;
  CHECK(device.interval(first).startNs > beforeNs - slackNs);
  CHECK(device.interval(first).startNs <= device.interval(first).endNs);
  CHECK(device.interval(second).startNs == device.interval(first).endNs);
  CHECK(device.interval(third).startNs > device.interval(second).endNs);
  CHECK(device.interval(third).endNs < device.nowNs() + slackNs);
  device.forgetTickets();
  CHECK_THROWS_AS(device.interval(first), std::logic_error);
}

TEST_CASE("events of measured work are used again") {
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  CudaDevice device(driver.api(), 0, cancelled, kOwnMatmul);
  const DeviceAddress memory = device.allocate(64, kComputeStream);
  const auto step = [&] {
    for (int i = 0; i < 50; ++i) device.launch(kComputeStream, Memset{memory, 64});
    device.forgetTickets();
  };
  step();
  const int live = driver.live();
  for (int i = 0; i < 1000; ++i) step();
  CHECK(driver.live() == live);
}

TEST_CASE("the host stops when it is too far ahead, and a cancel ends that wait") {
  FakeDriver driver;
  std::atomic<bool> cancelled{false};
  CudaDevice device(driver.api(), 0, cancelled, kOwnMatmul);
  const DeviceAddress memory = device.allocate(64, kComputeStream);
  driver.busy(1 << 30);
  for (std::size_t i = 0; i < cuda::WorkTimer::kMostAhead; ++i) device.launch(kComputeStream, Memset{memory, 64});
  cancelled = true;
  CHECK(codeOf([&] { device.launch(kComputeStream, Memset{memory, 64}); }) == "CANCELLED");
  const EventId event = device.record(kComputeStream);
  CHECK(codeOf([&] { device.hostWait(event); }) == "CANCELLED");
  driver.busy(0);
  CHECK(codeOf([&] { device.synchronize(); }) == "CANCELLED");
}

TEST_CASE("memory that fails is a coded error, also where the driver refuses it") {
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  CudaDevice device(driver.api(), 0, cancelled, kOwnMatmul);
  CHECK(codeOf([&] { device.allocate(std::uint64_t{9} << 30U, kComputeStream); }) == "DEVICE_OUT_OF_MEMORY");
  driver.fail("cuMemAlloc", 1, cuda::result::outOfMemory, false);
  CHECK(codeOf([&] { device.allocate(64U << 20U, kComputeStream); }) == "DEVICE_OUT_OF_MEMORY");
  CHECK(device.allocate(64U << 20U, kComputeStream) != 0);
}

TEST_CASE("pinning that fails is no error") {
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  CudaDevice device(driver.api(), 0, cancelled, kOwnMatmul);
  driver.fail("cuMemHostAlloc", 1, cuda::result::outOfMemory, false);
  CHECK_FALSE(device.allocatePinned(4096));
  CHECK_FALSE(device.allocatePinned(std::uint64_t{1} << 60U));
  CHECK(device.allocatePinned(4096));
}

TEST_CASE("a lost GPU fails every call with its code, and destruction is quiet") {
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  {
    CudaDevice device(driver.api(), 0, cancelled, kOwnMatmul);
    const DeviceAddress memory = device.allocate(64, kComputeStream);
    for (const char* entry : {"cuStreamQuery", "cuEventQuery", "cuMemsetD8Async", "cuStreamDestroy", "cuMemFree"}) {
      driver.fail(entry, 1, cuda::result::illegalAddress, true);
    }
    CHECK(codeOf([&] { device.launch(kComputeStream, Memset{memory, 64}); }) == "CUDA_KERNEL_FAULT");
    CHECK(codeOf([&] { device.synchronize(); }) == "CUDA_KERNEL_FAULT");
    driver.fail("cuStreamQuery", 1, cuda::result::uncorrectableMemoryError, true);
    CHECK(codeOf([&] { device.synchronize(); }) == "CUDA_DEVICE_LOST");
  }
  CHECK(driver.live() == 0);
}

TEST_CASE("whichever call of the driver fails, it is a coded error and nothing stays behind") {
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  for (const char* entry :
       {"cuDevicePrimaryCtxRetain", "cuDeviceGetName", "cuDeviceGetAttribute", "cuModuleLoadDataEx", "cuMemGetInfo", "cuMemAlloc",
        "cuMemHostAlloc", "cuStreamCreate", "cuStreamQuery", "cuStreamWaitEvent", "cuEventCreate", "cuEventRecord", "cuEventQuery",
        "cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync", "cuMemsetD8Async"}) {
    int nth = 1;
    for (bool isReached = true; isReached; ++nth) {
      driver.reset();
      driver.fail(entry, nth, cuda::result::outOfMemory, false);
      const std::string code = codeOf([&] {
        CudaDevice device(driver.api(), 0, cancelled, kOwnMatmul);
        smallStep(device);
      });
      INFO(entry << " call " << nth << ": " << code);
      CHECK((code == "DEVICE_OUT_OF_MEMORY" || code == "nothing thrown"));
      CHECK(driver.live() == 0);
      isReached = driver.calls(entry) >= nth;
    }
    CHECK(nth > 2);
  }
}
