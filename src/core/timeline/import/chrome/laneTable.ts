import type { TimelineLane } from "../../columns/columns.js";
import { EventKind } from "../../columns/eventKind.js";
import type { LaneRole } from "../../columns/laneRoles.js";
import { HIGHEST_KIND, ROLE_ORDER, roleOfKind } from "../../columns/laneWork.js";
import { DeviceNumbers, type ProcessDevice } from "./deviceNumbers.js";
import type { NameTable } from "./nameTable.js";
import { textOfIdentity } from "./traceElement.js";

/** Threads beyond this many share the last one: no picture shows more, and a file can name millions. */
const MAX_THREADS = 2_048;
const MAX_LANES = 4_096;

/**
 * What a lane is made for; one thread or stream can have several. Each role is a use by its place in the table of lanes; two more
 * follow.
 */
export const LaneUse = {
  host: ROLE_ORDER.indexOf("host"),
  deviceRanges: ROLE_ORDER.indexOf("annotation"),
  async: ROLE_ORDER.length,
  /** Waits of a stream as the driver reports them: they belong to the compute that stood still. */
  deviceSync: ROLE_ORDER.length + 1,
} as const;

const ROLE_OF_USE: readonly LaneRole[] = [...ROLE_ORDER, "host", "compute"];
const USES = ROLE_OF_USE.length;

const USE_OF_KIND = Uint8Array.from({ length: HIGHEST_KIND + 1 }, (_, kind) =>
  // Copies between two devices or within the host move data without being D2H or H2D.
  ROLE_ORDER.indexOf(kind === EventKind.other ? "d2d" : (roleOfKind(kind) ?? "host")),
);

/** The use of the lane for a device's event of this kind. */
export function useOfKind(kind: number): number {
  return kind === EventKind.streamWait ? LaneUse.deviceSync : (USE_OF_KIND[kind] ?? LaneUse.host);
}

/** Whether a lane of this use carries work of a device. */
function isWork(use: number): boolean {
  return use !== LaneUse.host && use !== LaneUse.deviceRanges && use < LaneUse.async;
}

interface Thread {
  readonly pid: number;
  readonly tid: number;
  name: string | undefined;
}

interface Lane {
  readonly thread: number;
  readonly use: number;
  device: number;
}

/** Threads and streams of a trace, and the lanes that their events go to. */
export class LaneTable {
  /** Number of threads that did not get lanes of their own. */
  mergedThreads = 0;
  private readonly threads: Thread[] = [];
  private readonly byPid = new Map<number, Map<number, number>>();
  private readonly lanes: Lane[] = [];
  private readonly laneOf = new Int32Array(MAX_THREADS * USES).fill(-1);
  /** Device of each lane; -1 for those of hosts. */
  private readonly deviceOfLane = new Int16Array(MAX_LANES).fill(-1);
  /** Lanes of threads that work on several devices, by thread, use and device. */
  private readonly further = new Map<string, number>();
  private readonly processNames = new Map<number, string>();
  private readonly labels = new Map<number, string>();
  private lastPid = Number.NaN;
  private lastTid = Number.NaN;
  private lastThread = 0;

  constructor(private readonly names: NameTable) {}

  get length(): number {
    return this.lanes.length;
  }

  /** Number of the thread. */
  thread(pid: number, tid: number): number {
    if (pid === this.lastPid && tid === this.lastTid) return this.lastThread;
    const thread = this.find(pid, tid);
    this.lastPid = pid;
    this.lastTid = tid;
    this.lastThread = thread;
    return thread;
  }

  /** Number of the lane of a thread for a use (`LaneUse`); `device` is -1 for host lanes. */
  lane(thread: number, use: number, device: number): number {
    const key = thread * USES + use;
    const known = this.laneOf[key] ?? -1;
    if (known >= 0) return this.deviceOfLane[known] === device ? known : this.furtherLane(thread, use, device);
    const number = this.addLane(thread, use, device);
    this.laneOf[key] = number;
    return number;
  }

  private furtherLane(thread: number, use: number, device: number): number {
    const key = `${thread} ${use} ${device}`;
    const number = this.further.get(key) ?? this.addLane(thread, use, device);
    if (this.further.size < MAX_LANES) this.further.set(key, number);
    return number;
  }

  private addLane(thread: number, use: number, device: number): number {
    const number = Math.min(this.lanes.length, MAX_LANES - 1);
    if (number < this.lanes.length) return number;
    this.lanes.push({ thread, use, device });
    this.deviceOfLane[number] = device;
    return number;
  }

