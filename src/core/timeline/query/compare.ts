import { EXACT, LEAST_FOR_NOISE, median, sampleMargin, trendOf, unclearReason } from "../../base/noise.js";
import { counted, formatDifference, formatNs } from "../../base/quantities.js";
import type { MeasuredSteps } from "../../profile/runFigures.js";
import type { TimelineSpan } from "../columns/columns.js";
import { COVERED_ROLES, ROLE_NAMES } from "../columns/laneWork.js";
import type { LayerCost } from "../metrics/analysisTypes.js";
import { layerCosts, layerName } from "../metrics/layerCosts.js";
import { type CoveredMetrics, measureTimeline, type TimelineMetrics } from "../metrics/metrics.js";
import type { ComparedValue, TimelineComparison } from "./comparisonTypes.js";
import { computeBeside, type IndexedTimeline } from "./indexedTimeline.js";
import { scopeOf } from "./rangeSum.js";

interface Compared {
  readonly id: string;
  readonly label: string;
  readonly unit: ComparedValue["unit"];
  /** Whether less is better; null where neither is. */
  readonly isLessBetter: boolean | null;
  /** null where it was not recorded. */
  read(metrics: TimelineMetrics): number | null;
}

const METRICS: readonly Compared[] = [
  { id: "span", label: "Span", unit: "ns", isLessBetter: true, read: (m) => m.spanNs },
  { id: "idle", label: "Idle", unit: "ns", isLessBetter: true, read: (m) => m.idleNs },
  { id: "d2hExposed", label: "D2H exposed", unit: "ns", isLessBetter: true, read: (m) => m.d2h.exposedNs },
  { id: "h2dExposed", label: "H2D exposed", unit: "ns", isLessBetter: true, read: (m) => m.h2d.exposedNs },
  { id: "copiesExposed", label: "Copies exposed", unit: "ns", isLessBetter: true, read: (m) => m.copiesAny.exposedNs },
  {
    id: "collectiveExposed",
    label: "Collectives exposed",
    unit: "ns",
    isLessBetter: true,
    read: (m) => m.collective.exposedNs,
  },
  { id: "d2hBytes", label: "D2H bytes", unit: "bytes", isLessBetter: null, read: (m) => allBytes(m.d2h) },
  { id: "h2dBytes", label: "H2D bytes", unit: "bytes", isLessBetter: null, read: (m) => allBytes(m.h2d) },
  { id: "d2hCount", label: "D2H copies, count", unit: "count", isLessBetter: null, read: (m) => m.d2h.count },
  { id: "h2dCount", label: "H2D copies, count", unit: "count", isLessBetter: null, read: (m) => m.h2d.count },
  { id: "kernels", label: "Kernels", unit: "count", isLessBetter: null, read: (m) => m.counts.kernel },
];

const LANES: readonly Compared[] = [
  { id: "compute", label: ROLE_NAMES.compute, unit: "ns", isLessBetter: true, read: (m) => m.computeBusyNs },
  ...COVERED_ROLES.map(
    (role): Compared => ({
      id: role,
      label: ROLE_NAMES[role],
      unit: "ns",
      isLessBetter: null,
      read: (m) => m[role].busyNs,
    }),
  ),
];

/** Steps that are compared at most: more do not make the medians better. */
const MOST_STEPS = 100;

/**
 * Compares two timelines metric by metric, lane by lane and layer by layer. Steps that both have are aligned by order, each is
 * measured for itself, and medians are compared: a difference smaller than what steps differ among themselves is unclear.
 * Without marked steps the whole timelines are compared, and nothing is known about noise. Where step times were `measured` by
 * repetition, these decide: the recording then is one step of many.
 */
export function compareTimelines(
  before: IndexedTimeline,
  after: IndexedTimeline,
  titles: { readonly a: string; readonly b: string },
  measured: MeasuredSteps | null = null,
): TimelineComparison {
  const steps = Math.min(stepsOf(before).length, stepsOf(after).length, MOST_STEPS);
  const [a, b] = [measureSteps(before, steps), measureSteps(after, steps)];
  const [known, others] = [recordedIn(before), recordedIn(after)];
  const compare = (compared: Compared) =>
    compareValue(compared, readings(compared, a, known), readings(compared, b, others));
  const recorded = METRICS.map(compare);
  const metrics = measured === null ? recorded : [stepOf(measured), ...recorded];
  return {
    a: titles.a + deviceOf(before),
    b: titles.b + deviceOf(after),
    steps: Math.max(1, steps),
    hasSteps: steps > 0,
    metrics,
    lanes: LANES.map(compare),
    layers: compareLayers(before, after, steps > 0),
    verdict:
      (measured === null ? nothingToCompare(known, others, titles) : undefined) ??
      judge(metrics[0], measured?.samples ?? steps, ranksOf(before, after)),
  };
}

