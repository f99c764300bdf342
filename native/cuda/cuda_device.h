#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cuda/clock_watch.h"
#include "cuda/device_memory.h"
#include "cuda/driver_handles.h"
#include "cuda/kernel_images.h"
#include "cuda/kernel_launcher.h"
#include "cuda/work_timer.h"
#include "engine/device/device.h"

namespace offload {

/// Everything has a default that suits a user's machine; tests set the rest.
struct CudaDeviceOptions {
  /// Whose matrix products: cuBLAS if it can be found, cuBLAS or a failure, our own.
  enum class Matmul : std::uint8_t { automatic, cublas, own };
  Matmul matmul = Matmul::automatic;
  /// Kernels from PTX even where machine code fits.
  bool isPtxOnly = false;
  /// The n-th launch is a kernel that traps instead (1 is the first, 0 none).
  std::uint64_t faultAtLaunch = 0;
};

/// An NVIDIA GPU through the driver API. Work is measured by events of the GPU. Throws CANCELLED from calls that wait once
/// `cancelled` is true; what is queued by then still runs, a few tenths of a second at most. After a fault of the GPU every call
/// fails with its code, and destruction releases what the driver still lets go.
class CudaDevice final : public PlainDevice {
 public:
  /// Throws the coded reasons of cuda/driver_problem.h and cuda/kernel_images.h. `cancelled` must outlive the device.
  CudaDevice(std::shared_ptr<const cuda::DriverApi> api, cuda::DeviceOrdinal ordinal, const std::atomic<bool>& cancelled,
             CudaDeviceOptions options = {});
  /// Runs the streams empty.
  ~CudaDevice() override;

  DeviceInfo info() const override;
  std::vector<Warning> warnings() override;
  std::uint64_t availableBytes() const override;

  DeviceAddress allocate(std::uint64_t sizeBytes, StreamId stream) override;
  void release(DeviceAddress address) noexcept override;
  std::optional<HostAddress> allocatePinned(std::uint64_t sizeBytes) override;
  void releasePinned(HostAddress address) noexcept override;

  StreamId createStream(std::string_view name) override;
  void destroyStream(StreamId stream) noexcept override;
  EventId record(StreamId stream) override;
  bool isReady(EventId event) override;
  Ticket streamWait(StreamId stream, EventId event) override;
  void hostWait(EventId event) override;
  void releaseEvent(EventId event) noexcept override;
  void synchronize() override;

  Ticket launch(StreamId stream, const KernelCall& call) override;
  Ticket copyToHost(StreamId stream, HostAddress to, DeviceAddress from, std::uint64_t sizeBytes) override;
  Ticket copyToDevice(StreamId stream, DeviceAddress to, const std::byte* from, std::uint64_t sizeBytes) override;
  Ticket copyOnDevice(StreamId stream, DeviceAddress to, DeviceAddress from, std::uint64_t sizeBytes) override;

  double nowNs() override;
  /// Throws std::logic_error for a ticket that was forgotten or never given.
  Interval interval(Ticket ticket) const override;
  /// Runs the streams empty first.
  void forgetTickets() override;

 private:
  struct Lane {
    cuda::OwnedStream stream;
    cuda::StreamClock clock;
  };
  Lane& lane(StreamId stream);
  cuda::Event eventOf(EventId event) const;
  template <class Queue>
  Ticket measured(StreamId stream, const Queue& queue);
  void drain();
  void throwIfCancelled() const;
  void noteSharedMemory();

  std::shared_ptr<const cuda::DriverApi> api_;
  CudaDeviceOptions options_;
  const std::atomic<bool>& cancelled_;
  cuda::PrimaryContext context_;
  std::string name_;
  std::optional<int> numaNode_;
  std::unique_ptr<cuda::ClockWatch> clocks_;
  double lastSampleNs_ = 0;
  std::vector<Warning> warnings_;

  std::unique_ptr<cuda::KernelModules> modules_;
  std::unique_ptr<cuda::DeviceMemory> memory_;
  std::unordered_map<HostAddress, cuda::OwnedHostMemory> pinned_;
  cuda::EventPool events_;
  std::unordered_map<std::uint64_t, cuda::OwnedEvent> recorded_;
  std::uint64_t nextEvent_ = 1;
  cuda::WorkTimer timer_;
  std::unique_ptr<cuda::KernelLauncher> launcher_;
  std::uint64_t launches_ = 0;
  // A place stays empty after its stream ended, until the next stream takes it.
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace offload
