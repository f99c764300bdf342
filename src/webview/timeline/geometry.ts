import type { MemoryOf } from "../../core/timeline/columns/columns.js";
import { isFolded, type LaneArrangement, laneKey, orderKeys } from "../../core/timeline/columns/laneOrder.js";
import type { LaneRole } from "../../core/timeline/columns/laneRoles.js";
import { laneTraits, ROLE_ORDER } from "../../core/timeline/columns/laneWork.js";
import type { TimelineOverview } from "../../core/timeline/query/protocol.js";

/** A horizontal stripe of the canvas, CSS pixels. */
export interface Stripe {
  readonly y: number;
  readonly height: number;
}

export interface LaneStripe extends Stripe {
  /** Index of the run that the lane belongs to. */
  readonly run: number;
  /** Name of the lane in an arrangement. */
  readonly key: string;
  /** Index into `TimelineOverview.lanes`; -1 where the timeline has no lane of this role. */
  readonly lane: number;
  readonly role: LaneRole;
  /** Name of the stream or thread; empty where the timeline has no lane of this role. */
  readonly stream: string;
  /** Number of the device; null where only one is meant. */
  readonly device: number | null;
  /** `row` indexes `TimelineOverview.rows`. */
  readonly rows: readonly (Stripe & { readonly row: number })[];
  /** Where exposed copy time of this lane is marked. */
  readonly exposed: Stripe | null;
  readonly isFolded: boolean;
  readonly isPinned: boolean;
  /** Stays where it is when the others scroll: pinned, and not too many of them. */
  readonly isFixed: boolean;
}

export interface MemoryStripe extends Stripe {
  readonly run: number;
  /** Index into `TimelineOverview.memory`. */
  readonly curve: number;
  readonly of: MemoryOf;
}

/** The name of a run over its lanes, where several are side by side. */
export interface RunStripe extends Stripe {
  readonly run: number;
}

/**
 * Where everything lies, top to bottom: ruler, phases, layers, pinned lanes, then what scrolls: lanes and memory. As made by
 * `computeGeometry`, coordinates count from the top of the content; `scrolled` moves them to the screen.
 */
export interface Geometry {
  readonly width: number;
  /** Of the whole content. */
  readonly height: number;
  /** What lies above stays where it is. */
  readonly fixedHeight: number;
  /** The plot is right of the labels. */
  readonly plotX: number;
  readonly plotWidth: number;
  readonly ruler: Stripe;
  readonly phases: Stripe;
  readonly layers: Stripe;
  readonly runs: readonly RunStripe[];
  readonly lanes: readonly LaneStripe[];
  readonly memory: readonly MemoryStripe[];
}

const RULER_PX = 20;
const BAND_PX = 17;
const LANE_PX = 28;
/** Where there is room and no curve to fill it, lanes are taller, up to this factor. */
const MOST_STRETCH = 1.6;
const FOLDED_PX = 16;
const NESTED_ROW_PX = 15;
const LANE_GAP_PX = 5;
const EXPOSED_PX = 5;
const RUN_PX = 20;
const MEMORY_MIN_PX = 40;
const MEMORY_MAX_PX = 170;
const MEMORY_GAP_PX = 8;
const RIGHT_MARGIN_PX = 10;
/** Pinned lanes that take more than this share of the height scroll like the others. */
const MOST_FIXED_SHARE = 0.6;

/** Width of the labels: room for a curve's name beside the values of its axis. */
const GUTTER_PX = 176;

/** A run on the canvas. */
export interface Track {
  readonly run: number;
  readonly overview: TimelineOverview;
  /** An imported trace: its threads begin folded, because they are many and deep, and lanes without events are left out. */
  readonly isTrace: boolean;
}

type Placed = Omit<LaneStripe, "y" | "height" | "rows" | "exposed" | "isFixed">;
interface Laned extends Placed {
  /** Rows of `TimelineOverview.rows`. */
  readonly members: readonly number[];
  readonly hasExposed: boolean;
}

/**
 * Lays the canvas out. Memory curves share what `availableHeight` leaves, within bounds; without curves the lanes do. The
 * content may be taller.
 */
