#include "link/link.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cpu/available_memory.h"
#include "engine/device/device_handles.h"
#include "link/calibrate.h"

namespace offload {
namespace {

using Json = nlohmann::ordered_json;

/// Long enough that starting and ending do not count, where the host has plenty of memory.
constexpr std::uint64_t kBufferBytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t kSmallBufferBytes = 32U << 20U;
/// Of what host and device have, four buffers take at most a half.
constexpr std::uint64_t kMostShare = 8;
constexpr int kRepeats = 10;
/// What the hidden states of a layer take, of small and of large models.
constexpr std::uint64_t kLayerCopyBytes[] = {8U << 20U, 32U << 20U, 64U << 20U};

/// Host memory for a scope, pinned or not.
class HostBuffer {
 public:
  static std::unique_ptr<HostBuffer> pinned(Device& device, std::uint64_t sizeBytes) {
    const auto address = device.allocatePinned(sizeBytes);
    return address ? std::unique_ptr<HostBuffer>(new HostBuffer(&device, *address)) : nullptr;
  }
  static std::unique_ptr<HostBuffer> pageable(std::uint64_t sizeBytes) {
    return std::unique_ptr<HostBuffer>(new HostBuffer(nullptr, new std::byte[sizeBytes]));
  }
  ~HostBuffer() {
    if (device_ != nullptr) {
      device_->releasePinned(address_);
    } else {
      delete[] address_;
    }
  }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;
  HostAddress address() const { return address_; }

 private:
  HostBuffer(Device* device, HostAddress address) : device_(device), address_(address) {}
  Device* device_;
  HostAddress address_;
};

/// Words that no two places of the buffer share.
void writePattern(std::byte* to, std::uint64_t sizeBytes) {
  for (std::uint64_t i = 0; i + 8 <= sizeBytes; i += 8) {
    const std::uint64_t word = (i + 1) * 0x9e3779b97f4a7c15U;
    std::memcpy(to + i, &word, 8);
  }
}

/// The copies of one kind of host memory.
class Copies {
 public:
  Copies(Device& device, const HostBuffer& source, const HostBuffer& target, std::uint64_t sizeBytes, int repeats)
      : device_(device), source_(source), target_(target), sizeBytes_(sizeBytes), repeats_(repeats), up_(device, sizeBytes), down_(device, sizeBytes),
        upStream_(device, "link up"), downStream_(device, "link down") {
    if (device_.computesValues()) {
      writePattern(source_.address(), sizeBytes_);
      std::memset(target_.address(), 0, sizeBytes_);
    }
    // Pages and clocks warm; and `down_` holds the pattern.
    copyUp(down_);
    copyUp(up_);
    device_.synchronize();
    copyDown(down_);
    device_.synchronize();
  }

  LinkRates rates() {
    LinkRates rates;
    rates.h2dGBps = rateOf(true, false);
    rates.d2hGBps = rateOf(false, true);
    rates.bothGBps = rateOf(true, true);
    return rates;
  }

  /// Medians of copies of a size below that of the buffers.
  SizedRates alone(std::uint64_t sizeBytes) {
    std::vector<double> down;
    std::vector<double> up;
    for (int i = 0; i < repeats_; ++i) {
      down.push_back(rateAlone(sizeBytes, device_.copyToHost(downStream_.id(), target_.address(), down_.address(), sizeBytes)));
      up.push_back(rateAlone(sizeBytes, device_.copyToDevice(upStream_.id(), up_.address(), source_.address(), sizeBytes)));
    }
    return {sizeBytes, medianOf(down), medianOf(up)};
  }

  /// Whether what went up with the measured copies comes down equal, and what came down is.
  bool isWhole() {
    if (std::memcmp(target_.address(), source_.address(), sizeBytes_) != 0) return false;
    std::memset(target_.address(), 0, sizeBytes_);
    copyDown(up_);
    device_.synchronize();
    return std::memcmp(target_.address(), source_.address(), sizeBytes_) == 0;
  }

