import type { MemoryCurve } from "../../columns/columns.js";
import type { DeviceNumbers } from "./deviceNumbers.js";
import { PAUSE_NS } from "./timeGroups.js";

const MAX_DEVICES = 64;

interface Series {
  /** Process that reported it, and its number for the device or `HOST_MEMORY`. */
  readonly pid: number;
  readonly device: number;
  readonly timeNs: number[];
  readonly bytes: number[];
}

/** Number under which the memory of the host is kept; devices count from 0. */
export const HOST_MEMORY = -1;

/** Allocated totals as the allocators of a framework reported them, per process for each device and the host. */
export class MemoryEvents {
  /** Points so far. */
  length = 0;
  private readonly series: Series[] = [];

  get isEmpty(): boolean {
    return this.series.length === 0;
  }

  add(pid: number, device: number, timeNs: number, bytes: number): void {
    let found = this.series.find((one) => one.device === device && one.pid === pid);
    if (found === undefined) {
      if (this.series.length >= MAX_DEVICES) return;
      found = { pid, device, timeNs: [], bytes: [] };
      this.series.push(found);
    }
    this.length++;
    found.timeNs.push(timeNs);
    found.bytes.push(bytes);
  }

  /**
   * Curves in order of time, devices before the host; `originNs` is taken off all times, and what then lies outside of
   * `[-PAUSE_NS, endNs + PAUSE_NS]` is no part of the recording, where `endNs` is given. The events of a file are not in order across threads.
   */
  toCurves(originNs: number, numbers: DeviceNumbers, endNs?: number): MemoryCurve[] {
    const placed = this.series.map((series) => ({ ...series, device: this.numberOf(series, numbers) }));
    const ofDevices = placed.filter(({ device }) => device !== HOST_MEMORY).sort((a, b) => a.device - b.device);
    const all = [...ofDevices, ...placed.filter(({ device }) => device === HOST_MEMORY)];
    return all.map(({ device, timeNs, bytes }) => {
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
        ...(ofDevices.length > 1 && device !== HOST_MEMORY ? { device } : {}),
      };
    });
  }

  /** Of several processes with a device of one number, the first reports for the first such device, and so on. */
  private numberOf({ pid, device }: Series, numbers: DeviceNumbers): number {
    const alike = this.series.filter((one) => one.device === device).map((one) => one.pid);
    return numbers.allOf(device)[alike.indexOf(pid)] ?? device;
  }
}
