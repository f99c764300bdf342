import { counted, formatBytes, formatNs, grouped } from "../../base/quantities.js";
import type { Timeline } from "../columns/columns.js";
import { layerName } from "../metrics/layerCosts.js";
import { type OffloadClass, type OffloadPair, pairOffloads } from "../metrics/offloadPairs.js";
import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { endOf, findingEvents } from "./findingEvents.js";

/** Findings of one kind that are listed one by one; the last of them then says how many more there are. */
const MOST_LISTED = 20;

/** Reloads that begin before their own offload ended, and offloads that nothing brings back. */
export function findOffloadOrder({ timeline }: IndexedTimeline): Finding[] {
  return pairOffloads(timeline).flatMap((one) => [...racesOf(timeline, one), ...unpairedOf(timeline, one)]);
}

function racesOf(timeline: Timeline, { pairs, device }: OffloadClass): Finding[] {
  const races = pairs.filter(
    ({ offload, reload }) => (timeline.events.startNs[reload] ?? 0) < endOf(timeline, offload),
  );
  return races.slice(0, MOST_LISTED).map((pair) => raceOf(timeline, pair, device, races.length));
}

function raceOf(timeline: Timeline, { offload, reload }: OffloadPair, device: number | null, races: number): Finding {
  const earlyNs = endOf(timeline, offload) - (timeline.events.startNs[reload] ?? 0);
  const layer = timeline.events.layer[offload] ?? -1;
  const which = layer < 0 ? "" : ` of ${layerName(timeline, layer)}`;
  const more = races > MOST_LISTED ? ` There are ${races} of them in all.` : "";
  return {
    code: "RELOAD_BEFORE_OFFLOAD_END",
    severity: "error",
    message: `A reload${which} starts ${formatNs(earlyNs)} before its own offload has ended.${more}`,
    explanation:
      "The copy back reads host memory that the copy out has not filled yet: gradients become wrong without any error. An event of the offload's stream has to be waited for before the reload is launched.",
    events: findingEvents(timeline, [offload, reload]),
    eventCount: 2,
    arrow: { from: offload, to: reload },
    costNs: null,
    configKeys: ["enable_async_activation_offload"],
    device,
  };
}

function unpairedOf(timeline: Timeline, one: OffloadClass): Finding[] {
  const { unpaired, pairs, isCutOff, orphans, device, bytes } = one;
  const all = unpaired.length + pairs.length;
  if (unpaired.length > 0) {
    return [
      {
        code: "OFFLOAD_WITHOUT_RELOAD",
        severity: isCutOff ? "information" : "error",
        message: `${grouped(unpaired.length)} of ${counted(all, "offload")} of ${formatBytes(bytes)} ${unpaired.length === 1 ? "is" : "are"} never brought back.`,
        explanation: isCutOff
          ? "Probably the recording ends in the middle of a step."
          : "A tensor was copied to the host and backward did not ask for it: the copy was for nothing, or a reload was lost.",
        events: findingEvents(timeline, unpaired),
        eventCount: unpaired.length,
        arrow: null,
        costNs: null,
        configKeys: ["activation_offload_modules"],
        device,
      },
    ];
  }
  if (orphans.length === 0) return [];
  return [
    {
      code: "RELOAD_WITHOUT_OFFLOAD",
      severity: "information",
      message: `${counted(orphans.length, "reload")} of ${formatBytes(bytes)} ${orphans.length === 1 ? "has no offload before it" : "have no offload before them"}.`,
      explanation: "Probably the recording begins in the middle of a step.",
      events: findingEvents(timeline, orphans),
      eventCount: orphans.length,
      arrow: null,
      costNs: null,
      configKeys: [],
      device,
    },
  ];
}