 private:
  Ticket copyUp(const DeviceBuffer& to) { return device_.copyToDevice(upStream_.id(), to.address(), source_.address(), sizeBytes_); }
  Ticket copyDown(const DeviceBuffer& from) { return device_.copyToHost(downStream_.id(), target_.address(), from.address(), sizeBytes_); }

  double rateAlone(std::uint64_t sizeBytes, Ticket ticket) {
    device_.synchronize();
    const Interval at = device_.interval(ticket);
    return at.endNs > at.startNs ? static_cast<double>(sizeBytes) / (at.endNs - at.startNs) : 0;
  }

  static double medianOf(std::vector<double>& rates) {
    const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
    std::nth_element(rates.begin(), middle, rates.end());
    return *middle;
  }

  /// Bytes per ns, which are GB/s, of the directions asked for while all of them are under way.
  double rateOf(bool up, bool down) {
    device_.forgetTickets();
    std::vector<Ticket> upward;
    std::vector<Ticket> downward;
    for (int i = 0; i < repeats_; ++i) {
      if (up) upward.push_back(copyUp(up_));
      if (down) downward.push_back(copyDown(down_));
    }
    device_.synchronize();
    double startNs = 0;
    double endNs = std::numeric_limits<double>::infinity();
    for (const auto* tickets : {&upward, &downward}) {
      if (tickets->empty()) continue;
      startNs = std::max(startNs, device_.interval(tickets->front()).startNs);
      endNs = std::min(endNs, device_.interval(tickets->back()).endNs);
    }
    if (endNs <= startNs) return 0;
    double bytes = 0;
    for (const auto* tickets : {&upward, &downward}) {
      for (const Ticket ticket : *tickets) bytes += bytesWithin(device_.interval(ticket), startNs, endNs);
    }
    return bytes / (endNs - startNs);
  }

  /// The part of one copy that lies in a window, as even as copies run.
  double bytesWithin(const Interval& at, double startNs, double endNs) const {
    const double insideNs = std::min(at.endNs, endNs) - std::max(at.startNs, startNs);
    return insideNs <= 0 ? 0 : static_cast<double>(sizeBytes_) * insideNs / (at.endNs - at.startNs);
  }

  Device& device_;
  const HostBuffer& source_;
  const HostBuffer& target_;
  std::uint64_t sizeBytes_;
  int repeats_;
  DeviceBuffer up_;
  DeviceBuffer down_;
  DeviceStream upStream_;
  DeviceStream downStream_;
};

/// Empties the device before the buffers go.
class DrainOnExit {
 public:
  explicit DrainOnExit(Device& device) : device_(device) {}
  ~DrainOnExit() {
    try {
      device_.synchronize();
    } catch (const std::exception&) {
      // Cancelled or failed: that is on its way to the caller already.
    }
  }
  DrainOnExit(const DrainOnExit&) = delete;
  DrainOnExit& operator=(const DrainOnExit&) = delete;

