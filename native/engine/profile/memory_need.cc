#include "engine/profile/memory_need.h"

#include <algorithm>

#include "engine/device/counting_device.h"

namespace offload {

MemoryNeed memoryNeed(const Workload& workload, const RunSetting& setting, const std::atomic<bool>& cancelled) {
  Workload oneStep = workload;
  oneStep.seqLens = {*std::max_element(workload.seqLens.begin(), workload.seqLens.end())};
  oneStep.steps = 1;
  oneStep.warmup = 0;
  oneStep.mayRepeat = false;
  oneStep.isPoisoned = false;
  CountingDevice device;
  runSetting(device, oneStep, setting, cancelled, [](std::uint32_t) {});
  return {device.peakBytes(), device.pinnedBytes()};
}

}  // namespace offload
