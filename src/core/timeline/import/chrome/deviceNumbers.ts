/** A device as a process of the file calls it. */
export interface ProcessDevice {
  readonly pid: number;
  readonly device: number;
  /** The process in words. */
  readonly process: string;
}

/** Larger numbers are those of processes, not of devices. */
const MOST_PLAIN = 4_096;

/**
 * Numbers of the devices of a file. Where ranks were merged into one file, each of several processes has a device 0, which is
 * another one: the first keeps its number, each further one gets the number of its process, or the next that is free.
 */
export class DeviceNumbers {
  /** Devices that share their number with another process's. */
  readonly shared: number;
  private readonly numbers = new Map<string, number>();
  private readonly origins = new Map<number, ProcessDevice>();

  constructor(devices: readonly ProcessDevice[]) {
    const taken = new Set(devices.map(({ device }) => device));
    const first = new Map<number, ProcessDevice>();
    const doubled = new Set<number>();
    for (const one of devices) {
      const { pid, device } = one;
      const isFirst = !first.has(device);
      if (isFirst) first.set(device, one);
      else doubled.add(device);
      const number = isFirst ? device : freeNumber(pid, taken);
      taken.add(number);
      this.numbers.set(`${pid} ${device}`, number);
      this.origins.set(number, one);
    }
    for (const [number, { device }] of this.origins) if (!doubled.has(device)) this.origins.delete(number);
    this.shared = this.origins.size;
  }

  /** The number of what a process calls `device`; a process without work on it means the one that the others mean. */
  numberOf(pid: number, device: number): number {
    return this.numbers.get(`${pid} ${device}`) ?? device;
  }

  /** Numbers of all that are called `device`, in order of the file. */
  allOf(device: number): readonly number[] {
    return [...this.origins].flatMap(([number, origin]) => (origin.device === device ? [number] : []));
  }

  /** Whose device it is, where its number alone does not say so. */
  originOf(number: number): ProcessDevice | undefined {
    return this.origins.get(number);
  }
}

function freeNumber(pid: number, taken: ReadonlySet<number>): number {
  if (pid >= 0 && pid < MOST_PLAIN && !taken.has(pid)) return pid;
  let number = 0;
  while (taken.has(number)) number++;
  return number;
}
