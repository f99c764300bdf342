#include "engine/tape/host_read.h"

namespace offload {

void readOnHost(Executor& executor, std::string_view name) {
  executor.throwIfCancelled();
  Device& device = executor.device();
  const WorkMark made = executor.mark(kComputeStream);
  const double startNs = device.nowNs();
  device.hostWait(made.event.id());
  executor.recorder().hostWork(startNs, {Lane::host, EventKind::other, name, executor.layer(), 0, made.lastWork});
}

}  // namespace offload
