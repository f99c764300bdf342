import { describe, expect, it } from "vitest";
import { formatImportReport, formatTrace } from "../../../../../src/cli/report/traceReport.js";
import { findFindings } from "../../../../../src/core/timeline/findings/findFindings.js";
import { TraceImporter } from "../../../../../src/core/timeline/import/chrome/traceImporter.js";
import { indexTimeline } from "../../../../../src/core/timeline/query/indexedTimeline.js";
import { describeTrace } from "../../../../../src/core/timeline/traceJson.js";
import { cases } from "../../../deep.js";
import { copy, kernel } from "./traceSamples.js";

/** Fixed: a failure can be repeated. */
const SEED = 20_261_201;
const ROUNDS = cases(400, 2_000);
/** The slowest of them takes some milliseconds; a machine that does other things gets time. */
const MOST_MS = 5_000;

type Random = () => number;
type Element = Record<string, unknown>;

/** Numbers in [0, 1) (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function oneOf<T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** A sound step: launches, kernels, copies both ways, a collective, waits, memory. Times in µs from `from` on. */
function step(from: number): Element[] {
  const call = (name: string, ts: number, correlation: number) => ({
    ...{ ph: "X", cat: "cuda_runtime", name, pid: 9, tid: 9, ts, dur: 3, args: { correlation } },
  });
  const elements: object[] = [{ ph: "M", name: "process_labels", pid: 0, tid: 0, ts: 0, args: { labels: "GPU 0" } }];
  for (let at = 0; at < 12; at++) {
    const ts = from + at * 50;
    const args = { device: 0, stream: 7, correlation: at + 1, bytes: 2 ** 20 };
    elements.push(call("cudaLaunchKernel", ts, at + 1));
    if (at % 4 === 1) elements.push(copy("DtoH", ts + 10, 30, { tid: 21, args }));
    else if (at % 4 === 2) elements.push(copy("HtoD", ts + 10, 35, { tid: 22, args }));
    else elements.push(kernel(ts + 10, 40, at % 4 === 3 ? "ncclDevKernel_AllGather" : "gemm", { args }));
  }
  elements.push(
    call("cudaStreamSynchronize", from + 590, 99),
    { ph: "X", cat: "user_annotation", name: "ProfilerStep#3", pid: 9, tid: 9, ts: from, dur: 700 },
    { ph: "B", name: "open", pid: 9, tid: 9, ts: from + 600 },
    { ph: "E", pid: 9, tid: 9, ts: from + 620 },
  );
  return elements.map((element) => ({ ...element }));
}

const TIMES = [0, -1, 1e-9, 0.5, 5e-324, 1e15, 1.7e15, 1.7e18, 1e300, "12.5", "x", null, true, [], {}] as const;
const NAMES = [
  "",
  "a\nb",
  "x\u2028y\r\n  error: FORGED: a line of mine",
  "\u202eevil",
  "\u001b[2J",
  "nccl",
  "Memcpy DtoH (Device -> Pageable)",
  "n".repeat(5_000),
  "::error::forged",
] as const;

