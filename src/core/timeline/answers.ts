import { fail, type Outcome, succeed } from "../base/outcome.js";
import { measuredSteps, runTitle } from "../profile/runFigures.js";
import { findFindings } from "./findings/findFindings.js";
import { analyse } from "./query/analysis.js";
import { coarseView } from "./query/coarseLevels.js";
import { compareTimelines } from "./query/compare.js";
import { detailsOf, linkTo } from "./query/eventDetails.js";
import { locateEvent, searchEvents, tablePage } from "./query/eventTable.js";
import type { IndexedProfile, IndexedTimeline } from "./query/indexedTimeline.js";
import { matchMarks } from "./query/matchMarks.js";
import { sliceMemory } from "./query/memorySlices.js";
import type { Answer, Answers, EventDetails, Question } from "./query/protocol.js";
import { sumRange } from "./query/rangeSum.js";
import { emptySlices, nearestEvent, sliceRow } from "./query/slices.js";

/** More boxes than any screen has pixels, and a bound on what one question can cost. */
const MAX_PIXELS = 32_768;
/** Of all rows of an answer together: 37 bytes each, and no message may exceed 64 MB. */
const MAX_BOXES = 1_500_000;

/**
 * Answers one question of the page. Fails with `TIMELINE_ABSENT` where the run has none (or the file changed meanwhile) and
 * `EVENT_ABSENT` where the event does not exist.
 */
export function answerQuestion(profile: IndexedProfile, question: Question): Outcome<Answer> {
  const indexed = profile.timelines[question.run] ?? null;
  if (indexed === null) return fail(absent("TIMELINE_ABSENT", `Run ${question.run} has no recorded timeline.`));
  if ("event" in question && !hasEvent(indexed, question.event))
    return fail(absent("EVENT_ABSENT", `Event ${question.event} is not in the timeline of run ${question.run}.`));
  switch (question.kind) {
    case "view":
      return succeed(view(indexed, question));
    case "event":
      return succeed(detailsOf(indexed, question.event));
    case "nearest":
      return succeed({ event: nearest(indexed, question.row, question.timeNs) });
    case "neighbour":
      return succeed({ event: neighbour(indexed, question.event, question.step) });
    case "table":
      return succeed(tablePage(indexed, question.filter, question.sort, question.position, question.count));
    case "locate":
      return succeed({ position: locateEvent(indexed, question.filter, question.sort, question.event) });
    case "search":
      return succeed(searchEvents(indexed, question.filter, question.fromEvent, question.step));
    case "matches":
      return succeed(matchMarks(indexed, question));
    case "sum":
      return succeed(sumRange(indexed, question.fromNs, question.toNs, question.device));
    case "findings":
      return succeed(findings(indexed));
    case "analysis":
      return succeed(analyse(indexed, question.device === undefined ? {} : { device: question.device }));
    case "compare":
      return comparison(profile, question.run, question.with);
  }
}

function absent(code: string, message: string) {
  return { code, message, nextStep: "Close the tab and open the file again." };
}

function hasEvent(indexed: IndexedTimeline, event: number): boolean {
  return Number.isInteger(event) && event >= 0 && event < indexed.timeline.events.startNs.length;
}

function view(indexed: IndexedTimeline, asked: Question & { readonly kind: "view" }): Answers["view"] {
  const { fromNs, toNs } = asked;
  const wanted = asked.rows === undefined ? null : new Set(asked.rows);
  const isWanted = (row: number) => wanted === null || wanted.has(row);
  const pixels = Math.min(MAX_PIXELS, MAX_BOXES / 2 / Math.max(1, wanted?.size ?? indexed.rows.length));
  const pixelNs = Math.max(asked.pixelNs, (toNs - fromNs) / pixels, 1e-3);
  const { events, memory } = indexed.timeline;
  const coarse = coarseView(indexed, fromNs, toNs, pixelNs, isWanted);
  return {
    fromNs,
    toNs,
    pixelNs: coarse?.pixelNs ?? pixelNs,
    rows:
      coarse?.rows ??
      indexed.rows.map((row, at) => (isWanted(at) ? sliceRow(row, events, fromNs, toNs, pixelNs) : emptySlices(0))),
    memory: memory.map((curve) => sliceMemory(curve, fromNs, toNs, pixelNs)),
  };
}

function nearest(indexed: IndexedTimeline, row: number, timeNs: number): EventDetails | null {
  const asked = indexed.rows[row];
  const event = asked === undefined ? undefined : nearestEvent(asked, timeNs);
  return event === undefined ? null : detailsOf(indexed, event);
}

/** Next or previous event of the same lane in order of start, whichever row it is drawn in. */
function neighbour(indexed: IndexedTimeline, event: number, step: 1 | -1): EventDetails | null {
  const { lane } = indexed.timeline.events;
  for (let at = event + step; at >= 0 && at < lane.length; at += step)
    if (lane[at] === lane[event]) return detailsOf(indexed, at);
  return null;
}

function findings(indexed: IndexedTimeline): Answers["findings"] {
  indexed.findings ??= findFindings(indexed);
  const links = indexed.findings.map((finding) => finding.events.map(({ event }) => linkTo(indexed, event)));
  return { findings: indexed.findings, links };
}

function comparison(profile: IndexedProfile, run: number, other: number): Outcome<Answers["compare"]> {
  const before = profile.timelines[run] ?? null;
  const after = profile.timelines[other] ?? null;
  if (before === null || after === null)
    return fail(absent("TIMELINE_ABSENT", `Run ${other} has no recorded timeline.`));
  const measured = profile.result === null ? null : measuredSteps(profile.result, run, other);
  return succeed(compareTimelines(before, after, { a: titleOf(profile, run), b: titleOf(profile, other) }, measured));
}

/** What a run is called beside another one. */
function titleOf(profile: IndexedProfile, run: number): string {
  const trace = profile.traces[run];
  if (trace !== undefined) return trace.rank === null ? trace.fileName : `${trace.fileName} (rank ${trace.rank})`;
  const saved = profile.result?.runs[run];
  return saved === undefined ? `run ${run}` : runTitle(saved);
}