  threadOf(lane: number): number {
    return this.lanes[lane]?.thread ?? 0;
  }

  deviceOf(lane: number): number {
    return this.lanes[lane]?.device ?? -1;
  }

  pidOf(thread: number): number {
    return this.threads[thread]?.pid ?? 0;
  }

  nameProcess(pid: number, name: string): void {
    if (this.processNames.size < MAX_THREADS) this.processNames.set(pid, name);
  }

  labelProcess(pid: number, label: string): void {
    if (this.labels.size < MAX_THREADS) this.labels.set(pid, label);
  }

  /** Of two names the one that says more than the process's own stays: Kineto writes `thread 7 (python3)` for every thread. */
  nameThread(pid: number, tid: number, name: string): void {
    const thread = this.threads[this.thread(pid, tid)];
    if (thread === undefined) return;
    const process = this.processNames.get(pid);
    const isPlain = process !== undefined && name.endsWith(`(${process})`);
    if (thread.name === undefined || !isPlain) thread.name = name;
  }

  processName(pid: number): string | undefined {
    return this.processNames.get(pid);
  }

  /** The processes whose work is on devices, with the number that each gives its device. */
  private devicesOfProcesses(): ProcessDevice[] {
    const found = new Map<string, ProcessDevice>();
    for (const { thread, use, device } of this.lanes) {
      if (device < 0 || !isWork(use)) continue;
      const pid = this.pidOf(thread);
      found.set(`${pid} ${device}`, { pid, device, process: this.identityText(pid, "process") });
    }
    return [...found.values()];
  }

  /** The lanes as the timeline shows them, in order of their numbers, and what the numbers of their devices stand for. */
  describe(): { readonly lanes: TimelineLane[]; readonly devices: DeviceNumbers } {
    const devices = new DeviceNumbers(this.devicesOfProcesses());
    return { lanes: this.describeLanes(devices), devices };
  }

  private describeLanes(devices: DeviceNumbers): TimelineLane[] {
    return this.lanes.map(({ thread, use, device: said }) => {
      const found = this.threads[thread];
      const device = said < 0 ? said : devices.numberOf(this.pidOf(thread), said);
      const stream = found === undefined ? "" : this.streamName(found, use);
      const process = found === undefined ? undefined : this.processTitle(found.pid, device >= 0);
      return {
        role: ROLE_OF_USE[use] ?? "host",
        stream,
        ...(device >= 0 ? { device } : {}),
        ...(process === undefined ? {} : { process }),
      };
    });
  }

  private streamName({ tid, name }: Thread, use: number): string {
    const isStream = isWork(use) || use === LaneUse.deviceRanges || use === LaneUse.deviceSync;
    const kind = isStream ? "stream" : "thread";
    const plain = name?.trim() || this.identityText(tid, kind) || `no ${kind}`;
    if (use === LaneUse.deviceRanges) return `${plain} ranges`;
    if (use === LaneUse.deviceSync) return `${plain} waits`;
    return use === LaneUse.async ? `${plain} async` : plain;
  }

  private processTitle(pid: number, isDevice: boolean): string | undefined {
    const name = this.processNames.get(pid);
    const label = this.labels.get(pid);
    if (isDevice) return label ?? name;
    const number = this.identityText(pid, "process");
    return name === undefined || name === "" ? number : `${name} (${number})`;
  }

  private identityText(identity: number, prefix: string): string {
    const text = textOfIdentity(identity);
    if (text !== undefined) return this.names.texts[text] ?? "";
    return `${prefix} ${identity < -1 ? identity + 2 : identity}`.replace(/ -(\d)/, " \u2212$1");
  }

  private find(pid: number, tid: number): number {
    let ofPid = this.byPid.get(pid);
    if (ofPid === undefined) {
      if (this.byPid.size >= MAX_THREADS) return this.shared();
      ofPid = new Map();
      this.byPid.set(pid, ofPid);
    }
    const known = ofPid.get(tid);
    if (known !== undefined) return known;
    if (this.threads.length >= MAX_THREADS - 1) return this.shared();
    ofPid.set(tid, this.threads.length);
    this.threads.push({ pid, tid, name: undefined });
    return this.threads.length - 1;
  }

  private shared(): number {
    if (this.threads.length < MAX_THREADS) this.threads.push({ pid: 0, tid: 0, name: "further threads" });
    this.mergedThreads++;
    return this.threads.length - 1;
  }
}
