import { counted, formatShare, grouped } from "../../base/quantities.js";
import { FlowKind } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { runsOnDevice } from "../metrics/metrics.js";
import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { findingEvents } from "./findingEvents.js";

/**
 * Calls that put work on a stream: CUDA's and MUSA's own and the driver's, HIP's (`hipExtModuleLaunchKernel`, the blocking
 * `hipMemcpyWithStream`), Ascend's, and those of Intel's Unified Runtime.
 */
const LAUNCH =
  /^(cuda|hip|musa|cu)(Ext|Drv|Hcc)?(Module)?Launch(Cooperative)?Kernel|^(cuda|hip|musa|cu)Memcpy\w*Async|^hipMemcpyWithStream$|^(cuda|hip|musa)Memset\w*Async|^aclrt(LaunchKernel|MemcpyAsync)|^urEnqueue(KernelLaunch|USMMemcpy)/;

/**
 * Launches whose device work is missing. The profiler itself drops kernels when its buffers overflow or while it starts: then
 * every sum of the device is too small.
 */
export function findRecordingGaps({ timeline }: IndexedTimeline): Finding[] {
  const { events, strings, flows } = timeline;
  const isLaunch = strings.map((name) => LAUNCH.test(name));
  const hasWork = new Uint8Array(events.startNs.length);
  for (let at = 0; at < (flows?.from.length ?? 0); at++)
    if (flows?.kind[at] === FlowKind.launch) hasWork[flows.from[at] ?? 0] = 1;
  const missing: number[] = [];
  let launches = 0;
  let hasDeviceWork = false;
  for (let at = 0; at < events.startNs.length; at++) {
    hasDeviceWork ||= runsOnDevice(events.kind[at] ?? EventKind.other);
    if (events.kind[at] !== EventKind.runtimeCall || isLaunch[events.name[at] ?? 0] !== true) continue;
    launches++;
    if (hasWork[at] === 0) missing.push(at);
  }
  // Work without a link to any launch says nothing about launches: the file has no correlation ids.
  if (missing.length === 0 || (missing.length === launches && hasDeviceWork)) return [];
  const isNothing = missing.length === launches;
  return [
    {
      code: "LAUNCHES_WITHOUT_WORK",
      severity: isNothing ? "warning" : "information",
      message: isNothing
        ? `${grouped(missing.length)} of ${counted(launches, "launch", "launches")} ${missing.length === 1 ? "has" : "have"} no work on the device in this recording: probably another tool had subscribed to CUPTI (such as one in NVTX_INJECTION64_PATH); unset it and record again.`
        : `${grouped(missing.length)} of ${grouped(launches)} launches (${formatShare(missing.length / launches)}) ${missing.length === 1 ? "has" : "have"} no work on the device in this recording.`,
      explanation: isNothing
        ? "The profiler saw the calls and nothing of the device. Most often CUPTI had another subscriber: a tool that NVTX_INJECTION64_PATH or CUDA_INJECTION64_PATH injects, Nsight, DCGM, or a second profiler. Unset these variables for the recording (under verl VERL_KEEP_NVTX_INJECTION too), ask for ProfilerActivity.CUDA, and record again."
        : "The profiler dropped it, or the recording ended first. Sums of the device are too small by that much; record a step after two or three warm-up steps of the profiler.",
      events: findingEvents(timeline, missing),
      eventCount: missing.length,
      arrow: null,
      costNs: null,
      configKeys: [],
      device: null,
    },
  ];
}
