import { type EventColumns, type FlowColumns, FlowKind, type Timeline } from "./columns.js";

/** Every rule on a timeline asks for it; arrows never change. */
const known = new WeakMap<FlowColumns, Int32Array | null>();

/** Index of the call of the host that started each event, -1 where unknown; `null` where the timeline has no launches. */
export function launchOf({ events, flows }: Timeline): Int32Array | null {
  if (flows === undefined) return null;
  let calls = known.get(flows);
  if (calls === undefined) {
    calls = findCalls(events, flows);
    known.set(flows, calls);
  }
  return calls;
}

function findCalls(events: EventColumns, flows: FlowColumns): Int32Array | null {
  if (flows.kind.indexOf(FlowKind.launch) < 0) return null;
  const calls = new Int32Array(events.startNs.length).fill(-1);
  for (let at = 0; at < flows.from.length; at++)
    if (flows.kind[at] === FlowKind.launch) calls[flows.to[at] ?? 0] = flows.from[at] ?? -1;
  return calls;
}
