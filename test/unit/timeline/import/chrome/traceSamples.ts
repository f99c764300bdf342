import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { ImportReport } from "../../../../../src/core/timeline/columns/importReport.js";
import { TraceImporter } from "../../../../../src/core/timeline/import/chrome/traceImporter.js";
import type { ImportedTrace } from "../../../../../src/core/timeline/import/traceFormat.js";

const FOLDER = "test/fixtures/traces";

/** Recorded on H200 GPUs; the numbers that another program computed from them are in `expected.json`. */
export const REAL_TRACES = [
  "fsdp2_q8x16_s8k_gc_veomni_rank0",
  "fsdp2_q8x16_s8k_gc_veomni_rank1",
  "q06_s4k_gc_veomni_mem",
  "q8_s8k_gc_veomni",
].map((name) => `${name}.pt.trace.json.gz`);

export interface ExpectedRole {
  readonly busy_ns: number;
  readonly hidden_ns: number;
  readonly exposed_ns: number;
}

export interface ExpectedTrace {
  readonly events_total: number;
  readonly gpu_counts: Readonly<Record<string, number>>;
  readonly copy_bytes: Readonly<Record<string, number>>;
  readonly gpu_span_ns: number;
  readonly compute_busy_ns: number;
  readonly idle_ns: number;
  readonly dtoh: ExpectedRole;
  readonly htod: ExpectedRole;
  readonly copies_any: ExpectedRole;
  readonly collective: ExpectedRole & { readonly count: number };
}

export function expectedOf(name: string): ExpectedTrace {
  const all = JSON.parse(readFileSync(`${FOLDER}/expected.json`, "utf8")) as Record<string, ExpectedTrace>;
  const expected = all[name];
  if (expected === undefined) throw new Error(`${name} is not in expected.json`);
  return expected;
}

export function tracePath(name: string): string {
  return `${FOLDER}/${name}`;
}

/** JSON text of a real trace. */
export function traceBytes(name: string): Uint8Array {
  return gunzipSync(readFileSync(tracePath(name)));
}

/** Imports bytes in pieces of `pieceBytes`. */
export function importBytes(bytes: Uint8Array, pieceBytes = 2 ** 20): ImportedTrace {
  const importer = new TraceImporter();
  for (let at = 0; at < bytes.length; at += pieceBytes) importer.push(bytes.subarray(at, at + pieceBytes));
  const finished = importer.finish();
  if (!finished.ok) throw new Error(finished.problem.code);
  return finished.value;
}

export function importText(text: string, pieceBytes?: number): ImportedTrace {
  return importBytes(new TextEncoder().encode(text), pieceBytes);
}

/** Elements as a complete trace. */
export function traceOf(...elements: readonly (object | string)[]): string {
  const texts = elements.map((element) => (typeof element === "string" ? element : JSON.stringify(element)));
  return `{"traceEvents":[${texts.join(",")}]}`;
}

export function codesOf(report: ImportReport): Record<string, number> {
  return Object.fromEntries(report.lines.map(({ code, count }) => [code, count]));
}

/** A kernel on stream 7 of device 0, times in µs. */
export function kernel(ts: number | string, dur: number, name = "gemm", more: object = {}): object {
  return { ph: "X", cat: "kernel", name, pid: 0, tid: 7, ts, dur, args: { device: 0, stream: 7 }, ...more };
}

/** The same value with a digest for each typed array: comparing these element by element takes a test runner minutes. */
export function digested(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return `${value.constructor.name} ${value.byteLength} ${createHash("sha1").update(bytes).digest("hex")}`;
  }
  if (Array.isArray(value))
    return value.length > 1_000 ? createHash("sha1").update(JSON.stringify(value)).digest("hex") : value.map(digested);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, digested(member)]));
}

/** A trace that stands for a kind of fault; `test/fixtures/traces/public`. */
export function publicTrace(name: string): ImportedTrace {
  return importBytes(readFileSync(`${FOLDER}/public/${name}.json`));
}

/** A copy on stream 7 of device 0, times in µs. */
export function copy(direction: "DtoH" | "HtoD", ts: number | string, dur: number, more: object = {}): object {
  const name = direction === "DtoH" ? "Memcpy DtoH (Device -> Pinned)" : "Memcpy HtoD (Pinned -> Device)";
  const args = { device: 0, stream: 7, bytes: 2 ** 23 };
  return { ph: "X", cat: "gpu_memcpy", name, pid: 0, tid: 7, ts, dur, args, ...more };
}
