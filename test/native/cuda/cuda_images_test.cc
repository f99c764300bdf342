#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>

#include "cuda/kernel_images.h"
#include "fake_driver.h"

using namespace offload;
using namespace offload::testing;
using cuda::KernelImage;
using cuda::KernelModules;

namespace {

constexpr unsigned char kSm80[] = "80", kSm90[] = "90", kPtx[] = "ptx", kHopperOnly[] = "hopper";
const std::array<KernelImage, 3> kImages{KernelImage{"norm", 0, kPtx}, {"norm", 80, kSm80}, {"norm", 90, kSm90}};

std::string codeOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const EngineError& error) {
    return error.problem().code;
  }
  return "nothing thrown";
}

}  // namespace

TEST_CASE("machine code where it runs, PTX elsewhere") {
  FakeDriver driver;
  const auto api = driver.api();
  const auto chosen = [&](int capability) {
    const KernelModules modules(*api, capability, kImages);
    return std::string(static_cast<const char*>(driver.lastImage())) + (modules.isHopper() ? " hopper" : "");
  };
  CHECK(chosen(80) == "80");
  CHECK(chosen(86) == "80");
  CHECK(chosen(89) == "80");
  CHECK(chosen(90) == "90 hopper");
  // sm_90a is for 9.0 alone, and newer generations run no older machine code.
  CHECK(chosen(100) == "ptx");
  CHECK(chosen(120) == "ptx");
  CHECK(codeOf([&] { chosen(75); }) == "CUDA_DEVICE_TOO_OLD");
  CHECK(driver.live() == 0);
}

TEST_CASE("an image that the driver refuses gives way to the next") {
  FakeDriver driver;
  const auto api = driver.api();
  driver.fail("cuModuleLoadDataEx", 1, cuda::result::noBinaryForGpu, false);
  const KernelModules modules(*api, 90, kImages);
  CHECK(std::string(static_cast<const char*>(driver.lastImage())) == "ptx");
  CHECK_FALSE(modules.isHopper());
}

TEST_CASE("all refused is a problem that names the source; other failures are not taken for a refusal") {
  FakeDriver driver;
  const auto api = driver.api();
  driver.fail("cuModuleLoadDataEx", 1, cuda::result::unsupportedPtxVersion, true);
  try {
    KernelModules(*api, 80, kImages);
    FAIL("nothing thrown");
  } catch (const EngineError& error) {
    CHECK(error.problem().code == "CUDA_IMAGE_REFUSED");
    CHECK(error.problem().cause.find("norm") != std::string::npos);
  }
  driver.fail("cuModuleLoadDataEx", 1, cuda::result::outOfMemory, false);
  CHECK(codeOf([&] { KernelModules(*api, 80, kImages); }) == "DEVICE_OUT_OF_MEMORY");
  CHECK(codeOf([&] { KernelModules(*api, 80, {}); }) == "CUDA_KERNELS_ABSENT");
}

TEST_CASE("sources for sm_90a alone are left out elsewhere") {
  FakeDriver driver;
  const auto api = driver.api();
  const std::array<KernelImage, 2> images{KernelImage{"norm", 0, kPtx}, {"matrix_product_hopper", 90, kHopperOnly}};
  CHECK_FALSE(KernelModules(*api, 80, images).isHopper());
  CHECK(KernelModules(*api, 90, images).isHopper());
}

TEST_CASE("this build has PTX of every source, ended by a zero, of a version that drivers from CUDA 11.0 on take") {
  std::set<std::string_view> sources;
  std::set<std::string_view> withPtx;
  for (const KernelImage& image : cuda::kernelImages()) {
    sources.insert(image.source);
    if (image.architecture != 0) continue;
    withPtx.insert(image.source);
    const std::string_view text(reinterpret_cast<const char*>(image.bytes));
    CHECK(text.starts_with(".version 7."));
    CHECK(text.find(".target sm_80") != std::string_view::npos);
  }
  for (const std::string_view source : sources) {
    INFO(std::string(source));
    CHECK((withPtx.contains(source) || source.ends_with("_hopper")));
  }
  CHECK(withPtx.size() >= 10);
}
