import type { Timeline } from "../columns/columns.js";
import { runsOnDevice } from "./metrics.js";

/**
 * Calls `note(earlier, event)` for every piece of device work that starts before an earlier one of the same stream ended. A
 * stream does one thing after the other, so this is a fault of the recording; lanes of one stream with several roles count
 * together. What takes no time may stand where another piece starts: clocks in whole microseconds write short work so.
 */
export function eachOverlap({ events, lanes }: Timeline, note: (earlier: number, event: number) => void): void {
  const streamOf = streamNumbers(lanes);
  const lastOf = new Int32Array(lanes.length).fill(-1);
  const freeAtNs = new Float64Array(lanes.length).fill(-Infinity);
  for (let at = 0; at < events.startNs.length; at++) {
    if (!runsOnDevice(events.kind[at] ?? 0)) continue;
    const stream = streamOf[events.lane[at] ?? 0] ?? 0;
    const last = lastOf[stream] ?? -1;
    const startNs = events.startNs[at] ?? 0;
    const durationNs = events.durationNs[at] ?? 0;
    if (startNs < (freeAtNs[stream] ?? 0) && (durationNs > 0 || startNs > (events.startNs[last] ?? 0))) note(last, at);
    if (startNs + durationNs <= (freeAtNs[stream] ?? 0)) continue;
    freeAtNs[stream] = startNs + durationNs;
    lastOf[stream] = at;
  }
}

/** Lanes of the same stream of the same device share a number. */
export function streamNumbers(lanes: Timeline["lanes"]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(lanes, ({ stream, device, process }) => {
    const key = JSON.stringify([device ?? null, process ?? null, stream]);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
