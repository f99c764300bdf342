import type { EventColumns, Timeline } from "../../src/core/timeline/columns/columns.js";
import { buildEventRows } from "../../src/core/timeline/columns/eventRows.js";
import { readContainer } from "../../src/core/timeline/container/readContainer.js";
import { sliceRow } from "../../src/core/timeline/query/slices.js";
import { writeContainer } from "../unit/profile/containerWriter.js";
import { sampleResult, sampleRun } from "../unit/profile/sampleResult.js";
import type { Comparison } from "./comparison.js";

const eventCount = 1_000_000;
const eventNs = 900;
const periodNs = 1000;
const screenPixels = 1400;

/** One lane of a million kernels, each 0.9 µs long. */
function longTimeline(): Timeline {
  const startNs = Float64Array.from({ length: eventCount }, (_, at) => at * periodNs);
  const events: EventColumns = {
    startNs,
    durationNs: new Float64Array(eventCount).fill(eventNs),
    lane: new Uint32Array(eventCount),
    name: new Uint32Array(eventCount),
    layer: new Int32Array(eventCount).fill(-1),
    bytes: new Float64Array(eventCount),
    kind: new Uint8Array(eventCount),
    dependsOn: new Int32Array(eventCount).fill(-1),
  };
  return { lanes: [{ role: "compute", stream: "compute" }], strings: ["kernel"], events, memory: [], spans: [] };
}

const input = `${eventCount.toLocaleString("en")} events`;

export function containerRead(): Comparison {
  const bytes = writeContainer(sampleResult([sampleRun()]), [{ run: 0, timeline: longTimeline() }]);
  const read = readContainer(bytes);
  if (!read.ok) throw new Error(read.problem.message);
  return {
    ours: "saved profile read and checked",
    reference: "copying its bytes once",
    input: `${input}, ${(bytes.length / 2 ** 20).toFixed(0)} MiB`,
    run: () => readContainer(bytes),
    runReference: () => bytes.slice(),
  };
}

export function visibleSpan(): Comparison {
  const { lanes, events } = longTimeline();
  const [row] = buildEventRows(lanes, events);
  if (row === undefined) throw new Error("no row");
  const endNs = eventCount * periodNs;
  const pixelNs = endNs / screenPixels;
  return {
    ours: "boxes of the whole timeline at screen resolution",
    reference: "one pass over all events",
    input,
    run: () => sliceRow(row, events, 0, endNs, pixelNs),
    runReference: () => coveredByPass(events, pixelNs),
  };
}

/** Coverage per pixel by looking at every event. */
function coveredByPass({ startNs, durationNs }: EventColumns, pixelNs: number): Float64Array {
  const covered = new Float64Array(screenPixels + 1);
  for (let at = 0; at < startNs.length; at += 1) {
    const pixel = Math.floor((startNs[at] ?? 0) / pixelNs);
    covered[pixel] = (covered[pixel] ?? 0) + (durationNs[at] ?? 0);
  }
  return covered;
}
