import { grouped } from "../../base/quantities.js";
import type { Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import type { ReportLine } from "../columns/importReport.js";
import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { findingEvents } from "./findingEvents.js";

interface Damage {
  readonly severity: Finding["severity"];
  /** What happened to `count` events, without the full stop. */
  readonly message: (count: number) => string;
  readonly explanation: string;
  /** Fewer are customary, such as the empty element that ends some lists. */
  readonly least?: number;
}

const LEFT_OUT = "All figures leave them out: sums of the device are too small by that much. Record the trace again.";

/** Lines of an import report that nobody should have to ask for: they say that figures rest on less than the file promises. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  TIME_MISSING: {
    severity: "error",
    message: (count) => `The recording is damaged: ${events(count, "has", "have")} no time`,
    explanation: `Profilers write such events when they lose track of the clock. ${LEFT_OUT}`,
  },
  TIME_FAR: {
    severity: "error",
    message: (count) => `The recording is damaged: ${events(count, "lies", "lie")} far away in time from all others`,
    explanation: `Their times are wrong or in another unit, or the file holds several recordings. ${LEFT_OUT}`,
  },
  TIME_INVALID: {
    severity: "error",
    message: (count) => `The recording is damaged: ${events(count, "has", "have")} a time that is none`,
    explanation: LEFT_OUT,
  },
  DURATION_INVALID: {
    severity: "error",
    message: (count) => `The recording is damaged: ${events(count, "has", "have")} a duration that is none`,
    explanation: LEFT_OUT,
  },
  DURATION_NEGATIVE: {
    severity: "error",
    message: (count) => `The recording is damaged: ${events(count, "has", "have")} a negative duration`,
    explanation: LEFT_OUT,
  },
  DURATION_IMPOSSIBLE: {
    severity: "error",
    message: (count) =>
      `The recording is damaged: ${events(count, "cannot", "cannot")} have lasted as long as the file says`,
    explanation:
      "Later work of the same stream begins inside of them, or they end long after everything else. They are drawn up to there and count in no figure. Record the trace again if they matter.",
  },
  DURATIONS_ZERO: {
    severity: "error",
    message: (count) => `None of the ${grouped(count)} pieces of work on the device has a duration`,
    explanation: "The recorder wrote no ends: nothing can be said about busy, hidden or exposed time.",
  },
  MALFORMED: {
    severity: "warning",
    message: (count) => `The file is damaged: ${elements(count, "is", "are")} no valid JSON`,
    explanation: `No simple repair makes them so. ${LEFT_OUT}`,
  },
  TOO_LARGE: {
    severity: "warning",
    message: (count) => `The file is damaged: ${elements(count, "is", "are")} larger than any event`,
    explanation: `A quote or a bracket that is missing makes one of many. ${LEFT_OUT}`,
  },
  NOT_AN_OBJECT: {
    severity: "warning",
    message: (count) => `${elements(count, "is", "are")} no event, but a number, a text or a list`,
    explanation: LEFT_OUT,
    least: 2,
  },
  PHASE_MISSING: {
    severity: "warning",
    message: (count) => `${elements(count, "says", "say")} nothing of what happened: ph is missing or unknown`,
    explanation: LEFT_OUT,
    least: 2,
  },
  TOO_MANY_EVENTS: {
    severity: "warning",
    message: (count) => `The file has more events than can be kept: ${grouped(count)} are left out`,
    explanation: "All figures are those of the events before. Record fewer steps.",
  },
  DEVICES_OF_PROCESSES: {
    severity: "information",
    message: (count) => `${grouped(count)} devices share their number with one of another process and are kept apart`,
    explanation:
      "Several ranks were merged into one file, and each sees its own GPU under the same number. The devices are numbered anew; their names say whose they are.",
  },
  EVENTS_TWICE: {
    severity: "information",
    message: (count) => `The file holds ${grouped(count + 1)} lists of events; all of them are read`,
    explanation:
      "A JSON object should name traceEvents once. Where both hold the same work, every figure counts it twice.",
  },
};

/** What the import of a trace noticed that makes its figures doubtful; each cause once. */
export function findDamage({ timeline, report }: IndexedTimeline): Finding[] {
  return (report?.lines ?? []).flatMap((line) => {
    const damage = DAMAGES[line.code];
    return damage === undefined || line.count < (damage.least ?? 1) ? [] : [findingOf(timeline, line, damage)];
  });
}

function findingOf(timeline: Timeline, { code, count, firstExample }: ReportLine, damage: Damage): Finding {
  const { severity, message, explanation } = damage;
  const listed = code === "DURATION_IMPOSSIBLE" ? doubtful(timeline) : [];
  // An example of the file's text says less than its count; one of ours says what is wrong.
  const example = listed.length > 0 && firstExample !== "" ? ` (${firstExample})` : "";
  return {
    code,
    severity,
    message: `${message(count)}${example}.`,
    explanation,
    events: findingEvents(timeline, listed),
    eventCount: count,
    arrow: null,
    costNs: null,
    configKeys: [],
    device: null,
  };
}

function doubtful({ events }: Timeline): number[] {
  const listed: number[] = [];
  for (let at = 0; at < events.kind.length; at++) if (events.kind[at] === EventKind.doubtful) listed.push(at);
  return listed;
}

function events(count: number, one: string, many: string): string {
  return count === 1 ? `1 event ${one}` : `${grouped(count)} events ${many}`;
}

function elements(count: number, one: string, many: string): string {
  return count === 1 ? `1 element ${one}` : `${grouped(count)} elements ${many}`;
}
