import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { answerQuestion } from "../../src/core/timeline/answers.js";
import type { EventColumns, Timeline } from "../../src/core/timeline/columns/columns.js";
import { indexTraces } from "../../src/core/timeline/query/indexTraces.js";
import { readTrace } from "../../src/node/readTrace.js";
import type { Comparison } from "./comparison.js";
import { speedscopeImporter } from "./speedscopeImporter.js";
import { writeLargeTrace } from "./traceGenerator.js";

const REAL = "test/fixtures/traces/q8_s8k_gc_veomni.pt.trace.json.gz";
const LARGE_BYTES = 200e6;
const MIB = 2 ** 20;

const folder = mkdtempSync(join(tmpdir(), "bench-traces-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

async function imported(path: string): Promise<Timeline> {
  const read = await readTrace(path);
  if (!read.ok) throw new Error(read.problem.message);
  return read.value.timeline;
}

export function traceAgainstJson(): Comparison {
  const path = join(folder, "large.json");
  const { elements, bytes } = writeLargeTrace(path, LARGE_BYTES);
  return {
    ours: "trace import: read, columns, arrows, layers, steps",
    reference: "reading the file and JSON.parse",
    input: `${elements.toLocaleString("en")} elements, ${(bytes / MIB).toFixed(0)} MiB`,
    rounds: 3,
    run: () => imported(path),
    runReference: () => JSON.parse(readFileSync(path, "utf8")),
  };
}

/** speedscope refuses processes that are named by texts, as Kineto names two: both sides get the file without those. */
export async function traceAgainstSpeedscope(): Promise<Comparison> {
  const { traceEvents } = JSON.parse(gunzipSync(readFileSync(REAL)).toString()) as { traceEvents: { pid?: unknown }[] };
  const numbered = traceEvents.filter(({ pid }) => typeof pid === "number");
  const path = join(folder, "numbered.json");
  writeFileSync(path, JSON.stringify({ traceEvents: numbered }));
  const speedscope = await speedscopeImporter(process.cwd());
  return {
    ours: "trace import: read, columns, arrows, layers, steps",
    reference: "import by speedscope 1.25, the same file",
    input: `${numbered.length.toLocaleString("en")} elements, ${(readFileSync(path).length / MIB).toFixed(0)} MiB`,
    rounds: 3,
    run: () => imported(path),
    runReference: async () => {
      const bytes = readFileSync(path);
      const copy = new Uint8Array(bytes).buffer;
      if ((await speedscope.importProfilesFromArrayBuffer("trace.json", copy)) === null)
        throw new Error("not imported");
    },
  };
}

const EVENTS = 10_000_000;
const LANES = 20;
const SCREEN_PIXELS = 1_400;

/** Views at changing zoom and place, as panning and zooming asks for them. */
export function viewsOfTenMillion(): Comparison {
  const timeline = tenMillionEvents();
  const profile = indexTraces([{ fileName: "large", timeline, report: null }]);
  const { fromNs, toNs } = profile.timelines[0]?.overview.extent ?? { fromNs: 0, toNs: 1 };
  let turn = 0;
  return {
    ours: "one view while panning and zooming, 1 to 1,000 times",
    reference: "one pass over all events",
    input: `${EVENTS.toLocaleString("en")} events in ${LANES} streams`,
    rounds: 60,
    run: () => {
      turn += 1;
      const span = (toNs - fromNs) / 10 ** ((turn % 30) / 10);
      const from = fromNs + ((toNs - fromNs - span) * (turn % 7)) / 7;
      answerQuestion(profile, { kind: "view", run: 0, fromNs: from, toNs: from + span, pixelNs: span / SCREEN_PIXELS });
    },
    runReference: () => busyNs(timeline.events),
  };
}

function busyNs({ durationNs }: EventColumns): number {
  let sum = 0;
  for (const duration of durationNs) sum += duration;
  return sum;
}

function tenMillionEvents(): Timeline {
  const column = (of: (at: number) => number) => Float64Array.from({ length: EVENTS }, (_, at) => of(at));
  const events: EventColumns = {
    startNs: column((at) => at * 110),
    durationNs: column((at) => 300 + ((at * 7_919) % 1_900)),
    lane: Uint32Array.from({ length: EVENTS }, (_, at) => at % LANES),
    name: Uint32Array.from({ length: EVENTS }, (_, at) => at % 3),
    layer: new Int32Array(EVENTS).fill(-1),
    bytes: new Float64Array(EVENTS),
    kind: new Uint8Array(EVENTS),
    dependsOn: new Int32Array(EVENTS).fill(-1),
  };
  const lanes = Array.from({ length: LANES }, (_, at) => ({ role: "compute" as const, stream: `stream ${at}` }));
  return { lanes, strings: ["gemm", "attention", "norm"], events, memory: [], spans: [] };
}
