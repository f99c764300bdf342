import type { TimelineLane } from "./columns.js";

/** How the user arranged the lanes; keys of lanes that a timeline does not have are kept and ignored. */
export interface LaneArrangement {
  /** Stay on top, in this order. */
  readonly pinned: readonly string[];
  /** Folded or unfolded by the user; lanes that are not named follow `startsFolded`. */
  readonly folded: Readonly<Record<string, boolean>>;
  /** Keys in the order that the user gave them; the others keep their usual place relative to their neighbours. */
  readonly order: readonly string[];
}

export const NO_ARRANGEMENT: LaneArrangement = { pinned: [], folded: {}, order: [] };

/**
 * Name of a lane that survives reloading and other files of the same job: role, stream, and the place of its device among
 * the `devices` of its timeline, so that rank 1 on device 1 has the same names as rank 0 on device 0.
 */
export function laneKey(lane: Pick<TimelineLane, "role" | "stream" | "device">, devices: readonly number[]): string {
  const place = lane.device === undefined ? -1 : devices.indexOf(lane.device);
  return [Math.max(0, place), lane.role, lane.stream].join("|");
}

/** Keys from top to bottom: pinned ones first, then the user's order; `usual` is the order without any arrangement. */
export function orderKeys(usual: readonly string[], arrangement: LaneArrangement): string[] {
  const known = new Set(usual);
  const pinned = arrangement.pinned.filter((key) => known.has(key));
  const ordered = arrangement.order.filter((key) => known.has(key));
  const moved = new Set(ordered);
  // Places of moved keys are filled in the user's order; all other keys stay where they are.
  let next = 0;
  const merged = usual.map((key) => (moved.has(key) ? (ordered[next++] ?? key) : key));
  const onTop = new Set(pinned);
  return [...pinned, ...merged.filter((key) => !onTop.has(key))];
}

/** The arrangement with `key` one place up (-1) or down (1) among the keys of its own part, pinned or not. */
export function moveKey(
  usual: readonly string[],
  arrangement: LaneArrangement,
  key: string,
  by: 1 | -1,
): LaneArrangement {
  if (arrangement.pinned.includes(key)) return { ...arrangement, pinned: swapped(arrangement.pinned, key, by) };
  const loose = orderKeys(usual, { ...arrangement, pinned: [] }).filter((other) => !arrangement.pinned.includes(other));
  const order = swapped(loose, key, by);
  return order === loose ? arrangement : { ...arrangement, order };
}

export function togglePinned(arrangement: LaneArrangement, key: string): LaneArrangement {
  const { pinned } = arrangement;
  return { ...arrangement, pinned: pinned.includes(key) ? pinned.filter((other) => other !== key) : [...pinned, key] };
}

export function isFolded(arrangement: LaneArrangement, key: string, startsFolded: boolean): boolean {
  return Object.hasOwn(arrangement.folded, key) ? arrangement.folded[key] === true : startsFolded;
}

export function setFolded(arrangement: LaneArrangement, key: string, folded: boolean): LaneArrangement {
  return { ...arrangement, folded: { ...arrangement.folded, [key]: folded } };
}

/** Reads an arrangement back from storage; whatever does not fit is left out. */
export function readArrangement(stored: unknown): LaneArrangement {
  if (typeof stored !== "object" || stored === null) return NO_ARRANGEMENT;
  const { pinned, folded, order } = stored as Partial<Record<keyof LaneArrangement, unknown>>;
  const entries = typeof folded === "object" && folded !== null ? Object.entries(folded) : [];
  return {
    pinned: texts(pinned),
    folded: Object.fromEntries(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean")),
    order: texts(order),
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function swapped(keys: readonly string[], key: string, by: 1 | -1): readonly string[] {
  const at = keys.indexOf(key);
  const other = keys[at + by];
  if (at < 0 || other === undefined) return keys;
  const next = [...keys];
  next[at] = other;
  next[at + by] = key;
  return next;
}
