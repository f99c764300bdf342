import { counted, formatBytes, formatNs, formatRate } from "../../base/quantities.js";
import type { Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { coveredNs } from "../columns/intervals.js";
import { launchOf } from "../columns/launches.js";
import type { Finding } from "../query/finding.js";
import { computeBeside, type IndexedTimeline } from "../query/indexedTimeline.js";
import { findingEvents } from "./findingEvents.js";

/** Smaller copies are scalars; how they are done costs nothing. */
const LEAST_BYTES = 64 * 1024;
/** Share of the span below which such copies are not worth a line. */
const LEAST_SHARE = 0.001;
/** Copies that return when they are done; on HIP `hipMemcpyWithStream` is what frameworks call for them. */
const BLOCKING =
  /^(cuda|hip|musa)Memcpy([23]D)?$|^hipMemcpyWithStream$|^(cu|hip)Memcpy(Dto|Hto)[HD](_v2)?$|^cudaMemcpy_|^aclrtMemcpy$/;
const COPY_CALL = /Memcpy\w*Async/;
const STREAM_WAIT = /StreamSynchronize|^(aclrtS|s)ynchronizeStream/;

interface Copies {
  readonly events: readonly number[];
  readonly bytes: number;
  readonly busyNs: number;
  readonly exposedNs: number;
}

/** Copies that cannot overlap as they are made: from pageable memory, by blocking calls, or on the stream that computes. */
export function findSlowCopies(indexed: IndexedTimeline): Finding[] {
  const { timeline } = indexed;
  const calls = launchOf(timeline);
  const { events, lanes, strings } = timeline;
  const computes = computeStreams(timeline);
  const nameOf = (event: number) => strings[events.name[event] ?? 0] ?? "";
  const pageable = gather(indexed, (at) => /pageable/i.test(nameOf(at)));
  const awaited = awaitedCopies(timeline);
  const blocking = gather(indexed, (at) => {
    const call = calls?.[at] ?? -1;
    return BLOCKING.test(nameOf(call)) || (awaited.has(call) && !/pageable/i.test(nameOf(at)));
  });
  const inline = gather(indexed, (at) => {
    const lane = lanes[events.lane[at] ?? 0];
    return lane !== undefined && computes.has(streamKey(lane));
  });
  return [
    ...finding(indexed, pageable, {
      code: "PAGEABLE_COPIES",
      what: "use pageable host memory",
      whatOne: "uses pageable host memory",
      explanation:
        "The driver moves pageable memory through its own small pinned buffer, slower and with the host waiting. Pin the host buffer before the copy; pinning it afterwards changes nothing.",
      configKeys: ["activation_offload_host_cache_limit_gb"],
    }),
    ...finding(indexed, blocking, {
      code: "BLOCKING_COPIES",
      what: "are synchronous: the host waits until they are done",
      whatOne: "is synchronous: the host waits until it is done",
      explanation:
        "A blocking call, or a stream synchronisation right after the copy, returns when the copy is done: nothing is launched meanwhile. Copy with non_blocking=True and pinned memory, and wait for an event where the bytes are needed.",
      configKeys: ["enable_async_activation_offload"],
    }),
    ...finding(indexed, inline, {
      code: "COPIES_ON_COMPUTE_STREAM",
      what: "run on a stream that also computes",
      whatOne: "runs on a stream that also computes",
      explanation:
        "Kernels of that stream wait until the copy is done, so it cannot be hidden. Synchronous activation offload and saving on the CPU do this by design; the asynchronous offload has a stream of its own.",
      configKeys: ["enable_async_activation_offload", "enable_activation_offload"],
    }),
  ];
}

/** Calls that start a copy and whose thread waits for the stream as its very next call: how frameworks copy synchronously. */
function awaitedCopies({ events, lanes, strings }: Timeline): Set<number> {
  const isCopy = strings.map((name) => COPY_CALL.test(name));
  const isWait = strings.map((name) => STREAM_WAIT.test(name));
  const lastCall = new Int32Array(lanes.length).fill(-1);
  const awaited = new Set<number>();
  for (let at = 0; at < events.startNs.length; at++) {
    const kind = events.kind[at];
    if (kind !== EventKind.runtimeCall && kind !== EventKind.hostWait) continue;
    const lane = events.lane[at] ?? 0;
    const last = lastCall[lane] ?? -1;
    if (last >= 0 && isWait[events.name[at] ?? 0] === true && isCopy[events.name[last] ?? 0] === true)
      awaited.add(last);
    lastCall[lane] = at;
  }
  return awaited;
}

function gather(indexed: IndexedTimeline, isMeant: (event: number) => boolean): Copies {
  const { events, lanes } = indexed.timeline;
  const found: number[] = [];
  let bytes = 0;
  let busyNs = 0;
  let exposedNs = 0;
  for (let at = 0; at < events.startNs.length; at++) {
    const kind = events.kind[at];
    if (kind !== EventKind.copyD2H && kind !== EventKind.copyH2D) continue;
    // A size that is not known may be any: it is left to the finding that says so.
    if (!((events.bytes[at] ?? 0) >= LEAST_BYTES) || !isMeant(at)) continue;
    const startNs = events.startNs[at] ?? 0;
    const durationNs = events.durationNs[at] ?? 0;
    found.push(at);
    bytes += events.bytes[at] ?? 0;
    busyNs += durationNs;
    const compute = computeBeside(indexed, lanes[events.lane[at] ?? 0]?.device);
    exposedNs += durationNs - coveredNs(compute, startNs, startNs + durationNs);
  }
  found.sort((a, b) => (events.durationNs[b] ?? 0) - (events.durationNs[a] ?? 0) || a - b);
  return { events: found, bytes, busyNs, exposedNs };
}

function finding(
  { timeline, overview }: IndexedTimeline,
  copies: Copies,
  words: { code: string; what: string; whatOne: string; explanation: string; configKeys: readonly string[] },
): Finding[] {
  const { spanNs } = overview.metrics;
  if (copies.events.length === 0) return [];
  if (copies.busyNs < spanNs * LEAST_SHARE) return [];
  const rate = formatRate(copies.bytes, copies.busyNs);
  return [
    {
      code: words.code,
      severity: "warning",
      message: `${counted(copies.events.length, "copy", "copies")} of ${formatBytes(copies.bytes)} in all ${copies.events.length === 1 ? words.whatOne : words.what}${rate === "" ? "" : ` (${rate})`}; ${formatNs(copies.exposedNs)} of that is exposed.`,
      explanation: words.explanation,
      events: findingEvents(timeline, copies.events),
      eventCount: copies.events.length,
      arrow: null,
      costNs: copies.exposedNs,
      configKeys: words.configKeys,
      device: timeline.lanes[timeline.events.lane[copies.events[0] ?? 0] ?? 0]?.device ?? null,
    },
  ];
}

/** Streams on which at least a hundredth of the compute time runs. */
function computeStreams({ events, lanes }: Timeline): Set<string> {
  const laneNs = new Float64Array(lanes.length);
  let allNs = 0;
  for (let at = 0; at < events.startNs.length; at++) {
    if (events.kind[at] !== EventKind.kernel) continue;
    const lane = events.lane[at] ?? 0;
    const durationNs = events.durationNs[at] ?? 0;
    allNs += durationNs;
    laneNs[lane] = (laneNs[lane] ?? 0) + durationNs;
  }
  const busyNs = new Map<string, number>();
  for (const [at, lane] of lanes.entries())
    busyNs.set(streamKey(lane), (busyNs.get(streamKey(lane)) ?? 0) + (laneNs[at] ?? 0));
  return new Set([...busyNs].filter(([, ns]) => ns > allNs / 100).map(([key]) => key));
}

function streamKey({ stream, device }: { readonly stream: string; readonly device?: number }): string {
  return `${device ?? ""}/${stream}`;
}
