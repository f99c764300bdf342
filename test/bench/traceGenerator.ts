import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const SEED_TRACE = "test/fixtures/traces/q8_s8k_gc_veomni.pt.trace.json.gz";

/** How elements are written: as the profiler does, or without indentation and with the few `args` that every dialect has. */
export type ElementStyle = "recorded" | "lean";

/**
 * Writes a trace of at least `bytes` bytes in the shape of a real one: its elements repeated, each repetition a span later and
 * with correlation and flow ids of its own. Returns the number of elements.
 */
export function writeLargeTrace(
  path: string,
  bytes: number,
  style: ElementStyle = "recorded",
): { readonly elements: number; readonly bytes: number } {
  const text = gunzipSync(readFileSync(SEED_TRACE)).toString("utf8");
  const begin = text.indexOf("[", text.indexOf('"traceEvents"')) + 1;
  const end = text.lastIndexOf("]");
  const head = text.slice(0, begin);
  const recorded = text.slice(begin, end).trim();
  const elements = style === "lean" ? lean(recorded) : recorded;
  const count = (elements.match(/"ph":/g) ?? []).length;
  const parts = splitNumbers(elements);
  const file = openSync(path, "w");
  let written = writeSync(file, head);
  let repetitions = 0;
  while (written < bytes) {
    written += writeSync(file, `${repetitions === 0 ? "" : ","}\n${shifted(parts, repetitions)}`);
    repetitions += 1;
  }
  written += writeSync(file, text.slice(end));
  closeSync(file);
  return { elements: count * repetitions, bytes: written };
}

const LEAN_ARGS = ["correlation", "bytes", "device", "stream", "name", "labels"];

function lean(elements: string): string {
  const parsed = JSON.parse(`[${elements}]`) as { readonly args?: object }[];
  return parsed.map((element) => JSON.stringify({ ...element, args: leanArgs(element.args) })).join(",\n");
}

function leanArgs(args: object | undefined): object | undefined {
  const kept = Object.entries(args ?? {}).filter(([name]) => LEAN_ARGS.includes(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

interface Part {
  readonly before: string;
  /** Whole microseconds of a time, or an id. */
  readonly value: number;
  readonly isTime: boolean;
}

const SPAN_US = 1_200_000;
const IDS = 200_000;
const NUMBER = /("ts": ?|"correlation": ?|"id": ?)(\d+)/g;

function splitNumbers(text: string): { readonly parts: readonly Part[]; readonly tail: string } {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(NUMBER)) {
    const valueAt = match.index + (match[1]?.length ?? 0);
    parts.push({
      before: text.slice(from, valueAt),
      value: Number(match[2]),
      isTime: match[1]?.startsWith('"ts"') === true,
    });
    from = valueAt + (match[2]?.length ?? 0);
  }
  return { parts, tail: text.slice(from) };
}

function shifted({ parts, tail }: ReturnType<typeof splitNumbers>, repetition: number): string {
  const pieces: string[] = [];
  for (const { before, value, isTime } of parts)
    pieces.push(before, String(value + repetition * (isTime ? SPAN_US : IDS)));
  pieces.push(tail);
  return pieces.join("");
}
