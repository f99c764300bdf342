import type { Timeline } from "../columns.js";
import { runsOnDevice } from "../metrics.js";

/**
 * Calls `note` with the name of every piece of device work that starts before an earlier one of the same stream ended. A
 * stream does one thing after the other, so this is a fault of the recording; lanes of one stream with several roles count
 * together.
 */
export function countOverlaps({ events, lanes, strings }: Timeline, note: (name: string) => void): void {
  const streamOf = streamNumbers(lanes);
  const freeAtNs = new Float64Array(lanes.length).fill(-Infinity);
  for (let at = 0; at < events.startNs.length; at++) {
    if (!runsOnDevice(events.kind[at] ?? 0)) continue;
    const stream = streamOf[events.lane[at] ?? 0] ?? 0;
    const startNs = events.startNs[at] ?? 0;
    const endNs = startNs + (events.durationNs[at] ?? 0);
    if (startNs < (freeAtNs[stream] ?? 0)) note(strings[events.name[at] ?? 0] ?? "");
    if (endNs > (freeAtNs[stream] ?? 0)) freeAtNs[stream] = endNs;
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
