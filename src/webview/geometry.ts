import type { LaneRole } from "../core/timeline/columns.js";
import type { TimelineOverview } from "../core/timeline/protocol.js";

/** A horizontal stripe of the canvas, CSS pixels. */
export interface Stripe {
  readonly y: number;
  readonly height: number;
}

export interface LaneStripe extends Stripe {
  readonly role: LaneRole;
  /** Name of the stream; empty where the timeline has no lane of this role. */
  readonly stream: string;
  /** `row` indexes `TimelineOverview.rows`. */
  readonly rows: readonly (Stripe & { readonly row: number })[];
  /** Where exposed copy time is marked. */
  readonly exposed: Stripe | null;
}

export interface MemoryStripe extends Stripe {
  /** Index into `TimelineOverview.memory`. */
  readonly curve: number;
  readonly of: "device" | "pinned";
}

/** Where everything lies on the canvas, top to bottom: ruler, phases, layers, lanes, memory. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  /** The plot is right of the labels. */
  readonly plotX: number;
  readonly plotWidth: number;
  readonly ruler: Stripe;
  readonly phases: Stripe;
  readonly layers: Stripe;
  readonly lanes: readonly LaneStripe[];
  readonly memory: readonly MemoryStripe[];
}

const RULER_PX = 20;
const BAND_PX = 17;
const LANE_PX = 28;
const NESTED_ROW_PX = 15;
const LANE_GAP_PX = 5;
const EXPOSED_PX = 5;
const MEMORY_MIN_PX = 46;
const MEMORY_MAX_PX = 170;
const MEMORY_GAP_PX = 8;
const RIGHT_MARGIN_PX = 10;

/** Shown even when empty, so that switching between runs does not move the lanes. */
const ALWAYS: readonly LaneRole[] = ["compute", "d2h", "h2d", "host"];
const ORDER: readonly LaneRole[] = ["compute", "d2h", "h2d", "d2d", "collective", "host"];

/** Width of the labels: room for a curve's name beside the values of its axis. */
const GUTTER_PX = 162;

/** Lays the canvas out. Memory curves share what `availableHeight` leaves, within bounds; the canvas may be taller. */
export function computeGeometry(overview: TimelineOverview, width: number, availableHeight: number): Geometry {
  const plotX = GUTTER_PX;
  const ruler = { y: 0, height: RULER_PX };
  const phases = { y: RULER_PX, height: BAND_PX };
  const layers = { y: phases.y + BAND_PX, height: BAND_PX };
  let y = layers.y + BAND_PX + LANE_GAP_PX;
  const lanes: LaneStripe[] = [];
  for (const role of ORDER) {
    for (const lane of lanesOf(overview, role)) {
      const stripe = placeLane(overview, role, lane, y);
      lanes.push(stripe);
      y += stripe.height + LANE_GAP_PX;
    }
  }
  const curves = overview.memory.length;
  const left = availableHeight - y - curves * MEMORY_GAP_PX;
  const memoryPx = Math.floor(Math.min(MEMORY_MAX_PX, Math.max(MEMORY_MIN_PX, curves === 0 ? 0 : left / curves)));
  const memory = overview.memory.map((curve, at) => ({
    curve: at,
    of: curve.of,
    y: y + MEMORY_GAP_PX / 2 + at * (memoryPx + MEMORY_GAP_PX),
    height: memoryPx,
  }));
  const height = Math.max(y + curves * (memoryPx + MEMORY_GAP_PX), Math.min(availableHeight, y));
  const plotWidth = Math.max(50, width - plotX - RIGHT_MARGIN_PX);
  return { width, height: Math.ceil(height), plotX, plotWidth, ruler, phases, layers, lanes, memory };
}

/** Lanes of a role in the timeline's order; -1 stands for a lane that is always shown and has no events. */
function lanesOf(overview: TimelineOverview, role: LaneRole): number[] {
  const found = overview.lanes.flatMap((lane, at) => (lane.role === role ? [at] : []));
  return found.length === 0 && ALWAYS.includes(role) ? [-1] : found;
}

function placeLane(overview: TimelineOverview, role: LaneRole, lane: number, y: number): LaneStripe {
  const members = overview.rows.flatMap((row, at) => (row.lane === lane ? [at] : []));
  const isCopy = role === "d2h" || role === "h2d";
  const rowPx = members.length > 1 ? NESTED_ROW_PX : LANE_PX - (isCopy ? EXPOSED_PX + 1 : 0);
  const rows = members.map((row, at) => ({ row, y: y + at * rowPx, height: rowPx - (members.length > 1 ? 1 : 0) }));
  const rowsPx = Math.max(rowPx, members.length * rowPx);
  const exposed = isCopy ? { y: y + rowsPx + 1, height: EXPOSED_PX } : null;
  const height = Math.max(LANE_PX, rowsPx + (isCopy ? EXPOSED_PX + 1 : 0));
  return { role, stream: overview.lanes[lane]?.stream ?? "", rows, exposed, y, height };
}
