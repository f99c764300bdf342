#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "cuda/driver_api.h"
#include "cuda/driver_problem.h"

namespace offload::cuda {

/// Owns one handle of the driver. The destructor ignores failures: after a fault of the device every call fails.
template <class T, Result (*DriverApi::*Destroy)(T)>
class Owned {
 public:
  Owned() = default;
  Owned(const DriverApi& api, T value) : api_(&api), value_(value) {}
  Owned(Owned&& other) noexcept : api_(other.api_), value_(std::exchange(other.value_, T{})) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      reset();
      api_ = other.api_;
      value_ = std::exchange(other.value_, T{});
    }
    return *this;
  }
  ~Owned() { reset(); }

  T get() const { return value_; }
  explicit operator bool() const { return value_ != T{}; }

 private:
  void reset() noexcept {
    if (value_ != T{}) (api_->*Destroy)(std::exchange(value_, T{}));
  }

  const DriverApi* api_ = nullptr;
  T value_{};
};

using OwnedStream = Owned<Stream, &DriverApi::streamDestroy>;
using OwnedEvent = Owned<Event, &DriverApi::eventDestroy>;
using OwnedModule = Owned<Module, &DriverApi::moduleUnload>;
using OwnedDeviceMemory = Owned<DevicePointer, &DriverApi::memFree>;
using OwnedHostMemory = Owned<void*, &DriverApi::memFreeHost>;

/// Holds the device's primary context, the one that cuBLAS uses too, and makes it current on the calling thread.
class PrimaryContext {
 public:
  PrimaryContext(const DriverApi& api, DeviceOrdinal device) : api_(api), device_(device) {
    check(api, api.primaryContextRetain(&context_, device), "cuDevicePrimaryCtxRetain");
    makeCurrent();
  }
  ~PrimaryContext() {
    api_.contextSetCurrent(nullptr);
    api_.primaryContextRelease(device_);
  }
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;

  void makeCurrent() const noexcept { api_.contextSetCurrent(context_); }

 private:
  const DriverApi& api_;
  DeviceOrdinal device_;
  Context context_ = nullptr;
};

/// Events that are used over and over, since making one costs more than recording it.
class EventPool {
 public:
  EventPool(const DriverApi& api, unsigned flags) : api_(api), flags_(flags) {}

  OwnedEvent take() {
    if (!idle_.empty()) {
      OwnedEvent event = std::move(idle_.back());
      idle_.pop_back();
      return event;
    }
    Event event = nullptr;
    check(api_, api_.eventCreate(&event, flags_), "cuEventCreate");
    return {api_, event};
  }
  void give(OwnedEvent event) { idle_.push_back(std::move(event)); }

 private:
  const DriverApi& api_;
  unsigned flags_;
  std::vector<OwnedEvent> idle_;
};

}  // namespace offload::cuda
