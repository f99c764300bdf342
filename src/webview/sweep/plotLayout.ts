import { leastOf, mostOf } from "../../core/base/extremes.js";

/*
 * Where the marks of a plot lie: axes that begin where the data is, and marks side by side where their points coincide. Lengths are
 * in the units of the drawing.
 */

/** An axis: round values within, and an interval that holds every value. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  /** Ascending, all within the axis. */
  readonly ticks: readonly number[];
}

/** Of the largest value. Points that differ by less than a simulation can tell lie close, instead of at both ends. */
const LEAST_SPAN = 0.1;
/** Room beside the outermost marks, as a share of the span. */
const PADDING = 0.06;

/**
 * The axis of some amounts, none below zero. It begins at zero only where the data nearly does.
 *
 * @param values amounts of one unit; none at all give the axis 0 … 1
 */
export function axisOf(values: readonly number[]): Axis {
  const known = values.filter(Number.isFinite);
  const most = known.length === 0 ? 1 : Math.max(mostOf(known), Number.MIN_VALUE);
  const least = known.length === 0 ? 0 : Math.max(leastOf(known), 0);
  const spread = Math.max(most - least, LEAST_SPAN * most);
  const middle = (most + least) / 2;
  const from = Math.max(0, middle - spread * (0.5 + PADDING));
  const to = middle + spread * (0.5 + PADDING);
  return { from, to, ticks: ticksBetween(from, to) };
}

/** Round steps, three to eight of them. */
function ticksBetween(from: number, to: number): readonly number[] {
  const raw = (to - from) / 7;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  const values: number[] = [];
  for (let count = Math.ceil(from / step); count * step <= to; count += 1) {
    values.push(Number((count * step).toPrecision(12)));
  }
  return values;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Marks that lie nearer than this cover each other. */
const COVERED = 9;
/** From mark to mark on the ring around a place that several share. */
const APART = 13;

/**
 * Where each mark is drawn. One that has its place to itself stays there; those that share one stand on a ring around it, in the
 * order in which they came.
 */
export function toldApart(places: readonly Place[]): readonly Place[] {
  const drawn = [...places];
  for (const group of coinciding(places)) {
    if (group.members.length === 1) continue;
    const angle = (2 * Math.PI) / group.members.length;
    const radius = APART / (2 * Math.sin(angle / 2));
    for (const [at, member] of group.members.entries()) {
      drawn[member] = {
        x: group.centre.x - radius * Math.cos(at * angle),
        y: group.centre.y - radius * Math.sin(at * angle),
      };
    }
  }
  return drawn;
}

interface Group {
  readonly centre: Place;
  readonly members: number[];
}

/** Groups around the first of their members: chains of near marks do not grow without end. */
function coinciding(places: readonly Place[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [index, place] of places.entries()) {
    const group = groups.find(({ centre }) => Math.hypot(centre.x - place.x, centre.y - place.y) < COVERED);
    if (group === undefined) groups.push({ centre: place, members: [index] });
    else group.members.push(index);
  }
  return groups;
}
