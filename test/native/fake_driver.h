#pragma once

#include <dlfcn.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

#include "cuda/driver_api.h"
#include "fake_cuda/fake_cuda.h"

namespace offload::testing {

/// The libcuda of fake_cuda/, loaded, with its controls. Reset at each construction.
class FakeDriver {
 public:
  FakeDriver() : library_(dlopen(OFFLOAD_FAKE_CUDA, RTLD_NOW)) {
    if (library_ == nullptr) throw std::runtime_error("the stand-in for libcuda was built elsewhere: " + std::string(dlerror()));
    bind(reset, "fakeCudaReset");
    bind(fail, "fakeCudaFail");
    bind(busy, "fakeCudaBusy");
    bind(live, "fakeCudaLive");
    bind(calls, "fakeCudaCalls");
    bind(memory, "fakeCudaMemory");
    bind(versions, "fakeCudaVersions");
    bind(devices, "fakeCudaDevices");
    bind(lastImage, "fakeCudaLastImage");
    bind(throttle, "fakeCudaThrottle");
    reset();
  }

  std::shared_ptr<const cuda::DriverApi> api() const {
    return std::get<std::shared_ptr<const cuda::DriverApi>>(cuda::loadDriver({OFFLOAD_FAKE_CUDA}));
  }

  decltype(&fakeCudaReset) reset = nullptr;
  decltype(&fakeCudaFail) fail = nullptr;
  decltype(&fakeCudaBusy) busy = nullptr;
  decltype(&fakeCudaLive) live = nullptr;
  decltype(&fakeCudaCalls) calls = nullptr;
  decltype(&fakeCudaMemory) memory = nullptr;
  decltype(&fakeCudaVersions) versions = nullptr;
  decltype(&fakeCudaDevices) devices = nullptr;
  decltype(&fakeCudaLastImage) lastImage = nullptr;
  decltype(&fakeCudaThrottle) throttle = nullptr;

 private:
  template <class Control>
  void bind(Control& control, const char* name) {
    control = reinterpret_cast<Control>(dlsym(library_, name));
  }
  void* library_;
};

}  // namespace offload::testing