 private:
  Device& device_;
};

void throwIfCancelled(const std::atomic<bool>& cancelled) {
  if (cancelled) throw EngineError({"CANCELLED", "The measurement was cancelled.", "", "Start it again when you want its result."});
}

Json ratesJson(const LinkRates& rates) {
  return {{"d2hGBps", rates.d2hGBps}, {"h2dGBps", rates.h2dGBps}, {"bothGBps", rates.bothGBps}};
}

std::string linkJson(const LinkResult& result, const std::optional<DeviceProfile>& profile) {
  Json json;
  json["device"] = {{"kind", result.device.kind},
                    {"name", result.device.name},
                    {"driver", result.device.driver ? Json(*result.device.driver) : Json(nullptr)}};
  if (result.device.numaNode) json["device"]["numaNode"] = *result.device.numaNode;
  json["pinned"] = result.pinned ? ratesJson(*result.pinned) : Json(nullptr);
  json["pinnedBySize"] = Json::array();
  for (const SizedRates& rates : result.pinnedBySize) {
    json["pinnedBySize"].push_back({{"sizeBytes", rates.sizeBytes}, {"d2hGBps", rates.d2hGBps}, {"h2dGBps", rates.h2dGBps}});
  }
  json["pageable"] = result.pageable ? ratesJson(*result.pageable) : Json(nullptr);
  json["verified"] = result.isVerified ? Json(*result.isVerified) : Json(nullptr);
  json["warnings"] = Json::array();
  for (const Warning& warning : result.warnings) json["warnings"].push_back({{"code", warning.code}, {"message", warning.message}});
  if (profile) json["profile"] = Json::parse(deviceProfileText(*profile));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::uint64_t bufferBytesFor(const Device& device) {
  if (device.info().kind == "cpu") return kSmallBufferBytes;
  const std::uint64_t hostBytes = device.computesValues() ? readAvailableMemory() : kMostShare * kBufferBytes;
  return std::min({kBufferBytes, device.availableBytes() / kMostShare, hostBytes / kMostShare}) / 4096 * 4096;
}

Problem outOfHostMemory() {
  return {"HOST_OUT_OF_MEMORY", "The machine has not enough memory for the copies.", "", "Free some memory and measure again."};
}

}  // namespace

LinkResult measureLink(Device& device, std::uint64_t bufferBytes, int repeats, const std::atomic<bool>& cancelled) {
  LinkResult result;
  result.device = device.info();
  bool isWhole = true;
  const auto measure = [&](const HostBuffer& source, const HostBuffer& target, bool isPinned) {
    throwIfCancelled(cancelled);
    Copies copies(device, source, target, bufferBytes, repeats);
    const DrainOnExit drain(device);
    const LinkRates rates = copies.rates();
    for (const std::uint64_t sizeBytes : kLayerCopyBytes) {
      if (isPinned && sizeBytes < bufferBytes) result.pinnedBySize.push_back(copies.alone(sizeBytes));
    }
    if (device.computesValues()) isWhole = copies.isWhole() && isWhole;
    return rates;
  };
  {
    const auto source = HostBuffer::pinned(device, bufferBytes);
    const auto target = source ? HostBuffer::pinned(device, bufferBytes) : nullptr;
    if (target) {
      result.pinned = measure(*source, *target, true);
    } else {
      result.warnings.push_back({"PINNING_FAILED", "The system does not let this process pin memory for the measurement."});
    }
  }
  if (const auto& simulated = result.device.simulated; !simulated || simulated->knowsPageable) {
    const auto source = HostBuffer::pageable(bufferBytes);
    const auto target = HostBuffer::pageable(bufferBytes);
    result.pageable = measure(*source, *target, false);
  } else {
    result.warnings.push_back({"PAGEABLE_UNKNOWN", "The profile of this device does not say how fast copies of pageable memory are."});
  }
  if (device.computesValues()) result.isVerified = isWhole;
  for (Warning& warning : device.warnings()) result.warnings.push_back(std::move(warning));
  return result;
}

std::variant<std::string, Problem> runLink(const std::string& deviceName, const DeviceFactory& openDevice, const std::atomic<bool>& cancelled,
                                           bool isCalibrating) {
  try {
    auto opened = openDevice(deviceName, cancelled);
    if (auto* problem = std::get_if<Problem>(&opened)) return std::move(*problem);
    Device& device = *std::get<std::unique_ptr<Device>>(opened);
    const LinkResult result = measureLink(device, bufferBytesFor(device), kRepeats, cancelled);
    if (result.isVerified == false) {
      return Problem{"LINK_CORRUPT", "Copied bytes did not come back as they were sent.", "The pattern of the measurement differs after the round trip.",
                     "Check the machine's memory and the GPU (nvidia-smi, dmesg): results computed on it are not to be trusted."};
    }
    std::optional<DeviceProfile> profile;
    if (isCalibrating) profile = calibrate(device, result, cancelled);
    return linkJson(result, profile);
  } catch (const EngineError& error) {
    return error.problem();
  } catch (const std::bad_alloc&) {
    return outOfHostMemory();
  }
}

}  // namespace offload
