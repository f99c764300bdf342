import type { Timeline, TimelineLane } from "../../../src/core/timeline/columns/columns.js";
import { EventKind } from "../../../src/core/timeline/columns/eventKind.js";

/*
 * A timeline of any length, written straight into columns: kernels without a gap, copies beside every twentieth, and two
 * threads of the host that launch them. Nothing in it was measured.
 */

const LANES: readonly TimelineLane[] = [
  { role: "compute", stream: "stream 7" },
  { role: "d2h", stream: "stream 21" },
  { role: "h2d", stream: "stream 22" },
  { role: "host", stream: "thread 1" },
  { role: "host", stream: "thread 2" },
];
const KINDS = [EventKind.kernel, EventKind.copyD2H, EventKind.copyH2D, EventKind.operator, EventKind.runtimeCall];
const STRINGS = ["gemm", "Memcpy DtoH", "Memcpy HtoD", "aten::mm", "cudaLaunchKernel"];

/** Every twenty events: 9 kernels, 1 copy out, 1 copy in, 5 operators, 4 calls; each 10 µs after the one before. */
export function denseTimeline(count: number): Timeline {
  const startNs = new Float64Array(count);
  const durationNs = new Float64Array(count);
  const lane = new Uint32Array(count);
  const layer = new Int32Array(count);
  const bytes = new Float64Array(count);
  const kind = new Uint8Array(count);
  for (let at = 0; at < count; at++) {
    const place = at % 20;
    const on = place === 4 ? 1 : place === 14 ? 2 : place % 2 === 0 ? 0 : place % 4 === 1 ? 3 : 4;
    startNs[at] = at * 10_000;
    durationNs[at] = on === 0 ? 19_000 : on < 3 ? 90_000 : 7_000 + ((at * 7919) % 9_000);
    lane[at] = on;
    layer[at] = on === 0 ? Math.floor(at / 400) % 36 : -1;
    bytes[at] = on === 1 || on === 2 ? 5_000_000 : 0;
    kind[at] = KINDS[on] ?? EventKind.other;
  }
  const dependsOn = new Int32Array(count).fill(-1);
  const events = { startNs, durationNs, lane, name: Uint32Array.from(lane), layer, bytes, kind, dependsOn };
  return { lanes: LANES, strings: STRINGS, events, memory: [curve(count)], spans: [] };
}

/** One change of the device's memory for every tenth event. */
function curve(count: number) {
  const length = Math.ceil(count / 10);
  const timeNs = new Float64Array(length);
  const bytes = new Float64Array(length);
  for (let at = 0; at < length; at++) {
    timeNs[at] = at * 100_000;
    bytes[at] = 2 ** 30 + ((at * 104_729) % 2 ** 28);
  }
  return { of: "device", timeNs, bytes } as const;
}
