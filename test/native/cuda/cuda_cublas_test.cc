#include "cuda/cublas.h"

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "cuda/cuda_device.h"
#include "cuda/shared_library.h"
#include "device_arrays.h"
#include "fake_driver.h"

using namespace offload;
using namespace offload::testing;

namespace {

namespace fs = std::filesystem;

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name), before_(cuda::environmentValue(name)) { setenv(name, value.c_str(), 1); }
  ~Variable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

std::vector<float> resultOf(Device& device, const std::vector<std::vector<float>>& inputs, std::size_t count,
                            const std::function<KernelCall(const std::vector<DeviceAddress>&, DeviceAddress)>& make) {
  std::vector<DeviceAddress> in;
  for (const auto& input : inputs) {
    in.push_back(device.allocate(input.size() * 4, kComputeStream));
    device.copyToDevice(kComputeStream, in.back(), reinterpret_cast<const std::byte*>(input.data()), input.size() * 4);
  }
  const DeviceAddress out = device.allocate(count * 4, kComputeStream);
  device.launch(kComputeStream, make(in, out));
  std::vector<float> result(count);
  device.copyToHost(kComputeStream, reinterpret_cast<std::byte*>(result.data()), out, count * 4);
  device.synchronize();
  return result;
}

bool isClose(const std::vector<float>& a, const std::vector<float>& b) {
  const std::vector<double> wide(b.begin(), b.end());
  return largestError(a, wide) < tolerance(ElementType::f32);
}

}  // namespace

TEST_CASE("the three forms of a product reach cuBLAS with the right shapes") {
  const Variable path("OFFLOAD_LENS_CUBLAS", OFFLOAD_FAKE_CUDA);
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  {
    CudaDevice gpu(driver.api(), 0, cancelled);
    CpuDevice cpu(cancelled);
    CHECK(gpu.info().matmul == "cuBLAS 1.2.3");
    CHECK(gpu.warnings().empty());
    constexpr std::uint32_t rows = 7, in = 5, out = 11;
    constexpr ElementType e = ElementType::f32;
    const auto x = randomValues(rows * in, 1), w = randomValues(out * in, 2), g = randomValues(rows * out, 3);
    const auto forward = [](auto& a, auto to) { return LinearForward{e, a[0], a[1], 0, to, rows, in, out}; };
    CHECK(isClose(resultOf(gpu, {x, w}, rows * out, forward), resultOf(cpu, {x, w}, rows * out, forward)));
    const auto input = [](auto& a, auto to) { return LinearBackwardInput{e, a[0], a[1], to, rows, in, out}; };
    CHECK(isClose(resultOf(gpu, {g, w}, rows * in, input), resultOf(cpu, {g, w}, rows * in, input)));
    const auto weight = [](auto& a, auto to) { return LinearBackwardWeight{e, a[0], a[1], to, 0, rows, in, out}; };
    CHECK(isClose(resultOf(gpu, {g, x}, out * in, weight), resultOf(cpu, {g, x}, out * in, weight)));
    driver.fail("cublasGemmEx", 1, 13, false);
    CHECK_THROWS_AS(resultOf(gpu, {x, w}, rows * out, forward), EngineError);
  }
  CHECK(driver.live() == 0);
}

TEST_CASE("without cuBLAS the own products run and it is said; asked for, it is an error") {
  const Variable path("OFFLOAD_LENS_CUBLAS", "/nonexistent/libcublas.so.13");
  FakeDriver driver;
  const std::atomic<bool> cancelled{false};
  CudaDevice device(driver.api(), 0, cancelled);
  CHECK(device.info().matmul == "own");
  REQUIRE(device.warnings().size() == 1);
  CHECK(device.warnings()[0].code == "CUBLAS_ABSENT");
  try {
    CudaDevice(driver.api(), 0, cancelled, {.matmul = CudaDeviceOptions::Matmul::cublas});
    FAIL("nothing thrown");
  } catch (const EngineError& error) {
    CHECK(error.problem().code == "CUDA_MATMUL_FAILED");
    CHECK(error.problem().cause.find("/nonexistent") == std::string::npos);
    CHECK(error.problem().cause.find("OFFLOAD_LENS_CUBLAS") != std::string::npos);
  }
}

TEST_CASE("cuBLAS is looked for in toolkits and in the wheels of the interpreters on PATH") {
  const fs::path folder = fs::temp_directory_path() / ("offload-cublas-" + std::to_string(::getpid()));
  const auto touch = [&](const std::string& path) {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path) << "x";
    return (folder / path).string();
  };
  const std::string toolkit = touch("toolkit/lib64/libcublas.so.12");
  const std::string wheel = touch("venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublas.so.13");
  const std::string older = touch("conda/lib/python3.10/site-packages/nvidia/cublas/lib/libcublas.so.12");
  touch("venv/bin/python3");
  const Variable unset("OFFLOAD_LENS_CUBLAS", "");
  const Variable home("CUDA_HOME", (folder / "toolkit").string());
  const Variable conda("CONDA_PREFIX", (folder / "conda").string());
  const Variable path("PATH", "/nonexistent::" + (folder / "venv/bin").string());
  const auto paths = cuda::cublasPaths();
  const auto placeOf = [&](const std::string& text) {
    return std::find_if(paths.begin(), paths.end(), [&](const cuda::LibraryPath& each) { return each.path == text; }) - paths.begin();
  };
  CHECK(paths[0].path == "libcublas.so.13");
  CHECK(placeOf(toolkit) < placeOf(older));
  CHECK(placeOf(older) < placeOf(wheel));
  CHECK(placeOf(wheel) < static_cast<std::ptrdiff_t>(paths.size()));
  // Messages name the variables, not what they hold.
  for (const cuda::LibraryPath& each : paths) CHECK(each.shown.find(folder.string()) == std::string::npos);
  CHECK(paths[placeOf(toolkit)].shown == "$CUDA_HOME/lib64/libcublas.so.12");
  CHECK(paths[placeOf(older)].shown == "$CONDA_PREFIX/lib/python3.10/site-packages/nvidia/cublas/lib/libcublas.so.12");
  fs::remove_all(folder);
}
