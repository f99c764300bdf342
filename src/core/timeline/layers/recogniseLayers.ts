import { EventKind, FlowKind, type LayerSource, type Timeline } from "../columns.js";
import { launchOf } from "../launches.js";
import { isCompute } from "../metrics.js";
import { type OffloadClass, pairOffloads } from "../offloadPairs.js";
import { sortByKey } from "../stableOrder.js";
import { annotatedRegions, layerAt } from "./annotatedRegions.js";
import { findPeriods, type PeriodicStretch } from "./kernelPeriods.js";

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
  const found = byAnnotation(timeline) ?? byPeriodicity(timeline, classes);
  if (found === null) return { source: null, names: [] };
  markOffloads(timeline, classes);
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

/** Numbers the periods of the compute streams' kernels: the first stretch is forward, one of as many periods after it backward. */
function byPeriodicity(timeline: Timeline, classes: readonly OffloadClass[]): RecognisedLayers | null {
  const { events } = timeline;
  const order = computeByLaunch(timeline);
  const stretches = findPeriods(order.map((event) => events.name[event] ?? 0))
    .slice(0, MOST_STRETCHES)
    .sort((a, b) => a.from - b.from);
  const boundaries = copyPositions(timeline, order, classes.flatMap(offloadsOf));
  const reloads = classes.flatMap(({ pairs, orphans }) => [...pairs.map(({ reload }) => reload), ...orphans]);
  const numbered = numberStretches(stretches, boundaries, copyPositions(timeline, order, reloads));
  if (numbered.length === 0) return null;
  const layerOfPosition = new Int32Array(order.length).fill(-1);
  for (const { stretch, isBackward, layers } of numbered)
    markStretch(layerOfPosition, stretch, isBackward, layers, boundaries);
  for (let at = 0; at < order.length; at++) events.layer[order[at] ?? 0] = layerOfPosition[at] ?? -1;
  return { source: "periodicity", names: [] };
}

/** Steps × phases; more stretches than that are noise. */
const MOST_STRETCHES = 256;

/** Compute events of all streams in the order in which the host launched them (of the device, where launches are unknown). */
function computeByLaunch(timeline: Timeline): Uint32Array {
  const { events } = timeline;
  const calls = launchOf(timeline);
  const listed: number[] = [];
  for (let at = 0; at < events.startNs.length; at++) if (isCompute(events.kind[at] ?? EventKind.other)) listed.push(at);
  const order = Uint32Array.from(listed);
  if (calls === null) return order;
  const launchedNs = Float64Array.from(order, (event) => {
    const call = calls[event] ?? -1;
    return events.startNs[call < 0 ? event : call] ?? 0;
  });
  const places = sortByKey(
    Uint32Array.from(order, (_, at) => at),
    launchedNs,
  );
  return places.map((at) => order[at] ?? 0);
}

interface NumberedStretch {
  readonly stretch: PeriodicStretch;
  readonly isBackward: boolean;
  readonly layers: number;
}

/**
 * The number of layers is the repeat count that covers most; stretches that are off by more than one are something else.
 * Copies say which way a stretch goes: out in forward, back in backward. Without any, backward is what has more kernels per
 * layer: it does at least twice the work of forward, with recomputation three times.
 */
function numberStretches(
  stretches: readonly PeriodicStretch[],
  out: readonly number[],
  back: readonly number[],
): NumberedStretch[] {
  const longest = stretches.reduce<PeriodicStretch | undefined>(
    (best, one) => (best === undefined || one.period * one.repeats > best.period * best.repeats ? one : best),
    undefined,
  );
  if (longest === undefined) return [];
  const layers = longest.repeats;
  const fitting = stretches.filter((one) => Math.abs(one.repeats - layers) <= 1);
  const shortest = Math.min(...fitting.map((one) => one.period));
  const isBackward = (one: PeriodicStretch) => {
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
function copyPositions(timeline: Timeline, order: Uint32Array, copies: readonly number[]): number[] {
  const calls = launchOf(timeline);
  if (calls === null) return [];
  const { events } = timeline;
  const timeOf = (event: number) => events.startNs[calls[event] ?? -1] ?? events.startNs[event] ?? 0;
  const launchedNs = Float64Array.from(order, timeOf);
  return copies.map((copy) => firstAfter(launchedNs, timeOf(copy)));
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
function markOffloads(timeline: Timeline, classes: readonly OffloadClass[]): void {
  const { events } = timeline;
  const offloads = classes.flatMap(offloadsOf);
  if (offloads.every((offload) => (events.layer[offload] ?? -1) >= 0)) return;
  const calls = launchOf(timeline);
  const timeOf = (event: number) => events.startNs[calls?.[event] ?? -1] ?? events.startNs[event] ?? 0;
  const order = computeByLaunch(timeline).filter((event) => (events.layer[event] ?? -1) >= 0);
  const launchedNs = Float64Array.from(order, timeOf);
  for (const offload of offloads) {
    if ((events.layer[offload] ?? -1) >= 0) continue;
    events.layer[offload] = events.layer[order[firstAfter(launchedNs, timeOf(offload))] ?? -1] ?? -1;
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