function stepsOf({ timeline }: IndexedTimeline): readonly TimelineSpan[] {
  return timeline.spans.filter((span) => span.kind === "step");
}

/** Copies do not hide under compute of another device: of several, the first one is compared. */
function firstDevice({ overview }: IndexedTimeline): { readonly device?: number } {
  const [first] = overview.perDevice.length === 0 ? [] : overview.devices;
  return first === undefined ? {} : { device: first.device };
}

function deviceOf(indexed: IndexedTimeline): string {
  const { device } = firstDevice(indexed);
  return device === undefined ? "" : `, GPU ${device}`;
}

function measureSteps(indexed: IndexedTimeline, steps: number): TimelineMetrics[] {
  const { timeline, overview } = indexed;
  if (steps === 0) return [overview.perDevice[0] ?? overview.metrics];
  const scope = firstDevice(indexed);
  return stepsOf(indexed)
    .slice(0, steps)
    .map(({ startNs, endNs }) => measureTimeline(timeline, { ...scopeOf(indexed, startNs, endNs), ...scope }).metrics);
}

/** What a recording can say of a device at all. */
interface Recorded {
  readonly hasWork: boolean;
  readonly hasTimes: boolean;
}

function recordedIn({ overview }: IndexedTimeline): Recorded {
  const { counts, computeBusyNs, copiesAny, collective } = overview.metrics;
  const works = counts.kernel + counts.memset + counts.dtod + copiesAny.count + collective.count;
  return { hasWork: works > 0, hasTimes: computeBusyNs + copiesAny.busyNs + collective.busyNs > 0 };
}

/** Nothing that a recording without work, or without durations, says of them is 0: it is unknown. */
function readings({ unit, read }: Compared, measured: readonly TimelineMetrics[], { hasWork, hasTimes }: Recorded) {
  const isUnknown = !hasWork || (unit === "ns" && !hasTimes);
  return measured.map((metrics) => (isUnknown ? null : read(metrics)));
}

function nothingToCompare(
  a: Recorded,
  b: Recorded,
  titles: { readonly a: string; readonly b: string },
): TimelineComparison["verdict"] | undefined {
  const why = (lacks: (recorded: Recorded) => boolean, what: string) => {
    const files = [...(lacks(a) ? [titles.a] : []), ...(lacks(b) ? [titles.b] : [])];
    return files.length === 0 ? undefined : `${files.join(" and ")} ${files.length === 1 ? "has" : "have"} ${what}.`;
  };
  const text =
    why(({ hasWork }) => !hasWork, "no work of a device: there is nothing to compare") ??
    why(({ hasTimes }) => !hasTimes, "work without durations: times cannot be compared");
  return text === undefined ? undefined : { kind: "unclear", text };
}

function compareValue(
  { id, label, unit, isLessBetter }: Compared,
  left: readonly (number | null)[],
  right: readonly (number | null)[],
): ComparedValue {
  if (!isKnown(left) || !isKnown(right)) {
    const [a, b] = [left, right].map((values) => (isKnown(values) ? median(values) : null));
    return {
      id,
      label,
      unit,
      a: a ?? null,
      b: b ?? null,
      difference: null,
      trend: null,
      noise: null,
      marginSource: "samples",
    };
  }
  const [a, b] = [median(left), median(right)];
  const margin = sampleMargin(left, right);
  const decided = trendOf(a, b, unit === "ns" ? margin : EXACT, isLessBetter ?? true);
  const trend = isLessBetter === null && decided !== "same" ? null : decided;
  return { id, label, unit, a, b, difference: b - a, trend, noise: margin.width, marginSource: margin.source };
}

