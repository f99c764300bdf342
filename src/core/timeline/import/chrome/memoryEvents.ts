import type { MemoryCurve } from "../../columns/columns.js";
import { PAUSE_NS } from "./timeGroups.js";

const MAX_DEVICES = 64;

interface Series {
  readonly timeNs: number[];
  readonly bytes: number[];
}

/** Number under which the memory of the host is kept; devices count from 0. */
export const HOST_MEMORY = -1;

/** Allocated totals as the allocators of a framework reported them, per device and for the host. */
export class MemoryEvents {
  /** Points so far. */
  length = 0;
  private readonly series = new Map<number, Series>();

  get isEmpty(): boolean {
    return this.series.size === 0;
  }

  add(device: number, timeNs: number, bytes: number): void {
    let found = this.series.get(device);
    if (found === undefined) {
      if (this.series.size >= MAX_DEVICES) return;
      found = { timeNs: [], bytes: [] };
      this.series.set(device, found);
    }
    this.length++;
    found.timeNs.push(timeNs);
    found.bytes.push(bytes);
  }

  /**
   * Curves in order of time, devices before the host; `originNs` is taken off all times, and what then lies outside of
   * `[-PAUSE_NS, endNs + PAUSE_NS]` is no part of the recording, where `endNs` is given. The events of a file are not in order across threads.
   */
  toCurves(originNs: number, endNs?: number): MemoryCurve[] {
    const devices = [...this.series.keys()].filter((device) => device !== HOST_MEMORY).sort((a, b) => a - b);
    const all = this.series.has(HOST_MEMORY) ? [...devices, HOST_MEMORY] : devices;
    return all.map((device) => {
      const { timeNs, bytes } = this.series.get(device) ?? { timeNs: [], bytes: [] };
      const every = Uint32Array.from(timeNs, (_, at) => at);
      const order = every.filter((at) => {
        const ns = (timeNs[at] ?? 0) - originNs;
        return endNs === undefined || (ns >= -PAUSE_NS && ns <= endNs + PAUSE_NS);
      });
      order.sort((a, b) => (timeNs[a] ?? 0) - (timeNs[b] ?? 0) || a - b);
      return {
        of: device === HOST_MEMORY ? "host" : "device",
        timeNs: Float64Array.from(order, (at) => (timeNs[at] ?? 0) - originNs),
        bytes: Float64Array.from(order, (at) => bytes[at] ?? 0),
        ...(devices.length > 1 && device !== HOST_MEMORY ? { device } : {}),
      };
    });
  }
}
