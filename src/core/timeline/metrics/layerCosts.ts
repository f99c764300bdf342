import type { Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { coveredNs, type Intervals, totalNs, UnionBuilder } from "../columns/intervals.js";
import type { LayerCost } from "./analysisTypes.js";
import { isCompute, type MeasureScope } from "./metrics.js";

interface LayerUnions {
  readonly compute: UnionBuilder;
  readonly d2h: UnionBuilder;
  readonly h2d: UnionBuilder;
  d2hCount: number;
  d2hSized: number;
  d2hBytes: number;
  h2dCount: number;
  h2dSized: number;
  h2dBytes: number;
}

/**
 * Compute and copies of each layer, in order of the layers; the row -1 gathers what belongs to none and is left out where it
 * is empty. Busy times are unions within the layer; `compute` is what copies hide under, of all layers.
 */
export function layerCosts(timeline: Timeline, compute: Intervals, scope: MeasureScope = {}): LayerCost[] {
  const { events, lanes } = timeline;
  const { fromNs, toNs } = scope.range ?? { fromNs: -Infinity, toNs: Infinity };
  const perLayer = new Map<number, LayerUnions>();
  for (let at = scope.firstEvent ?? 0; at < events.startNs.length; at++) {
    const kind = events.kind[at] ?? EventKind.other;
    if (!isCompute(kind) && kind !== EventKind.copyD2H && kind !== EventKind.copyH2D) continue;
    const startNs = Math.max(fromNs, events.startNs[at] ?? 0);
    if (startNs >= toNs) break;
    const endNs = Math.min(toNs, (events.startNs[at] ?? 0) + (events.durationNs[at] ?? 0));
    const device = lanes[events.lane[at] ?? 0]?.device;
    // What ended where the range begins is not in it, unless it has no length at all.
    if (endNs < startNs || (endNs === fromNs && (events.durationNs[at] ?? 0) > 0)) continue;
    if (scope.device !== undefined && device !== undefined && device !== scope.device) continue;
    addEvent(layerOf(perLayer, events.layer[at] ?? -1), kind, startNs, endNs, events.bytes[at] ?? 0);
  }
  const layers = [...perLayer.keys()].sort((a, b) => a - b);
  return layers.map((layer) => costOf(timeline, layer, layerOf(perLayer, layer), compute));
}

function layerOf(perLayer: Map<number, LayerUnions>, layer: number): LayerUnions {
  let found = perLayer.get(layer);
  if (found === undefined) {
    const unions = { compute: new UnionBuilder(), d2h: new UnionBuilder(), h2d: new UnionBuilder() };
    found = { ...unions, d2hCount: 0, d2hSized: 0, d2hBytes: 0, h2dCount: 0, h2dSized: 0, h2dBytes: 0 };
    perLayer.set(layer, found);
  }
  return found;
}

function addEvent(layer: LayerUnions, kind: number, startNs: number, endNs: number, bytes: number): void {
  if (isCompute(kind)) layer.compute.add(startNs, endNs);
  else if (kind === EventKind.copyD2H) {
    layer.d2h.add(startNs, endNs);
    layer.d2hCount++;
    if (Number.isNaN(bytes)) return;
    layer.d2hSized++;
    layer.d2hBytes += bytes;
  } else {
    layer.h2d.add(startNs, endNs);
    layer.h2dCount++;
    if (Number.isNaN(bytes)) return;
    layer.h2dSized++;
    layer.h2dBytes += bytes;
  }
}

function costOf(timeline: Timeline, layer: number, unions: LayerUnions, compute: Intervals): LayerCost {
  const d2h = unions.d2h.build();
  const h2d = unions.h2d.build();
  const [d2hBusyNs, h2dBusyNs] = [totalNs(d2h), totalNs(h2d)];
  return {
    layer,
    name: layerName(timeline, layer),
    computeNs: totalNs(unions.compute.build()),
    d2hCount: unions.d2hCount,
    d2hBytes: unions.d2hCount > 0 && unions.d2hSized === 0 ? null : unions.d2hBytes,
    d2hBusyNs,
    d2hExposedNs: d2hBusyNs - hiddenNs(d2h, compute),
    h2dCount: unions.h2dCount,
    h2dBytes: unions.h2dCount > 0 && unions.h2dSized === 0 ? null : unions.h2dBytes,
    h2dBusyNs,
    h2dExposedNs: h2dBusyNs - hiddenNs(h2d, compute),
  };
}

/** Few copies under much compute: looking each one up beats walking along both. */
function hiddenNs(copies: Intervals, compute: Intervals): number {
  let hidden = 0;
  for (let at = 0; at < copies.startNs.length; at++)
    hidden += coveredNs(compute, copies.startNs[at] ?? 0, copies.endNs[at] ?? 0);
  return hidden;
}

/** `layer 3`, or what the trace calls it; for -1 `no layer`. */
export function layerName(timeline: Timeline, layer: number): string {
  return layer < 0 ? "no layer" : (timeline.layerNames?.[layer] ?? `layer ${layer}`);
}
