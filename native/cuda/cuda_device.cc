#include "cuda/cuda_device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "cpu/available_memory.h"
#include "cuda/cublas.h"
#include "cuda/numa_node.h"
#include "cuda/shared_library.h"

namespace offload {
namespace {

using namespace cuda;

/// Left to other processes, and to what the driver allocates by itself.
constexpr std::uint64_t kMostMarginBytes = 1U << 30U;
/// A context with its kernels takes less than this.
constexpr std::uint64_t kOwnUseBytes = std::uint64_t{2} << 30U;
constexpr double kSampleNs = 50e6;

/// Waits until a stream is empty or has failed. Not cut short by a cancel: what is queued cannot be taken back, and the caller
/// is about to free what it uses.
Result awaitEmpty(const DriverApi& api, Stream stream) noexcept {
  constexpr double spinNs = 200e3;
  const double startNs = WorkTimer::nowNs();
  while (true) {
    const Result outcome = api.streamQuery(stream);
    if (outcome != result::notReady) return outcome;
    if (WorkTimer::nowNs() - startNs > spinNs) std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

std::string inMebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

std::string nameOf(const DriverApi& api, DeviceOrdinal ordinal) {
  std::array<char, 256> text{};
  check(api, api.deviceGetName(text.data(), static_cast<int>(text.size()) - 1, ordinal), "cuDeviceGetName");
  return text.data();
}

std::string busIdOf(const DriverApi& api, DeviceOrdinal ordinal) {
  std::array<char, 32> text{};
  if (api.deviceGetPciBusId(text.data(), static_cast<int>(text.size()) - 1, ordinal) != result::success) return "";
  return text.data();
}

int capabilityOf(const DriverApi& api, DeviceOrdinal ordinal) {
  int major = 0;
  int minor = 0;
  check(api, api.deviceGetAttribute(&major, attribute::majorVersion, ordinal), "cuDeviceGetAttribute");
  check(api, api.deviceGetAttribute(&minor, attribute::minorVersion, ordinal), "cuDeviceGetAttribute");
  return 10 * major + minor;
}

std::uint64_t marginFor(const DriverApi& api) {
  std::size_t freeBytes = 0;
  std::size_t totalBytes = 0;
  check(api, api.memGetInfo(&freeBytes, &totalBytes), "cuMemGetInfo");
  return std::min<std::uint64_t>(kMostMarginBytes, totalBytes / 32);
}

std::vector<KernelImage> imagesFor(bool isPtxOnly) {
  std::vector<KernelImage> images(kernelImages().begin(), kernelImages().end());
  if (isPtxOnly) std::erase_if(images, [](const KernelImage& image) { return image.architecture != 0; });
  return images;
}

std::unique_ptr<Cublas> findCublas(CudaDeviceOptions::Matmul choice, std::vector<Warning>& warnings) {
  if (choice == CudaDeviceOptions::Matmul::own) return nullptr;
  std::string whyNot;
  auto cublas = Cublas::load(cublasPaths(), whyNot);
  if (cublas) return cublas;
  if (choice == CudaDeviceOptions::Matmul::cublas) {
    throw EngineError({"CUDA_MATMUL_FAILED", "cuBLAS was asked for and cannot be loaded.", "Tried: " + whyNot + ".",
                       "Set OFFLOAD_LENS_CUBLAS to a libcublas.so, or leave the choice to the device."});
  }
  warnings.push_back({"CUBLAS_ABSENT", "cuBLAS was not found, so our own matrix products run, which are slower than those of training. "
                                       "Set OFFLOAD_LENS_CUBLAS to a libcublas.so of a CUDA toolkit or a Python wheel to use it."});
  return nullptr;
}

}  // namespace

CudaDevice::CudaDevice(std::shared_ptr<const DriverApi> api, DeviceOrdinal ordinal, const std::atomic<bool>& cancelled, CudaDeviceOptions options)
    : api_(std::move(api)),
      options_(options),
      cancelled_(cancelled),
      context_(*api_, ordinal),
      name_(nameOf(*api_, ordinal)),
      events_(*api_, flag::eventDisableTiming),
      timer_(*api_, [this] { throwIfCancelled(); }) {
  const std::string busId = busIdOf(*api_, ordinal);
  numaNode_ = numaNodeOf(busId);
  clocks_ = std::make_unique<ClockWatch>(busId);
  modules_ = std::make_unique<KernelModules>(*api_, capabilityOf(*api_, ordinal), imagesFor(options_.isPtxOnly));
  memory_ = std::make_unique<DeviceMemory>(*api_, marginFor(*api_));
  launcher_ = std::make_unique<KernelLauncher>(*api_, *modules_, findCublas(options_.matmul, warnings_));
  createStream("compute");
  noteSharedMemory();
  forgetTickets();
}

CudaDevice::~CudaDevice() {
  context_.makeCurrent();
  for (const auto& each : lanes_) {
    if (!each) continue;
    awaitEmpty(*api_, each->stream.get());
    launcher_->forget(each->stream.get());
  }
}

void CudaDevice::noteSharedMemory() {
  std::size_t freeBytes = 0;
  std::size_t totalBytes = 0;
  check(*api_, api_->memGetInfo(&freeBytes, &totalBytes), "cuMemGetInfo");
  if (totalBytes - freeBytes <= kOwnUseBytes) return;
  warnings_.push_back({"GPU_SHARED", inMebibytes(totalBytes - freeBytes) + " of the GPU's " + inMebibytes(totalBytes) +
                                         " are in use, so other programs run on it: times can vary, and " + inMebibytes(availableBytes()) +
                                         " are left for this run."});
}

DeviceInfo CudaDevice::info() const {
  const std::string cudaVersion = std::to_string(api_->version / 1000) + "." + std::to_string(api_->version % 1000 / 10);
  const std::optional<std::string> driver = clocks_->driverVersion();
  return {.kind = "cuda",
          .name = name_,
          .driver = driver ? *driver + " (CUDA " + cudaVersion + ")" : "CUDA " + cudaVersion,
          .matmul = launcher_->matmulName(),
          .numaNode = numaNode_};
}

std::vector<Warning> CudaDevice::warnings() {
  std::vector<Warning> all = warnings_;
  for (Warning& warning : clocks_->warnings()) all.push_back(std::move(warning));
  return all;
}

std::uint64_t CudaDevice::availableBytes() const { return memory_->driverBytes() + memory_->cachedBytes(); }

DeviceAddress CudaDevice::allocate(std::uint64_t sizeBytes, StreamId) {
  std::optional<DevicePointer> address = memory_->allocate(sizeBytes);
  if (!address && memory_->cachedBytes() > 0) {
    // As a framework does before it gives up: what is cached but does not fit goes back, once nothing reads it.
    drain();
    memory_->trim();
    address = memory_->allocate(sizeBytes);
  }
  if (address) return *address;
  throw EngineError({"DEVICE_OUT_OF_MEMORY", "The GPU cannot allocate " + inMebibytes(sizeBytes) + ".",
                     inMebibytes(availableBytes()) + " are available to this run on " + name_ + ".",
                     "Use fewer layers, a shorter sequence or a smaller micro-batch; or look with nvidia-smi who else uses the GPU."});
}

void CudaDevice::release(DeviceAddress address) noexcept { memory_->release(address); }

std::optional<HostAddress> CudaDevice::allocatePinned(std::uint64_t sizeBytes) {
  // The system would rather end a process than refuse to pin.
  if (sizeBytes > readAvailableMemory()) return std::nullopt;
  const PreferredNode node(numaNode_);
  void* address = nullptr;
  const Result outcome = api_->memHostAlloc(&address, std::max<std::uint64_t>(1, sizeBytes), flag::hostPortable);
  if (outcome != result::success) {
    const Problem problem = driverProblem(*api_, outcome, "cuMemHostAlloc");
    if (problem.code == "CUDA_KERNEL_FAULT" || problem.code == "CUDA_DEVICE_LOST") throw EngineError(problem);
    return std::nullopt;
  }
  auto* bytes = static_cast<HostAddress>(address);
  pinned_.emplace(bytes, OwnedHostMemory(*api_, address));
  return bytes;
}

void CudaDevice::releasePinned(HostAddress address) noexcept { pinned_.erase(address); }

StreamId CudaDevice::createStream(std::string_view) {
  Stream stream = nullptr;
  check(*api_, api_->streamCreate(&stream, flag::streamNonBlocking), "cuStreamCreate");
  auto created = std::make_unique<Lane>();
  created->stream = OwnedStream(*api_, stream);
  created->clock.stream = stream;
  auto place = std::find(lanes_.begin(), lanes_.end(), nullptr);
  if (place == lanes_.end()) place = lanes_.insert(place, nullptr);
  *place = std::move(created);
  return StreamId{static_cast<std::uint32_t>(place - lanes_.begin())};
}

void CudaDevice::destroyStream(StreamId stream) noexcept {
  if (stream == kComputeStream || stream.value >= lanes_.size() || !lanes_[stream.value]) return;
  const Stream ending = lanes_[stream.value]->stream.get();
  awaitEmpty(*api_, ending);
  launcher_->forget(ending);
  lanes_[stream.value].reset();
}

EventId CudaDevice::record(StreamId stream) {
  OwnedEvent event = events_.take();
  check(*api_, api_->eventRecord(event.get(), lane(stream).stream.get()), "cuEventRecord");
  const EventId id{nextEvent_++};
  recorded_.emplace(id.value, std::move(event));
  return id;
}

bool CudaDevice::isReady(EventId event) {
  const Result outcome = api_->eventQuery(eventOf(event));
  if (outcome != result::notReady) check(*api_, outcome, "cuEventQuery");
  return outcome == result::success;
}

Ticket CudaDevice::streamWait(StreamId stream, EventId event) {
  return measured(stream, [&](Stream queue) { check(*api_, api_->streamWaitEvent(queue, eventOf(event), 0), "cuStreamWaitEvent"); });
}

void CudaDevice::hostWait(EventId event) {
  throwIfCancelled();
  timer_.waitFor([this, waited = eventOf(event)] { return api_->eventQuery(waited); }, "cuEventQuery");
}

void CudaDevice::releaseEvent(EventId event) noexcept {
  const auto found = recorded_.find(event.value);
  if (found == recorded_.end()) return;
  events_.give(std::move(found->second));
  recorded_.erase(found);
}

void CudaDevice::synchronize() {
  drain();
  if (nowNs() - lastSampleNs_ > kSampleNs) {
    clocks_->sample();
    lastSampleNs_ = nowNs();
  }
  throwIfCancelled();
}

template <class Queue>
Ticket CudaDevice::measured(StreamId stream, const Queue& queue) {
  Lane& on = lane(stream);
  timer_.before(on.clock);
  queue(on.stream.get());
  return timer_.after(on.clock);
}

Ticket CudaDevice::launch(StreamId stream, const KernelCall& call) {
  const bool isFault = ++launches_ == options_.faultAtLaunch;
  return measured(stream, [&](Stream queue) {
    if (isFault) {
      launcher_->launchFault(queue);
    } else {
      launcher_->launch(queue, call);
    }
  });
}

Ticket CudaDevice::copyToHost(StreamId stream, HostAddress to, DeviceAddress from, std::uint64_t sizeBytes) {
  return measured(stream, [&](Stream queue) { check(*api_, api_->memcpyDtoHAsync(to, from, sizeBytes, queue), "cuMemcpyDtoHAsync"); });
}

Ticket CudaDevice::copyToDevice(StreamId stream, DeviceAddress to, const std::byte* from, std::uint64_t sizeBytes) {
  return measured(stream, [&](Stream queue) { check(*api_, api_->memcpyHtoDAsync(to, from, sizeBytes, queue), "cuMemcpyHtoDAsync"); });
}

Ticket CudaDevice::copyOnDevice(StreamId stream, DeviceAddress to, DeviceAddress from, std::uint64_t sizeBytes) {
  return measured(stream, [&](Stream queue) { check(*api_, api_->memcpyDtoDAsync(to, from, sizeBytes, queue), "cuMemcpyDtoDAsync"); });
}

double CudaDevice::nowNs() { return WorkTimer::nowNs(); }

Interval CudaDevice::interval(Ticket ticket) const { return timer_.interval(ticket); }

void CudaDevice::forgetTickets() {
  drain();
  std::vector<StreamClock*> clocks;
  for (const auto& each : lanes_) {
    if (each) clocks.push_back(&each->clock);
  }
  timer_.forget(clocks);
}

CudaDevice::Lane& CudaDevice::lane(StreamId stream) {
  if (stream.value >= lanes_.size() || !lanes_[stream.value]) throw std::logic_error("stream was never created or has ended");
  return *lanes_[stream.value];
}

cuda::Event CudaDevice::eventOf(EventId event) const {
  const auto found = recorded_.find(event.value);
  if (found == recorded_.end()) throw std::logic_error("event was released or never recorded");
  return found->second.get();
}

void CudaDevice::drain() {
  for (const auto& each : lanes_) {
    if (each) check(*api_, awaitEmpty(*api_, each->stream.get()), "cuStreamQuery");
  }
}

void CudaDevice::throwIfCancelled() const {
  if (!cancelled_.load(std::memory_order_relaxed)) return;
  throw EngineError({"CANCELLED", "The profile was cancelled.", "", "Start it again when you are ready."});
}

}  // namespace offload
