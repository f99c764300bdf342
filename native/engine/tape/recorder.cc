#include "engine/tape/recorder.h"

#include <algorithm>
#include <numeric>

namespace offload {

void Recorder::beginStep(const MemoryLedger& ledger, std::uint64_t pinnedBytes) {
  events_.clear();
  deviceMemory_.clear();
  pinnedMemory_.clear();
  strings_.clear();
  stringIndex_.clear();
  lastCompute_ = kNoEvent;
  phaseEnds_.clear();
  originNs_ = device_.nowNs();
  hostFloorNs_ = originNs_;
  startParts_ = ledger.liveParts();
  const std::uint64_t otherBytes = startParts_[static_cast<std::size_t>(MemoryPart::other)].bytes;
  deviceMemory_.push_back({kNoEvent, originNs_, {ledger.liveBytes(), MemoryPart::other, otherBytes}});
  pinnedMemory_.push_back({originNs_, pinnedBytes});
}

std::uint32_t Recorder::intern(std::string_view text) {
  const auto [entry, isNew] = stringIndex_.try_emplace(std::string(text), static_cast<std::uint32_t>(strings_.size()));
  if (isNew) strings_.push_back(entry->first);
  return entry->second;
}

std::int32_t Recorder::work(Ticket ticket, const EventNote& note) {
  const auto index = static_cast<std::int32_t>(events_.size());
  events_.push_back({ticket, 0, 0, false, note, intern(note.name)});
  if (note.lane == Lane::compute) lastCompute_ = index;
  return index;
}

std::int32_t Recorder::hostWork(double startNs, const EventNote& note) {
  const auto index = static_cast<std::int32_t>(events_.size());
  hostFloorNs_ = device_.nowNs();
  events_.push_back({Ticket{}, startNs, hostFloorNs_, true, note, intern(note.name)});
  return index;
}

void Recorder::deviceMemoryChanged(const MemoryChange& change) {
  deviceMemory_.push_back({lastCompute_, hostFloorNs_, change});
}

void Recorder::pinnedMemoryChanged(std::uint64_t bytes) { pinnedMemory_.push_back({device_.nowNs(), bytes}); }

std::vector<DeviceMemoryPoint> Recorder::placeDeviceMemory(const std::vector<TimelineEvent>& unsorted) const {
  std::vector<DeviceMemoryPoint> curve;
  curve.reserve(deviceMemory_.size());
  double timeNs = 0;
  for (const PendingMemory& change : deviceMemory_) {
    timeNs = std::max(timeNs, change.notBeforeNs - originNs_);
    if (change.afterComputeEvent != kNoEvent) {
      const TimelineEvent& event = unsorted[static_cast<std::size_t>(change.afterComputeEvent)];
      timeNs = std::max(timeNs, event.startNs + event.durationNs);
    }
    // Changes of one moment are kept apart: their order carries the peak.
    curve.push_back({timeNs, change.change});
  }
  return curve;
}

RecordedStep Recorder::finishStep(const std::string& label) const {
  const double endNs = device_.nowNs() - originNs_;
  std::vector<TimelineEvent> unsorted;
  unsorted.reserve(events_.size());
  for (const PendingEvent& pending : events_) {
    const Interval at = pending.onHost ? Interval{pending.startNs, pending.endNs} : device_.interval(pending.ticket);
    unsorted.push_back({at.startNs - originNs_, std::max(0.0, at.endNs - at.startNs), pending.note.bytes, pending.note.layer,
                        pending.note.dependsOn, pending.name, pending.note.lane, pending.note.kind});
  }

  std::vector<std::int32_t> order(unsorted.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const TimelineEvent& left = unsorted[static_cast<std::size_t>(a)];
    const TimelineEvent& right = unsorted[static_cast<std::size_t>(b)];
    if (left.startNs != right.startNs) return left.startNs < right.startNs;
    return left.durationNs > right.durationNs;
  });
  std::vector<std::int32_t> placeOf(unsorted.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    placeOf[static_cast<std::size_t>(order[place])] = static_cast<std::int32_t>(place);
  }

  RecordedStep step;
  step.strings = strings_;
  step.events.reserve(unsorted.size());
  for (const std::int32_t index : order) {
    TimelineEvent event = unsorted[static_cast<std::size_t>(index)];
    if (event.dependsOn != kNoEvent) event.dependsOn = placeOf[static_cast<std::size_t>(event.dependsOn)];
    step.events.push_back(event);
  }
  step.startParts = startParts_;
  step.deviceMemory = placeDeviceMemory(unsorted);
  for (const MemoryPoint& point : pinnedMemory_) step.pinnedMemory.push_back({point.timeNs - originNs_, point.bytes});
  step.spans.push_back({"step", label, 0, endNs});
  double reachedNs = 0;
  for (const std::int32_t event : phaseEnds_) {
    if (event != kNoEvent) {
      const TimelineEvent& last = unsorted[static_cast<std::size_t>(event)];
      reachedNs = std::max(reachedNs, last.startNs + last.durationNs);
    }
    step.phaseEndsNs.push_back(reachedNs);
  }
  return step;
}

}  // namespace offload
