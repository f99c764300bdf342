import type { TextSpan } from "../document/diagnostic.js";

/*
 * bash knows line feeds only: a carriage return is a letter of the word that it touches, ends no continuation and makes `do` another
 * word. The shell reader does the same. What a script means is read from its text without them.
 */

/** What other systems end a line with, and what a line end that was converted twice looks like. */
const returnEnds = /\r+\n?/g;

/** A text whose lines end with line feeds alone, and where an offset of it stands in the text as it is. */
export interface ConvertedText {
  readonly text: string;
  /** A line end stands where its first carriage return is. */
  placeOf(offset: number): number;
}

/** Makes one line feed of every line end with carriage returns; undefined where there are none. */
export function withoutReturns(text: string): ConvertedText | undefined {
  if (!text.includes("\r")) return undefined;
  const ends: number[] = [];
  const removedUpTo = [0];
  let removed = 0;
  for (const { 0: end, index } of text.matchAll(returnEnds)) {
    ends.push(index - removed);
    removed += end.length - 1;
    removedUpTo.push(removed);
  }
  return {
    text: convertReturns(text),
    placeOf: (offset) => offset + (removedUpTo[countBelow(ends, offset)] ?? removed),
  };
}

/** The text with line feeds only. */
export function convertReturns(text: string): string {
  return text.replace(returnEnds, "\n");
}

/** How many of the sorted numbers are below `limit`. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The same plain data with every span of it moved: whatever has a `start` and an `end` that are numbers. */
export function withSpansMoved<Data>(data: Data, move: (span: TextSpan) => TextSpan): Data {
  return movedIn(data, move) as Data;
}

function movedIn(data: unknown, move: (span: TextSpan) => TextSpan): unknown {
  if (Array.isArray(data)) return data.map((each) => movedIn(each, move));
  if (typeof data !== "object" || data === null) return data;
  const entries = Object.entries(data).map(([key, value]) => [key, movedIn(value, move)] as const);
  const moved = Object.fromEntries(entries);
  return isSpan(moved) ? { ...moved, ...move({ start: moved.start, end: moved.end }) } : moved;
}

function isSpan(data: Readonly<Record<string, unknown>>): data is { readonly start: number; readonly end: number } {
  return typeof data.start === "number" && typeof data.end === "number";
}

/** The line ends with carriage returns of a script. */
export interface LineReturns {
  readonly count: number;
  /** How they are written, most usual first. */
  readonly kinds: readonly ("CR LF" | "CR")[];
  /** From the first to behind the last one. */
  readonly span: TextSpan;
  /** The first line whose carriage return reaches a word, without its blanks. */
  readonly line: TextSpan;
}

/** What carriage returns do to a script; undefined where there are none, or where all of them end comments together with a line feed. */
export function readReturns(script: string): LineReturns | undefined {
  const ends = [...script.matchAll(returnEnds)].map(({ 0: end, index }) => ({ start: index, end: index + end.length }));
  const first = ends.find((end) => reachesWord(script, end));
  if (first === undefined) return undefined;
  const hasFeed = ends.some(({ end }) => script[end - 1] === "\n");
  const standsAlone = ends.some(({ end }) => script[end - 1] !== "\n");
  const start = lineStart(script, first);
  return {
    count: ends.length,
    kinds: [...(hasFeed ? (["CR LF"] as const) : []), ...(standsAlone ? (["CR"] as const) : [])],
    span: { start: ends[0]?.start ?? 0, end: ends.at(-1)?.end ?? 0 },
    line: { start: start + (/^[ \t]*/.exec(script.slice(start, first.start))?.[0].length ?? 0), end: first.start + 1 },
  };
}

/** A comment ends at a line feed only; the program that a first line names takes the carriage return with it. */
function reachesWord(script: string, end: TextSpan): boolean {
  if (script[end.end - 1] !== "\n") return true;
  return !/^[ \t]*#(?!!)/.test(script.slice(lineStart(script, end), end.start));
}

function lineStart(script: string, { start }: TextSpan): number {
  if (start === 0) return 0;
  return Math.max(script.lastIndexOf("\n", start - 1), script.lastIndexOf("\r", start - 1)) + 1;
}
