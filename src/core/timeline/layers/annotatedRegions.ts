import type { Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";

/** A stretch of a host thread in which the program worked on one layer. */
export interface LayerRegion {
  readonly lane: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly layer: number;
}

export interface AnnotatedRegions {
  /** Sorted by lane, then start. Where two overlap, the one that began later counts. */
  readonly regions: readonly LayerRegion[];
  /** By number of the layer: `layers.3`. */
  readonly names: readonly string[];
}

/** `FSDP::pre_forward (layers.3)`, `model.layers.3`, `nn.Module: Qwen3DecoderLayer_3`. */
const LAYER = /(?:^|[\s(.:])((?:layers?|h|blocks?)\.(\d{1,4}))(?=$|[\s).:])|nn\.Module: \w*(?:Layer|Block)_(\d{1,4})$/;
const BEGINS = /(?:^|::)pre_(forward|backward)/;
const ENDS = /(?:^|::)post_(forward|backward)/;
const MOST_LAYERS = 4_096;

interface Named {
  readonly layer: number;
  readonly title: string;
  readonly role: "whole" | "begins" | "ends" | "other";
  readonly phase: string;
}

/**
 * Where the host worked on which layer, by the names of ranges that the program or the framework set. A pair such as
 * FSDP's `pre_forward (layers.3)` … `post_forward (layers.3)` spans what lies between; other ranges that name a layer count
 * as they are, unless they are FSDP's bookkeeping for a layer that is not being computed.
 */
export function annotatedRegions({ events, strings }: Timeline): AnnotatedRegions {
  const named = strings.map(readName);
  const regions: LayerRegion[] = [];
  const open = new Map<string, LayerRegion>();
  const names: string[] = [];
  for (let at = 0; at < events.startNs.length; at++) {
    const kind = events.kind[at];
    if (kind !== EventKind.annotation && kind !== EventKind.pythonFrame) continue;
    const name = named[events.name[at] ?? 0];
    if (name === undefined || name === null || name.role === "other") continue;
    const startNs = events.startNs[at] ?? 0;
    const region = {
      lane: events.lane[at] ?? 0,
      startNs,
      endNs: startNs + (events.durationNs[at] ?? 0),
      layer: name.layer,
    };
    names[name.layer] ??= name.title;
    const key = `${region.lane}/${name.layer}/${name.phase}`;
    if (name.role === "whole") regions.push(region);
    else if (name.role === "begins") open.set(key, region);
    else closeRegion(regions, open, key, region);
  }
  regions.sort((a, b) => a.lane - b.lane || a.startNs - b.startNs);
  return { regions, names: Array.from(names, (name, layer) => name ?? `layer ${layer}`) };
}

/** Several ranges can end a region (`post_backward_accumulate`, `…_reshard`, `…_reduce`): the last one counts. */
function closeRegion(regions: LayerRegion[], open: Map<string, LayerRegion>, key: string, end: LayerRegion): void {
  const begun = open.get(key);
  if (begun === undefined) return;
  const closed = { ...begun, endNs: Math.max(begun.endNs, end.endNs) };
  for (let at = regions.length - 1; at >= 0 && at >= regions.length - LOOK_BACK; at--) {
    const region = regions[at];
    if (region?.lane !== begun.lane || region.startNs !== begun.startNs) continue;
    regions[at] = closed;
    return;
  }
  regions.push(closed);
}

function readName(text: string): Named | null {
  const found = LAYER.exec(text);
  if (found === null) return null;
  const layer = Number(found[2] ?? found[3]);
  if (!(layer < MOST_LAYERS)) return null;
  const title = found[1] ?? `layer ${layer}`;
  const begins = BEGINS.exec(text);
  if (begins !== null) return { layer, title, role: "begins", phase: begins[1] ?? "" };
  const ends = ENDS.exec(text);
  if (ends !== null) return { layer, title, role: "ends", phase: ends[1] ?? "" };
  return { layer, title, role: text.startsWith("FSDP::") ? "other" : "whole", phase: "" };
}

/** The layer that `lane` worked on at `timeNs`, -1 for none; `regions` as `annotatedRegions` sorts them. */
export function layerAt(regions: readonly LayerRegion[], lane: number, timeNs: number): number {
  let low = 0;
  let high = regions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const region = regions[middle];
    if (region !== undefined && (region.lane < lane || (region.lane === lane && region.startNs <= timeNs)))
      low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0 && at >= low - LOOK_BACK; at--) {
    const region = regions[at];
    if (region === undefined || region.lane !== lane) return -1;
    if (region.endNs >= timeNs) return region.layer;
  }
  return -1;
}

/** Regions overlap at most with their neighbours. */
const LOOK_BACK = 8;