export function computeGeometry(
  tracks: readonly Track[],
  arrangement: LaneArrangement,
  width: number,
  availableHeight: number,
): Geometry {
  const usual = layOut(tracks, arrangement, width, availableHeight, 1);
  if (usual.memory.length > 0 || usual.height >= availableHeight) return usual;
  const stretch = Math.min(MOST_STRETCH, availableHeight / usual.height);
  return layOut(tracks, arrangement, width, availableHeight, stretch);
}

function layOut(
  tracks: readonly Track[],
  arrangement: LaneArrangement,
  width: number,
  availableHeight: number,
  stretch: number,
): Geometry {
  const ruler = { y: 0, height: RULER_PX };
  const hasPhases = tracks.some(({ overview }) => overview.spans.length > 0);
  const hasLayers = tracks.some(({ overview }) => overview.layerBand.layer.length > 0);
  const phases = { y: RULER_PX, height: hasPhases ? BAND_PX : 0 };
  const layers = { y: phases.y + phases.height, height: hasLayers ? BAND_PX : 0 };
  let y = layers.y + layers.height + LANE_GAP_PX;
  const bandsHeight = y;
  let lanes: LaneStripe[] = [];
  const place = (lane: Laned) => {
    const stripe = placeLane(lane, y, stretch);
    lanes.push(stripe);
    y += stripe.height + LANE_GAP_PX;
  };
  const arranged = tracks.map((track) => ({ track, lanes: arrangedLanes(track, arrangement) }));
  // The same lane of several runs one below the other: that is what pinning is for.
  const pinned = arranged.flatMap(({ lanes: own }) => own.filter((lane) => lane.isPinned));
  const rank = (lane: Laned) => arrangement.pinned.indexOf(lane.key);
  for (const lane of pinned.sort((a, b) => rank(a) - rank(b))) place(lane);
  const fixedHeight = y <= availableHeight * MOST_FIXED_SHARE ? y : bandsHeight;
  lanes = lanes.map((lane) => ({ ...lane, isFixed: lane.y < fixedHeight }));
  const runs: RunStripe[] = [];
  const memory: MemoryStripe[] = [];
  for (const { track, lanes: own } of arranged) {
    if (tracks.length > 1) {
      runs.push({ run: track.run, y, height: RUN_PX - 2 });
      y += RUN_PX;
    }
    for (const lane of own) if (!lane.isPinned) place(lane);
    const curves = track.overview.memory;
    const large = curves.filter((curve) => curve.of !== "host").length;
    const smallPx = (curves.length - large) * (MEMORY_MIN_PX + MEMORY_GAP_PX);
    const largePx = memoryHeight(large, tracks.length > 1 ? 0 : availableHeight - y - smallPx);
    curves.forEach((curve, at) => {
      // What lies in the host's ordinary memory is rarely what one looks for.
      const height = curve.of === "host" ? MEMORY_MIN_PX : largePx;
      memory.push({ run: track.run, curve: at, of: curve.of, y: y + MEMORY_GAP_PX / 2, height });
      y += height + MEMORY_GAP_PX;
    });
  }
  const plotWidth = Math.max(50, width - GUTTER_PX - RIGHT_MARGIN_PX);
  return {
    width,
    height: Math.ceil(y),
    fixedHeight,
    plotX: GUTTER_PX,
    plotWidth,
    ruler,
    phases,
    layers,
    runs,
    lanes,
    memory,
  };
}

/** Rows of a run that are on the screen, and those that a little scrolling brings there. */
export interface NearRows {
  readonly onScreen: readonly number[];
  readonly near: readonly number[];
}

/** Which rows of each run lie on a screen of `height`, and which within one more screen above and below. */
export function nearRows(geometry: Geometry, height: number): ReadonlyMap<number, NearRows> {
  const found = new Map<number, { onScreen: number[]; near: number[] }>();
  for (const lane of geometry.lanes) {
    const rows = found.get(lane.run) ?? { onScreen: [], near: [] };
    found.set(lane.run, rows);
    if (!lane.isFixed && (lane.y > 2 * height || lane.y + lane.height < -height)) continue;
    const isOnScreen = lane.isFixed || (lane.y <= height && lane.y + lane.height >= 0);
    for (const { row } of lane.rows) {
      rows.near.push(row);
      if (isOnScreen) rows.onScreen.push(row);
    }
  }
  return found;
}

