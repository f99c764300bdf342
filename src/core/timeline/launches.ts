import { FlowKind, type Timeline } from "./columns.js";

/** Index of the call of the host that started each event, -1 where unknown; `null` where the timeline has no launches. */
export function launchOf({ events, flows }: Timeline): Int32Array | null {
  if (flows === undefined || flows.kind.indexOf(FlowKind.launch) < 0) return null;
  const calls = new Int32Array(events.startNs.length).fill(-1);
  for (let at = 0; at < flows.from.length; at++)
    if (flows.kind[at] === FlowKind.launch) calls[flows.to[at] ?? 0] = flows.from[at] ?? -1;
  return calls;
}
