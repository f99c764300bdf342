import type { Timeline } from "../columns/columns.js";
import { KIND_NAMES } from "../columns/kindNames.js";

const PIECE_LENGTH = 2 ** 18;

/** The first line of every export. */
export const EVENTS_CSV_HEAD = "start_ns,duration_ns,role,stream,device,kind,layer,bytes,correlation,name";

/** Events as comma-separated values in pieces of text, one line per event of `listed` in its order, after a line of names. */
export function* eventsCsv(timeline: Timeline, listed: Iterable<number>): Generator<string> {
  const { events, lanes, strings } = timeline;
  const names = strings.map(cell);
  const places = lanes.map((lane) => `${lane.role},${cell(lane.stream)},${lane.device ?? ""}`);
  let piece = `${EVENTS_CSV_HEAD}\n`;
  for (const at of listed) {
    const layer = events.layer[at] ?? -1;
    piece += `${events.startNs[at]},${events.durationNs[at]},${places[events.lane[at] ?? 0]},${KIND_NAMES[events.kind[at] ?? 9] ?? "other"},${layer < 0 ? "" : layer},${Number.isNaN(events.bytes[at]) ? "" : events.bytes[at]},${events.correlation?.[at] ?? 0},${names[events.name[at] ?? 0]}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** A spreadsheet takes a cell that begins with = + - @ for a formula; names come from files that anyone may have written. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