/** The same with everything that scrolls moved up by `scrollTop`. */
export function scrolled(geometry: Geometry, scrollTop: number): Geometry {
  if (scrollTop === 0) return geometry;
  const move = <S extends Stripe>(stripe: S): S => ({ ...stripe, y: stripe.y - scrollTop });
  return {
    ...geometry,
    runs: geometry.runs.map(move),
    memory: geometry.memory.map(move),
    lanes: geometry.lanes.map((lane) =>
      lane.isFixed ? lane : { ...move(lane), rows: lane.rows.map(move), exposed: lane.exposed && move(lane.exposed) },
    ),
  };
}

function memoryHeight(curves: number, left: number): number {
  if (curves === 0) return 0;
  return Math.floor(Math.min(MEMORY_MAX_PX, Math.max(MEMORY_MIN_PX, left / curves - MEMORY_GAP_PX)));
}

/** Lanes of a run in the order of the arrangement. */
function arrangedLanes({ run, overview, isTrace }: Track, arrangement: LaneArrangement): Laned[] {
  const members = new Map<number, number[]>();
  overview.rows.forEach((row, at) => {
    const known = members.get(row.lane);
    if (known === undefined) members.set(row.lane, [at]);
    else known.push(at);
  });
  const eventCount = (lane: number) =>
    (members.get(lane) ?? []).reduce((sum, row) => sum + (overview.rows[row]?.eventCount ?? 0), 0);
  const devices = overview.devices.map(({ device }) => device);
  const deviceAt = (lane: number) => devices.indexOf(overview.lanes[lane]?.device ?? -1);
  const byKey = new Map<string, Laned>();
  for (const role of ROLE_ORDER) {
    const found = overview.lanes.flatMap((lane, at) => (lane.role === role && members.has(at) ? [at] : []));
    // The stream that did most is what one looks for.
    found.sort((a, b) => deviceAt(a) - deviceAt(b) || eventCount(b) - eventCount(a) || a - b);
    const shown = found.length === 0 && !isTrace && laneTraits(role).shownEmpty !== null ? [-1] : found;
    for (const at of shown) {
      const lane = overview.lanes[at] ?? { role, stream: "" };
      const known = laneKey(lane, devices);
      const key = byKey.has(known) ? `${known}|${at}` : known;
      const rows = members.get(at) ?? [];
      byKey.set(key, {
        run,
        key,
        lane: at,
        role,
        stream: lane.stream,
        device: lane.device ?? null,
        members: rows,
        hasExposed: laneTraits(role).counts === "copy",
        isFolded: isFolded(arrangement, key, isTrace && role === "host"),
        isPinned: arrangement.pinned.includes(key),
      });
    }
  }
  return orderKeys([...byKey.keys()], arrangement).flatMap((key) => byKey.get(key) ?? []);
}

function placeLane({ members, hasExposed, ...lane }: Laned, y: number, stretch: number): LaneStripe {
  const lanePx = Math.floor(LANE_PX * stretch);
  if (lane.isFolded) {
    const rows = members.map((row) => ({ row, y: y + 1, height: FOLDED_PX - 2 }));
    return { ...lane, rows, exposed: null, y, height: FOLDED_PX, isFixed: false };
  }
  const isNested = members.length > 1;
  const exposedPx = hasExposed ? EXPOSED_PX + 1 : 0;
  const rowPx = isNested ? Math.floor(NESTED_ROW_PX * stretch) : lanePx - exposedPx;
  const rows = members.map((row, at) => ({ row, y: y + at * rowPx, height: rowPx - (isNested ? 1 : 0) }));
  const rowsPx = Math.max(rowPx, members.length * rowPx);
  const exposed = hasExposed ? { y: y + rowsPx + 1, height: EXPOSED_PX } : null;
  return { ...lane, rows, exposed, y, height: Math.max(lanePx, rowsPx + exposedPx), isFixed: false };
}
