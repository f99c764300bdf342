import { describe, expect, it } from "vitest";
import { EventKind } from "../../../../../src/core/timeline/columns/eventKind.js";
import { findRecordingGaps } from "../../../../../src/core/timeline/findings/recordingGaps.js";
import { findSlowCopies } from "../../../../../src/core/timeline/findings/slowCopies.js";
import { categoryOf, kindOf } from "../../../../../src/core/timeline/import/chrome/category.js";
import { measureTimeline } from "../../../../../src/core/timeline/metrics/metrics.js";
import { indexTimeline } from "../../../../../src/core/timeline/query/indexedTimeline.js";
import { importText, kernel, traceOf } from "./traceSamples.js";

describe("kindOf", () => {
  it.each([
    ["cuda_runtime", "hipStreamSynchronize", "hostWait"],
    ["cuda_runtime", "hipHostAlloc", "pinnedAllocation"],
    ["privateuse1_runtime", "aclrtSynchronizeStream", "hostWait"],
    ["privateuse1_runtime", "aclrtMallocHost", "pinnedAllocation"],
    ["xpu_runtime", "urEventWait", "hostWait"],
    ["xpu_driver", "zeEventHostSynchronize", "hostWait"],
    ["mtia_runtime", "synchronizeStream", "hostWait"],
    ["mtia_runtime", "recordEvent", "runtimeCall"],
    ["kernel", "mscclKernel_Sum_half_Simple", "collective"],
    ["gpu_memcpy", "Memcpy DtoH (Device -> Host)", "copyD2H"],
    ["gpu_memcpy", "host to device", "copyH2D"],
    ["mtia_ccp_events", "event_wait", "streamWait"],
    ["mtia_ccp_events", "fc-dtype_Float", "kernel"],
  ] as const)("reads %s %s as %s", (category, name, kind) => {
    expect(kindOf(categoryOf(category), name)).toBe(EventKind[kind]);
  });
});

/** A call of the host and the work that it starts, times in µs. */
function launched(call: string, correlation: number, ts: number, work?: object): object[] {
  const element = { ph: "X", cat: "cuda_runtime", name: call, pid: 9, tid: 9, ts, dur: 5, args: { correlation } };
  return work === undefined ? [element] : [element, work];
}

function h2d(correlation: number, ts: number): object {
  const args = { device: 2, stream: 0, correlation, kind: "HtoD", bytes: 2 ** 20 };
  return { ph: "X", cat: "gpu_memcpy", name: "Memcpy HtoD (Host -> Device)", pid: 2, tid: 4, ts, dur: 50, args };
}

function amdKernel(correlation: number, ts: number): object {
  return kernel(ts, 20, "Cijk", { pid: 2, tid: 0, args: { device: 2, stream: 0, correlation } });
}

describe("findings about traces of ROCm", () => {
  it("name blocking copies by the call that frameworks make there", () => {
    for (const call of ["hipMemcpyWithStream", "hipMemcpy", "hipMemcpyHtoD"]) {
      const { timeline } = importText(traceOf(...launched(call, 1, 0, h2d(1, 10)), amdKernel(2, 100)));
      expect(findSlowCopies(indexTimeline(timeline)).map(({ code }) => code)).toEqual(["BLOCKING_COPIES"]);
    }
    const { timeline } = importText(traceOf(...launched("hipMemcpyAsync", 1, 0, h2d(1, 10)), amdKernel(2, 100)));
    expect(findSlowCopies(indexTimeline(timeline))).toEqual([]);
  });

  it.each([
    "hipLaunchKernel",
    "hipExtModuleLaunchKernel",
    "hipModuleLaunchKernel",
    "hipExtLaunchKernel",
    "hipLaunchCooperativeKernel",
    "hipMemcpyWithStream",
    "cuLaunchKernelEx",
    "cudaLaunchCooperativeKernel",
    "musaLaunchKernel",
  ])("miss the work of %s", (call) => {
    const { timeline } = importText(traceOf(...launched(call, 1, 0, amdKernel(1, 10)), ...launched(call, 2, 20)));
    expect(findRecordingGaps(indexTimeline(timeline))).toMatchObject([
      { code: "LAUNCHES_WITHOUT_WORK", eventCount: 1 },
    ]);
  });
});

describe("an import of a trace of MTIA", () => {
  it("knows copies by their direction and size, waits, and kernels", () => {
    const command = (name: string, ts: number, dur: number, args: object = {}) => ({
      ph: "X",
      cat: "mtia_ccp_events",
      name,
      pid: 17,
      tid: 3774,
      ts,
      dur,
      args: { stream: 108, ...args },
    });
    const { timeline } = importText(
      traceOf(
        { ph: "M", name: "process_labels", pid: 17, tid: 0, args: { labels: "MTIA 17" } },
        command("event_wait", 0, 100),
        command("dma_request", 100, 10, { direction: "HOST_TO_DEVICE", size: 4096 }),
        command("pe_exe", 105, 60),
        command("dma_request", 170, 30, { direction: "DEVICE_TO_HOST", size: 8192 }),
        command("event_record", 201, 1),
      ),
    );
    const { streamWait, copyH2D, kernel: isKernel, copyD2H, annotation } = EventKind;
    expect(Array.from(timeline.events.kind)).toEqual([streamWait, copyH2D, isKernel, copyD2H, annotation]);
    expect(timeline.devices).toEqual([{ device: 17, name: "" }]);
    expect(measureTimeline(timeline).metrics).toMatchObject({
      computeBusyNs: 60_000,
      d2h: { count: 1, bytes: 8192, exposedNs: 30_000 },
      h2d: { count: 1, bytes: 4096, hiddenNs: 5_000 },
    });
  });
});
