import { leastOf } from "../../base/extremes.js";
import { FlowKind, type LayerSource, type Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { launchOf } from "../columns/launches.js";
import { sortByKey } from "../columns/stableOrder.js";
import { isCompute } from "../metrics/metrics.js";
import { type OffloadClass, pairOffloads } from "../metrics/offloadPairs.js";
import { annotatedRegions, layerAt } from "./annotatedRegions.js";
import { findPeriods, type PeriodicStretch } from "./kernelPeriods.js";
import { type LaunchPhase, launchPhases } from "./launchPhases.js";

/** Which layers were found; `names[i]` names layer `i`. */
export interface RecognisedLayers {
  readonly source: LayerSource | null;
  readonly names: readonly string[];
}

/**
 * Fills `events.layer` of device work, from what the trace shows: ranges that name a layer, else the repetition of kernel
 * names. A copy back gets the layer of its copy out.
 */
export function recogniseLayers(timeline: Timeline): RecognisedLayers {
  const classes = pairOffloads(timeline);
  const annotated = byAnnotation(timeline);
  const order = computeByLaunch(timeline);
  const found = annotated ?? byPeriodicity(timeline, order, classes);
  if (found === null) return { source: null, names: [] };
  markOffloads(timeline, order, classes);
  const { layer } = timeline.events;
  for (const { pairs } of classes) for (const { offload, reload } of pairs) layer[reload] = layer[offload] ?? -1;
  return found;
}

function byAnnotation(timeline: Timeline): RecognisedLayers | null {
  const { events, flows } = timeline;
  const { regions, names } = annotatedRegions(timeline);
  if (regions.length === 0 || flows === undefined) return null;
  let marked = 0;
  for (let at = 0; at < flows.from.length; at++) {
    if (flows.kind[at] !== FlowKind.launch) continue;
    const call = flows.from[at] ?? 0;
    const layer = layerAt(regions, events.lane[call] ?? 0, events.startNs[call] ?? 0);
    if (layer < 0) continue;
    events.layer[flows.to[at] ?? 0] = layer;
    marked++;
  }
  return marked === 0 ? null : { source: "annotation", names };
}

/** Numbers the periods of the compute streams' kernels; none reaches from a forward into a backward or into the next step. */
function byPeriodicity(
  timeline: Timeline,
  order: LaunchOrder,
  classes: readonly OffloadClass[],
): RecognisedLayers | null {
  const { layer } = timeline.events;
  const stretches = launchPhases(timeline, order.events)
    .flatMap((phase) => periodsOf(timeline, order, phase))
    .sort((a, b) => b.period * b.repeats - a.period * a.repeats)
    .slice(0, MOST_STRETCHES)
    .sort((a, b) => a.from - b.from);
  const boundaries = copyPositions(timeline, order, classes.flatMap(offloadsOf));
  const reloads = classes.flatMap(({ pairs, orphans }) => [...pairs.map(({ reload }) => reload), ...orphans]);
  const numbered = numberStretches(stretches, boundaries, copyPositions(timeline, order, reloads));
  if (numbered.length === 0) return null;
  const layerOfPosition = new Int32Array(order.events.length).fill(-1);
  for (const { stretch, isBackward, layers } of numbered)
    markStretch(layerOfPosition, stretch, isBackward, layers, boundaries);
  for (let at = 0; at < layerOfPosition.length; at++) layer[order.events[at] ?? 0] = layerOfPosition[at] ?? -1;
  return { source: "periodicity", names: [] };
}

/** A repetition of kernel names among all compute in the order of its launches. */
interface Stretch extends PeriodicStretch {
  /** As the launches tell; null where they do not. */
  readonly isBackward: boolean | null;
}

function periodsOf({ events }: Timeline, order: LaunchOrder, { from, to, isBackward }: LaunchPhase): Stretch[] {
  const names = order.events.subarray(from, to).map((event) => events.name[event] ?? 0);
  return findPeriods(names).map((found) => ({ ...found, from: found.from + from, isBackward }));
}

/** Steps × phases; more stretches than that are noise. */
const MOST_STRETCHES = 256;

/** Compute events of all streams in the order in which the host launched them, and when it did, in nanoseconds. */
interface LaunchOrder {
  readonly events: Uint32Array;
  readonly launchedNs: Float64Array;
}

/** Where launches are unknown, an event counts as launched when it starts. */
function computeByLaunch(timeline: Timeline): LaunchOrder {
  const { startNs, kind } = timeline.events;
  const calls = launchOf(timeline);
  let count = 0;
  for (let at = 0; at < kind.length; at++) if (isCompute(kind[at] ?? EventKind.other)) count++;
  const listed = new Uint32Array(count);
  const listedNs = new Float64Array(count);
  const identity = new Uint32Array(count);
  for (let at = 0, place = 0; at < kind.length; at++) {
    if (!isCompute(kind[at] ?? EventKind.other)) continue;
    listed[place] = at;
    listedNs[place] = launchTime(startNs, calls, at);
    identity[place] = place;
    place++;
  }
  if (calls === null) return { events: listed, launchedNs: listedNs };
  const places = sortByKey(identity, listedNs);
  return { events: places.map((place) => listed[place] ?? 0), launchedNs: reordered(listedNs, places) };
}

function launchTime(startNs: Float64Array, calls: Int32Array | null, event: number): number {
  const call = calls?.[event] ?? -1;
  return startNs[call < 0 ? event : call] ?? 0;
}

function reordered(values: Float64Array, order: Uint32Array): Float64Array {
  const result = new Float64Array(order.length);
  for (let at = 0; at < order.length; at++) result[at] = values[order[at] ?? 0] ?? 0;
  return result;
}

interface NumberedStretch {
  readonly stretch: Stretch;
  readonly isBackward: boolean;
  readonly layers: number;
}

/**
 * The number of layers is the repeat count that covers most; stretches that are off by more than one are something else.
 * Launches say which way a stretch goes, else copies do: out in forward, back in backward. Without any, backward is what has more kernels per
 * layer: it does at least twice the work of forward, with recomputation three times.
 */
function numberStretches(
  stretches: readonly Stretch[],
  out: readonly number[],
  back: readonly number[],
): NumberedStretch[] {
  const longest = stretches.reduce<Stretch | undefined>(
    (best, one) => (best === undefined || one.period * one.repeats > best.period * best.repeats ? one : best),
    undefined,
  );
  if (longest === undefined) return [];
  const layers = longest.repeats;
  const fitting = stretches.filter((one) => Math.abs(one.repeats - layers) <= 1);
  const shortest = leastOf(fitting.map((one) => one.period));
  const isBackward = (one: Stretch) => {
    if (one.isBackward !== null) return one.isBackward;
    const [outs, backs] = [inside(out, one).length, inside(back, one).length];
    return outs === backs ? fitting.length > 1 && one.period > shortest * 1.4 : backs > outs;
  };
  return fitting.map((stretch) => ({ stretch, isBackward: isBackward(stretch), layers }));
}

function inside(positions: readonly number[], { from, period, repeats }: PeriodicStretch): readonly number[] {
  return positions.filter((at) => at >= from && at < from + period * repeats);
}

function offloadsOf({ pairs, unpaired }: OffloadClass): number[] {
  return [...pairs.map(({ offload }) => offload), ...unpaired];
}

/** Positions in `order` of the compute event that was launched right after each copy. */
function copyPositions(timeline: Timeline, { launchedNs }: LaunchOrder, copies: readonly number[]): number[] {
  const calls = launchOf(timeline);
  if (calls === null) return [];
  const { startNs } = timeline.events;
  return copies.map((copy) => firstAfter(launchedNs, launchTime(startNs, calls, copy)));
}

/** Copies out are launched where a layer begins: they say where in the period that is. */
function markStretch(
  layerOfPosition: Int32Array,
  stretch: PeriodicStretch,
  isBackward: boolean,
  layers: number,
  boundaries: readonly number[],
): void {
  const { from, period, repeats } = stretch;
  const copies = inside(boundaries, stretch);
  const shift = isBackward || copies.length * 2 < repeats ? 0 : mostFrequent(copies.map((at) => (at - from) % period));
  const begin = shift > period / 2 ? from + shift - period : from + shift;
  for (let index = 0; index < repeats; index++) {
    const layer = isBackward ? layers - 1 - index : index;
    if (layer < 0) continue;
    const stop = Math.min(layerOfPosition.length, begin + (index + 1) * period);
    for (let at = Math.max(0, begin + index * period); at < stop; at++) layerOfPosition[at] = layer;
  }
}

/** A copy out is launched before the layer whose input it saves: it belongs to the next compute that is launched. */
function markOffloads(timeline: Timeline, order: LaunchOrder, classes: readonly OffloadClass[]): void {
  const { startNs, layer } = timeline.events;
  const offloads = classes.flatMap(offloadsOf);
  if (offloads.every((offload) => (layer[offload] ?? -1) >= 0)) return;
  const calls = launchOf(timeline);
  const marked = order.events.filter((event) => (layer[event] ?? -1) >= 0);
  const launchedNs = order.launchedNs.filter((_, at) => (layer[order.events[at] ?? 0] ?? -1) >= 0);
  for (const offload of offloads) {
    if ((layer[offload] ?? -1) >= 0) continue;
    const next = marked[firstAfter(launchedNs, launchTime(startNs, calls, offload))];
    layer[offload] = layer[next ?? -1] ?? -1;
  }
}

function firstAfter(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best = 0;
  let most = 0;
  for (const [value, count] of counts)
    if (count > most) {
      best = value;
      most = count;
    }
  return best;
}
