#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/device/device.h"
#include "engine/tape/memory_ledger.h"

namespace offload {

/// Same numbers as `EventKind` in src/core/timeline/columns.ts.
enum class EventKind : std::uint8_t {
  kernel = 0,
  memset = 1,
  copyD2H = 2,
  copyH2D = 3,
  copyD2D = 4,
  collective = 5,
  hostWait = 6,
  streamWait = 7,
  pinnedAllocation = 8,
  other = 9,
};

/// Lanes of every recorded step, in this order; the last is left out where nothing ran on it.
enum class Lane : std::uint32_t { compute = 0, d2h = 1, h2d = 2, host = 3, collective = 4 };
inline constexpr std::size_t kLaneCount = 5;

inline constexpr std::int32_t kNoLayer = -1;
inline constexpr std::int32_t kNoEvent = -1;

/// What the caller knows about a piece of work when it is queued.
struct EventNote {
  Lane lane = Lane::compute;
  EventKind kind = EventKind::kernel;
  std::string_view name;
  std::int32_t layer = kNoLayer;
  std::uint64_t bytes = 0;
  std::int32_t dependsOn = kNoEvent;
};

/// One event with its times in ns since the start of the step.
struct TimelineEvent {
  double startNs = 0;
  double durationNs = 0;
  std::uint64_t bytes = 0;
  std::int32_t layer = kNoLayer;
  std::int32_t dependsOn = kNoEvent;
  std::uint32_t name = 0;
  Lane lane = Lane::compute;
  EventKind kind = EventKind::kernel;
};

struct MemoryPoint {
  double timeNs = 0;
  std::uint64_t bytes = 0;
};

/// A change of device memory at its time.
struct DeviceMemoryPoint {
  double timeNs = 0;
  MemoryChange change;
};

struct StepSpan {
  std::string kind;   ///< "step", "forward", "backward" or "optimizer"
  std::string label;
  double startNs = 0;
  double endNs = 0;
};

/// Everything that happened in one step; events sorted by start (ties: longer first), `dependsOn` indexes them.
struct RecordedStep {
  std::vector<TimelineEvent> events;
  std::vector<std::string> strings;
  PartUses startParts{};                         ///< device memory before the first change
  std::vector<DeviceMemoryPoint> deviceMemory;   ///< the first point is the start of the step: no change
  std::vector<MemoryPoint> pinnedMemory;
  std::vector<StepSpan> spans;                   ///< the step itself first
  std::vector<double> phaseEndsNs;   ///< when the compute stream passed each `markPhaseEnd`
};

/// Notes what the schedule does during one step. Work is known by its ticket until the device has measured it.
///
/// Device memory changes in the host's order of calls while the compute stream runs behind. A change is therefore placed
/// where the compute stream meets it: at the end of the last compute work queued before it, and not before the last moment
/// at which the host stood still.
class Recorder {
 public:
  explicit Recorder(Device& device) : device_(device) {}

  /// Forgets everything and starts a step at the device's present clock, with what is live on it.
  void beginStep(const MemoryLedger& ledger, std::uint64_t pinnedBytes);

  /// Queued work. Returns the event's index, for `dependsOn` of later ones.
  std::int32_t work(Ticket ticket, const EventNote& note);
  /// Something that the host itself did from `startNs` to now, on the device's clock.
  std::int32_t hostWork(double startNs, const EventNote& note);

  void deviceMemoryChanged(const MemoryChange& change);
  void pinnedMemoryChanged(std::uint64_t bytes);
  /// A phase has been queued.
  void markPhaseEnd() { phaseEnds_.push_back(lastCompute_); }

  /// Resolves all tickets; the device must be synchronised. The step ends now.
  RecordedStep finishStep(const std::string& label) const;

 private:
  struct PendingEvent {
    Ticket ticket;
    double startNs = 0;
    double endNs = 0;
    bool onHost = false;
    EventNote note;
    std::uint32_t name = 0;
  };
  struct PendingMemory {
    std::int32_t afterComputeEvent = kNoEvent;
    double notBeforeNs = 0;
    MemoryChange change;
  };

  std::uint32_t intern(std::string_view text);
  std::vector<DeviceMemoryPoint> placeDeviceMemory(const std::vector<TimelineEvent>& unsorted) const;

  Device& device_;
  double originNs_ = 0;
  double hostFloorNs_ = 0;
  std::int32_t lastCompute_ = kNoEvent;
  std::vector<std::int32_t> phaseEnds_;
  std::vector<PendingEvent> events_;
  PartUses startParts_{};
  std::vector<PendingMemory> deviceMemory_;
  std::vector<MemoryPoint> pinnedMemory_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint32_t> stringIndex_;
};

}  // namespace offload
