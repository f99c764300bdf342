import type { EventColumns } from "../../columns/columns.js";
import { EventKind } from "../../columns/eventKind.js";
import { runsOnDevice } from "../../metrics/metrics.js";
import type { LaneTable } from "./laneTable.js";

/** Calls with the same correlation id that are looked at: as many as ranks are ever merged. */
const MOST_CALLS = 64;

/**
 * Looks up the call of the host that started a piece of work, by the correlation id that both have. Ranks that were merged into one
 * file have the same ids: a device then belongs to the process of the host whose calls come before its work, and of several
 * calls of that process the last one before the work counts.
 */
export function launchingCalls(
  events: EventColumns,
  correlation: Uint32Array,
  lanes: LaneTable,
): (work: number) => number | undefined {
  const { startNs, lane } = events;
  const { callOf, several } = callsById(events, correlation);
  const processOf = (event: number) => lanes.pidOf(lanes.threadOf(lane[event] ?? 0));
  const isBefore = (call: number, work: number) => (startNs[call] ?? 0) <= (startNs[work] ?? 0);
  const hosts = several.size === 0 ? undefined : hostsOfDevices(events, correlation, several, processOf, isBefore);
  return (work) => {
    const id = correlation[work] ?? 0;
    const calls = several.get(id);
    if (calls === undefined) return callOf(id);
    const host = hosts?.get(processOf(work));
    const own = host === undefined ? [] : calls.filter((call) => processOf(call) === host);
    return [own, calls].flatMap((some) => some.findLast((call) => isBefore(call, work)) ?? [])[0] ?? calls.at(-1);
  };
}

interface Calls {
  /** The last call with an id. */
  callOf(id: number): number | undefined;
  /** Ids that several calls have, with these calls in order of time. */
  readonly several: ReadonlyMap<number, readonly number[]>;
}

/** Ids of one file are dense, so that a table usually does. */
function callsById({ kind }: EventColumns, correlation: Uint32Array): Calls {
  let lowest = Infinity;
  let highest = 0;
  for (const id of correlation) {
    if (id === 0) continue;
    lowest = Math.min(lowest, id);
    highest = Math.max(highest, id);
  }
  const several = new Map<number, number[]>();
  if (highest === 0) return { callOf: () => undefined, several };
  const isDense = highest - lowest < correlation.length * 8 + 1024;
  const table = isDense ? new Int32Array(highest - lowest + 1).fill(-1) : undefined;
  const map = new Map<number, number>();
  const lastOf = (id: number) => (table === undefined ? (map.get(id) ?? -1) : (table[id - lowest] ?? -1));
  for (let at = 0; at < correlation.length; at++) {
    const id = correlation[at] ?? 0;
    if (id === 0 || !isCall(kind[at] ?? 0)) continue;
    const known = lastOf(id);
    if (known >= 0) several.set(id, [...(several.get(id) ?? [known]), at].slice(-MOST_CALLS));
    if (table === undefined) map.set(id, at);
    else table[id - lowest] = at;
  }
  return {
    callOf: (id) => {
      const call = lastOf(id);
      return call < 0 ? undefined : call;
    },
    several,
  };
}

function isCall(kind: number): boolean {
  return kind === EventKind.runtimeCall || kind === EventKind.hostWait || kind === EventKind.pinnedAllocation;
}

/** The process of the host for each process with a device, one each; empty where there are not several of both. */
function hostsOfDevices(
  { kind }: EventColumns,
  correlation: Uint32Array,
  several: ReadonlyMap<number, readonly number[]>,
  processOf: (event: number) => number,
  isBefore: (call: number, work: number) => boolean,
): ReadonlyMap<number, number> {
  const hosts = new Set<number>();
  for (const calls of several.values()) for (const call of calls) hosts.add(processOf(call));
  const works = new Map<number, Map<number, number>>();
  if (hosts.size < 2) return new Map();
  for (let at = 0; at < correlation.length; at++) {
    const calls = runsOnDevice(kind[at] ?? 0) ? several.get(correlation[at] ?? 0) : undefined;
    if (calls === undefined) continue;
    const device = processOf(at);
    const counts = works.get(device) ?? new Map<number, number>();
    works.set(device, counts);
    for (const host of new Set(calls.filter((call) => isBefore(call, at)).map(processOf)))
      counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return works.size < 2 ? new Map() : paired(works, [...hosts].sort(ascending));
}

/** Who has the fewest to choose from chooses first: of those with most work behind their calls, itself, or the one of its rank. */
function paired(works: ReadonlyMap<number, ReadonlyMap<number, number>>, hosts: readonly number[]) {
  // Merged files hold one rank after the other, so that the places in both orders agree.
  const devices = [...works.keys()].sort(ascending).map((device, place) => ({ device, place }));
  const choicesOf = (device: number) => [...(works.get(device)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  devices.sort((a, b) => choicesOf(a.device) - choicesOf(b.device));
  const hostOf = new Map<number, number>();
  const free = new Set(hosts);
  for (const { device, place } of devices) {
    const worksOf = (host: number) => works.get(device)?.get(host) ?? 0;
    const apart = (host: number) => (host === device ? -1 : Math.abs(hosts.indexOf(host) - place));
    const [best] = [...free].sort((a, b) => worksOf(b) - worksOf(a) || apart(a) - apart(b));
    if (best === undefined) continue;
    hostOf.set(device, best);
    free.delete(best);
  }
  return hostOf;
}

function ascending(a: number, b: number): number {
  return a - b;
}