/** Sums of some of the copies cannot be compared: what differs may be how many have a size. */
function allBytes({ count, sizedCount, bytes }: CoveredMetrics): number | null {
  return sizedCount === count ? bytes : null;
}

function isKnown(values: readonly (number | null)[]): values is readonly number[] {
  return !values.includes(null);
}

function stepOf({ aNs, bNs, margin, samples }: MeasuredSteps): ComparedValue {
  const label = `Step, median of ${samples}`;
  const trend = trendOf(aNs, bNs, margin, true);
  const { width: noise, source: marginSource } = margin;
  return { id: "step", label, unit: "ns", a: aNs, b: bNs, difference: bNs - aNs, trend, noise, marginSource };
}

/** Where two ranks of one job are compared, neither takes the place of the other. */
function ranksOf(before: IndexedTimeline, after: IndexedTimeline): { readonly a: number; readonly b: number } | null {
  const [a, b] = [before.overview.rank, after.overview.rank];
  return a === null || b === null || a === b ? null : { a, b };
}

function judge(
  span: ComparedValue | undefined,
  steps: number,
  ranks: ReturnType<typeof ranksOf>,
): TimelineComparison["verdict"] {
  if (span === undefined) return { kind: "unclear", text: "Nothing was measured." };
  const { noise, marginSource } = span;
  const [a, b] = [span.a ?? 0, span.b ?? 0];
  const what = steps > 0 ? "A step" : "The whole recording";
  const both =
    ranks === null
      ? `takes ${formatNs(b)} instead of ${formatNs(a)}`
      : `of rank ${ranks.b} takes ${formatNs(b)}, that of rank ${ranks.a} ${formatNs(a)}`;
  const change = `${what} ${both}: ${formatDifference(b, a, formatNs)}`;
  const over = `over ${counted(steps, "step")}`;
  switch (span.trend) {
    case "better":
    case "worse": {
      const rest =
        marginSource === "simulator"
          ? "their simulated ranges do not touch"
          : `the noise ${over} is ±${formatNs(noise ?? 0)}`;
      return { kind: span.trend === "better" ? "faster" : "slower", text: `${change}; ${rest}.` };
    }
    case "unclear":
      if (marginSource !== "samples")
        return {
          kind: "unclear",
          text: `${change}; that says nothing: ${unclearReason(marginSource, noise === null ? null : formatNs(noise))}.`,
        };
      if (noise === null)
        return {
          kind: "unclear",
          text: `${change}. ${steps === 0 ? "No steps are marked" : `Only ${counted(steps, "step")} ${steps === 1 ? "is" : "are"} common`}, so nothing is known about the noise; record at least ${LEAST_FOR_NOISE} steps.`,
        };
      return {
        kind: noise < a / 100 ? "same" : "unclear",
        text: `${change}; that is within the noise of ±${formatNs(noise)} ${over}.`,
      };
    default:
      return { kind: "same", text: `${what} takes ${formatNs(a)} in both.` };
  }
}

/** Sums of the whole timelines, per step. */
function compareLayers(
  before: IndexedTimeline,
  after: IndexedTimeline,
  isPerStep: boolean,
): TimelineComparison["layers"] {
  const perStep = (indexed: IndexedTimeline) => (isPerStep ? Math.max(1, stepsOf(indexed).length) : 1);
  const costs = (indexed: IndexedTimeline) => {
    const scope = firstDevice(indexed);
    const found = layerCosts(indexed.timeline, computeBeside(indexed, scope.device), scope);
    return new Map(found.map((cost) => [cost.layer, cost]));
  };
  const [leftSteps, rightSteps] = [perStep(before), perStep(after)];
  const [left, right] = [costs(before), costs(after)];
  const layers = [...new Set([...left.keys(), ...right.keys()])].sort((x, y) => x - y);
  const exposed = (cost: LayerCost | undefined) => (cost?.d2hExposedNs ?? 0) + (cost?.h2dExposedNs ?? 0);
  return layers.map((layer) => ({
    layer,
    name: layerName(before.timeline, layer),
    computeNs: {
      a: (left.get(layer)?.computeNs ?? 0) / leftSteps,
      b: (right.get(layer)?.computeNs ?? 0) / rightSteps,
    },
    exposedNs: { a: exposed(left.get(layer)) / leftSteps, b: exposed(right.get(layer)) / rightSteps },
  }));
}
