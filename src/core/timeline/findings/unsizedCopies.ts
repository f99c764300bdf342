import { counted, grouped } from "../../base/quantities.js";
import { EventKind } from "../columns/eventKind.js";
import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { findingEvents } from "./findingEvents.js";

/** Copies whose size the profiler did not record: what needs sizes could not be looked for among them, and that is no all-clear. */
export function findUnsizedCopies({ timeline }: IndexedTimeline): Finding[] {
  const { events } = timeline;
  const unsized: number[] = [];
  let copies = 0;
  for (let at = 0; at < events.startNs.length; at++) {
    const kind = events.kind[at];
    if (kind !== EventKind.copyD2H && kind !== EventKind.copyH2D) continue;
    copies++;
    if (Number.isNaN(events.bytes[at])) unsized.push(at);
  }
  if (unsized.length === 0) return [];
  const verb = unsized.length === 1 ? "has" : "have";
  return [
    {
      code: "COPIES_WITHOUT_SIZE",
      severity: "information",
      message: `${grouped(unsized.length)} of ${counted(copies, "copy", "copies")} between host and device ${verb} no recorded size: pageable, blocking and inline copies, and offloads without a reload, could not be looked for among them.`,
      explanation:
        "The profiler wrote no size, or one that cannot be: negative, a fraction, a text. Bytes and rates are those of the other copies; times are complete. ROCm's profiler leaves sizes out in some versions: record with a newer one.",
      events: findingEvents(timeline, unsized),
      eventCount: unsized.length,
      arrow: null,
      costNs: null,
      configKeys: [],
      device: null,
    },
  ];
}
