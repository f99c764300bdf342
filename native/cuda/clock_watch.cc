#include "cuda/clock_watch.h"

#include <array>

#include "cuda/shared_library.h"

namespace offload::cuda {
namespace {

// From the public NVML reference: nvmlClocksEventReasons.
constexpr std::uint64_t kPowerLimit = 0x4;
constexpr std::uint64_t kHardwareSlowdown = 0x8;
constexpr std::uint64_t kSoftwareHeat = 0x20;
constexpr std::uint64_t kHardwareHeat = 0x40;
constexpr std::uint64_t kPowerBrake = 0x80;
constexpr int kSuccess = 0;

using ManagedDevice = struct ManagedDeviceRecord*;

}  // namespace

struct ClockWatch::Library {
  std::shared_ptr<void> handle;
  ManagedDevice device = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*deviceByBusId)(const char* busId, ManagedDevice* device) = nullptr;
  int (*throttleReasons)(ManagedDevice device, unsigned long long* reasons) = nullptr;
  int (*driverVersion)(char* text, unsigned bytes) = nullptr;

  bool bindAll() {
    return bindSymbol(handle, "nvmlInit_v2", init) && bindSymbol(handle, "nvmlShutdown", shutdown) &&
           bindSymbol(handle, "nvmlDeviceGetHandleByPciBusId_v2", deviceByBusId) &&
           bindSymbol(handle, "nvmlDeviceGetCurrentClocksThrottleReasons", throttleReasons) &&
           bindSymbol(handle, "nvmlSystemGetDriverVersion", driverVersion);
  }
};

ClockWatch::ClockWatch(const std::string& busId, const std::string& libraryPath) {
  auto library = std::make_unique<Library>();
  library->handle = loadLibrary({libraryPath, "/usr/local/nvidia/lib64/" + libraryPath}).handle;
  if (!library->handle || !library->bindAll() || library->init() != kSuccess) return;
  library_ = std::move(library);
  if (library_->deviceByBusId(busId.c_str(), &library_->device) != kSuccess) library_->device = nullptr;
}

ClockWatch::~ClockWatch() {
  if (library_) library_->shutdown();
}

std::optional<std::string> ClockWatch::driverVersion() const {
  std::array<char, 80> text{};
  if (!library_ || library_->driverVersion(text.data(), text.size() - 1) != kSuccess) return std::nullopt;
  return std::string(text.data());
}

void ClockWatch::sample() {
  unsigned long long reasons = 0;
  if (!library_ || library_->device == nullptr || library_->throttleReasons(library_->device, &reasons) != kSuccess) return;
  reasons_ |= reasons;
  ++samples_;
  if ((reasons & kPowerLimit) != 0) ++powerSamples_;
}

std::vector<Warning> ClockWatch::warnings() const {
  std::string why;
  const auto add = [&why](const std::string& reason) { why += (why.empty() ? "" : ", ") + reason; };
  if ((reasons_ & (kSoftwareHeat | kHardwareHeat)) != 0) add("heat");
  if ((reasons_ & kPowerBrake) != 0) add("the power brake");
  if ((reasons_ & kHardwareSlowdown) != 0 && (reasons_ & (kHardwareHeat | kPowerBrake)) == 0) add("hardware protection");
  if (powerSamples_ > 0) add("the power limit (" + std::to_string(powerSamples_) + " of " + std::to_string(samples_) +
                             (samples_ == 1 ? " sample)" : " samples)"));
  if (why.empty()) return {};
  return {{"CLOCKS_THROTTLED", "The GPU lowered its clocks during the run because of " + why +
                                   ": step times may be longer than on a cooler or less limited GPU."}};
}

}  // namespace offload::cuda
