#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/device/device.h"

namespace offload {

/// Owns an event of a device.
class DeviceEvent {
 public:
  DeviceEvent() = default;
  DeviceEvent(Device& device, EventId id) : device_(&device), id_(id) {}
  DeviceEvent(DeviceEvent&& other) noexcept : device_(std::exchange(other.device_, nullptr)), id_(other.id_) {}
  DeviceEvent& operator=(DeviceEvent&& other) noexcept {
    if (this != &other) {
      reset();
      device_ = std::exchange(other.device_, nullptr);
      id_ = other.id_;
    }
    return *this;
  }
  ~DeviceEvent() { reset(); }

  explicit operator bool() const { return device_ != nullptr; }
  EventId id() const { return id_; }
  bool isReady() const { return device_ == nullptr || device_->isReady(id_); }

 private:
  void reset() noexcept {
    if (device_ != nullptr) device_->releaseEvent(id_);
    device_ = nullptr;
  }

  Device* device_ = nullptr;
  EventId id_;
};

/// Owns a stream of a device beside the compute stream.
class DeviceStream {
 public:
  DeviceStream(Device& device, std::string_view name) : device_(device), id_(device.createStream(name)) {}
  ~DeviceStream() { device_.destroyStream(id_); }
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;

  StreamId id() const { return id_; }

 private:
  Device& device_;
  StreamId id_;
};

/// Owns a piece of device memory that no ledger counts, for first use on the compute stream.
class DeviceBuffer {
 public:
  /// Throws DEVICE_OUT_OF_MEMORY.
  DeviceBuffer(Device& device, std::uint64_t sizeBytes) : device_(device), address_(device.allocate(sizeBytes, kComputeStream)) {}
  ~DeviceBuffer() { device_.release(address_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  DeviceAddress address() const { return address_; }

 private:
  Device& device_;
  DeviceAddress address_;
};

}  // namespace offload
