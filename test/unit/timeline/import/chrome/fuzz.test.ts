// @slow: large inputs or many cases.
import { describe, expect, it } from "vitest";
import { answerQuestion } from "../../../../../src/core/timeline/answers.js";
import { TraceImporter } from "../../../../../src/core/timeline/import/chrome/traceImporter.js";
import { indexTraces } from "../../../../../src/core/timeline/query/indexTraces.js";
import { digested, kernel, REAL_TRACES, traceBytes, traceOf } from "./traceSamples.js";

/** Fixed: a failure can be repeated. */
const SEED = 20_260_101;
const ROUNDS = 1_000;

/** Numbers in [0, 1) (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SEEDS = [
  traceOf(
    kernel(1, 1),
    {
      ph: "X",
      cat: "gpu_memcpy",
      name: "Memcpy DtoH (Device -> Pinned)",
      pid: 0,
      tid: 21,
      ts: 2,
      dur: 3,
      args: { bytes: 67108864, correlation: 5 },
    },
    {
      ph: "X",
      cat: "cuda_runtime",
      name: "cudaMemcpyAsync",
      pid: 9,
      tid: 9,
      ts: 1.5,
      dur: 0.1,
      args: { correlation: 5 },
    },
    {
      ph: "i",
      cat: "cpu_instant_event",
      name: "[memory]",
      pid: 9,
      tid: 9,
      ts: 3,
      args: { "Total Allocated": 10, "Device Type": 1, "Device Id": 0 },
    },
    { ph: "B", name: "b", pid: 1, tid: 1, ts: 4 },
    { ph: "E", pid: 1, tid: 1, ts: 5 },
    { ph: "s", cat: "fwdbwd", name: "f", id: 1, pid: 9, tid: 9, ts: 1.5 },
    { ph: "f", cat: "fwdbwd", name: "f", id: 1, pid: 0, tid: 7, ts: 1 },
    { ph: "X", cat: "user_annotation", name: "ProfilerStep#3", pid: 9, tid: 9, ts: 0, dur: 9 },
  ),
  `[${JSON.stringify(kernel(1e15, 0.001))},`,
].map((text) => new TextEncoder().encode(text));

const PIECES = [
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\\",
  "\\u00",
  "1e309",
  "-",
  "NaN",
  "\u0000",
  "null",
  "e",
  ".",
  '"ts":',
  '"id":"0x',
].map((text) => new TextEncoder().encode(text));

function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * bytes.length);
  const removed = Math.floor(random() * random() * 40);
  const inserted =
    random() < 0.5
      ? (PIECES[Math.floor(random() * PIECES.length)] ?? new Uint8Array())
      : bytes.subarray(Math.floor(random() * bytes.length)).subarray(0, Math.floor(random() * 60));
  const changed = new Uint8Array(at + inserted.length + Math.max(0, bytes.length - at - removed));
  changed.set(bytes.subarray(0, at));
  changed.set(inserted, at);
  changed.set(bytes.subarray(Math.min(bytes.length, at + removed)), at + inserted.length);
  return changed;
}

function mutateOften(bytes: Uint8Array, random: () => number): Uint8Array {
  let changed = bytes;
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) changed = mutate(changed, random);
  return changed;
}

function importPieces(importer: TraceImporter, bytes: Uint8Array, pieceBytes: number) {
  for (let at = 0; at < bytes.length; at += pieceBytes) importer.push(bytes.subarray(at, at + pieceBytes));
  return importer.finish();
}

/** Some elements as the profiler wrote them, and the same without white space. */
function excerpts(): Uint8Array[] {
  const texts = REAL_TRACES.flatMap((name) => {
    const text = new TextDecoder().decode(traceBytes(name));
    return [0.1, 0.5, 0.9].map((share) => {
      const from = text.indexOf("\n  {\n", Math.floor(text.length * share));
      return text.slice(from, text.lastIndexOf(",\n  {\n", from + 4_000));
    });
  });
  const dense = texts.map((text) => JSON.stringify(JSON.parse(`[${text}]`)));
  return [...texts.map((text) => `{"traceEvents": [${text}\n]}`), ...dense].map((text) =>
    new TextEncoder().encode(text),
  );
}

describe("an import of mutated traces", () => {
  it("is the same whether or not texts are learned from one element for the next", () => {
    const random = randomFrom(SEED);
    const seeds = excerpts();
    let imported = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = mutateOften(seeds[round % seeds.length] ?? new Uint8Array(), random);
      const pieceBytes = 1 + Math.floor(random() * 3_000);
      const plain = importPieces(new TraceImporter(0), bytes, pieceBytes);
      const learned = importPieces(new TraceImporter(), bytes, pieceBytes);
      expect(digested(learned)).toEqual(digested(plain));
      if (plain.ok && plain.value.report.kept > 4) imported++;
    }
    expect(imported).toBeGreaterThan(ROUNDS / 2);
  }, 120_000);

  it("accounts for every element, gives sound columns, and all questions can be asked", () => {
    const random = randomFrom(SEED);
    let imported = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = mutateOften(SEEDS[round % SEEDS.length] ?? new Uint8Array(), random);
      const finished = importPieces(new TraceImporter(), bytes, 1 + Math.floor(random() * 200));
      if (!finished.ok) continue;
      imported++;
      const { timeline, report } = finished.value;
      expect(report.kept + report.dropped).toBe(report.total);
      expect(report.kept).toBeGreaterThanOrEqual(0);
      const { startNs, durationNs, lane, name } = timeline.events;
      const isSound = startNs.every(
        (start, at) =>
          start >= (startNs[at - 1] ?? 0) &&
          (durationNs[at] ?? -1) >= 0 &&
          (lane[at] ?? Infinity) < timeline.lanes.length &&
          (name[at] ?? Infinity) < timeline.strings.length,
      );
      expect(isSound).toBe(true);
      const profile = indexTraces([{ fileName: "a", timeline, report }]);
      for (const kind of ["findings", "analysis"] as const)
        expect(answerQuestion(profile, { kind, run: 0 }).ok).toBe(true);
      expect(answerQuestion(profile, { kind: "compare", run: 0, with: 0 }).ok).toBe(true);
      expect(answerQuestion(profile, { kind: "view", run: 0, fromNs: 0, toNs: 1e4, pixelNs: 10 }).ok).toBe(true);
    }
    // Most mutations leave something to import; else this test would test little.
    expect(imported).toBeGreaterThan(ROUNDS / 2);
  });
});