/** Changes one value of one element, or several elements at once. */
function spoil(elements: Element[], random: Random): void {
  const at = Math.floor(random() * elements.length);
  const element = elements[at] ?? {};
  const args = { ...(element.args as object | undefined) };
  const changes: readonly [() => void, ...(() => void)[]] = [
    () => {
      element.ts = oneOf<unknown>(random, TIMES);
    },
    () => {
      element.dur = oneOf<unknown>(random, TIMES);
    },
    () => {
      element.dur = Number(element.dur) * 10 ** Math.floor(random() * 12);
    },
    () => {
      element.ts = Number(element.ts) * oneOf(random, [1000, 0.001, -1, 1.5]);
    },
    () => {
      element.name = oneOf<string>(random, NAMES);
    },
    () => {
      element.cat = oneOf(random, ["kernel", "Memcpy", "cuda_sync", "mtia_ccp_events", "gpu_user_annotation", "\n"]);
    },
    () => {
      element.pid = oneOf<unknown>(random, ["rank 1", 1, 1e6, -3, "", 2.5, null, "\u2028"]);
    },
    () => {
      element.tid = oneOf<unknown>(random, ["stream 7", 7, 21, -1, null, "a\nb"]);
    },
    () => {
      element.ph = oneOf(random, ["X", "B", "E", "i", "s", "f", "M", "Z", ""]);
    },
    () => {
      element.args = { ...args, bytes: oneOf<unknown>(random, [-1, 1e300, 0, "5", null, 2 ** 60]) };
    },
    () => {
      element.args = { ...args, device: oneOf<unknown>(random, [1, 5_000, -1, "0", null, 4_095]) };
    },
    () => {
      element.args = { ...args, correlation: oneOf<unknown>(random, [1, 0, -1, 2 ** 40]) };
    },
    () => {
      element.args = { labels: "a\nb", name: "c\nd", direction: "DEVICE_TO_HOST", size: 1e12 };
    },
    () => void elements.splice(at, 1),
    () => void elements.push({ ...element }),
    () =>
      void elements.push(
        ...step(1e6 * 10 ** Math.floor(random() * 10)).map((one) => ({
          ...one,
          pid: oneOf<unknown>(random, [0, 9, "rank 1"]),
        })),
      ),
    () => {
      for (const one of elements.slice(at)) Object.assign(one, { ts: 0, dur: 0 });
    },
    () => {
      for (const one of elements) Object.assign(one, { dur: 0 });
    },
  ];
  oneOf(random, changes)();
}

/** All numbers of a value, with where they stand. */
function numbersOf(value: unknown, path = ""): (readonly [string, number])[] {
  if (typeof value === "number") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => numbersOf(member, `${path}.${key}`));
}

describe("an import of a trace with spoilt values", () => {
  it("gives figures that can be, in lines of its own, in time", { timeout: 300_000 }, () => {
    const random = randomFrom(SEED);
    let measured = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const elements = step(oneOf(random, [0, 1000, 1.7e15]));
      for (let times = 1 + Math.floor(random() * 4); times > 0; times--) spoil(elements, random);
      const text = JSON.stringify({ traceEvents: elements, deviceProperties: [{ id: 0, name: "G\nPU" }] });
      const from = performance.now();
      const importer = new TraceImporter();
      importer.push(new TextEncoder().encode(text));
      const finished = importer.finish();
      if (!finished.ok) {
        expect(finished.problem.code).toMatch(/^TRACE_(EMPTY|FOREIGN)$/);
        continue;
      }
      const { timeline, report } = finished.value;
      const findings = findFindings(indexTimeline(timeline, 0, report));
      const described = describeTrace({ file: "a.json", run: null }, timeline, report, findings);
      const context = `round ${round} of seed ${SEED}: ${text.slice(0, 4_000)}`;
      expect(performance.now() - from, context).toBeLessThan(MOST_MS);
      expect(report.kept + report.dropped, context).toBe(report.total);

      for (const device of described.devices) {
        measured++;
        const wrong = numbersOf(device).filter(([, value]) => !(value >= 0 && value < Infinity));
        expect(wrong, context).toEqual([]);
        const { spanNs, computeBusyNs, idleNs, d2h, h2d, copiesAny, collective } = device;
        for (const part of [computeBusyNs, idleNs, d2h.busyNs, h2d.busyNs, copiesAny.busyNs, collective.busyNs])
          expect(part, context).toBeLessThanOrEqual(spanNs);
        for (const { busyNs, hiddenNs, exposedNs } of [d2h, h2d, copiesAny, collective])
          expect(hiddenNs + exposedNs, context).toBe(busyNs);
      }
      for (const { costNs, eventCount } of findings) {
        expect(costNs === null || (costNs >= 0 && costNs < Infinity), context).toBe(true);
        expect(eventCount, context).toBeGreaterThanOrEqual(0);
      }
      const shown = `${formatTrace(described)}${formatImportReport(report)}`;
      expect(shown, context).not.toMatch(/NaN|Infinity|undefined|-\d+(\.\d+)? (ns|us|ms|s|%)/);
      for (const [, percent] of shown.matchAll(/(\d+) %/g)) expect(Number(percent), context).toBeLessThanOrEqual(100);
      for (const line of shown.split(/[\n\r]/)) expect(line, context).toMatch(/^(a\.json$|$|\s{2,}(?!error: FORGED))/);
    }
    expect(measured).toBeGreaterThan(ROUNDS / 2);
  });
});
