import { counted, formatNs, formatShare } from "../../base/quantities.js";
import { FORMULAS } from "./formulas.js";
import type { TimelineMetrics } from "./metrics.js";

/** One of the five numbers over the timeline of a trace. */
export interface TraceFigure {
  readonly id: "span" | "compute" | "idle" | "exposed" | "collective";
  readonly label: string;
  readonly value: string;
  /** A second, smaller number that puts the first in proportion. */
  readonly note: string;
  readonly formula: string;
}

/** The five figures of a trace, in the order in which they are shown. */
export function traceFiguresOf(metrics: TimelineMetrics): TraceFigure[] {
  const { spanNs, computeBusyNs, idleNs, copiesAny, collective, counts } = metrics;
  const share = (ns: number) => (spanNs > 0 ? `${formatShare(ns / spanNs)} of the span` : "");
  const copies = metrics.d2h.count + metrics.h2d.count;
  return [
    {
      id: "span",
      label: "Span",
      value: formatNs(spanNs),
      note: counted(counts.kernel, "kernel"),
      formula: FORMULAS.span.formula,
    },
    {
      id: "compute",
      label: "Compute busy",
      value: formatNs(computeBusyNs),
      note: share(computeBusyNs),
      formula: FORMULAS.computeBusy.formula,
    },
    { id: "idle", label: "Idle", value: formatNs(idleNs), note: share(idleNs), formula: FORMULAS.idle.formula },
    {
      id: "exposed",
      label: "Exposed copies",
      value: formatNs(copiesAny.exposedNs),
      note: copies === 0 ? "no copies" : `of ${formatNs(copiesAny.busyNs)} busy`,
      formula: `${FORMULAS.copiesAny.formula}; exposed = ${FORMULAS.exposed.formula}`,
    },
    {
      id: "collective",
      label: "Exposed collectives",
      value: formatNs(collective.exposedNs),
      note: collective.count === 0 ? "no collectives" : `of ${formatNs(collective.busyNs)} busy`,
      formula: `Collectives: exposed = ${FORMULAS.exposed.formula}`,
    },
  ];
}
