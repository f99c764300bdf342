import { visibleLine } from "../../base/visibleText.js";
import { type LineChange, lineChanges, linesWithBreaks } from "../write/lineDiff.js";

const contextLines = 3;

/** The difference of two texts in the unified format of `diff -u`, which `patch` reads; empty for equal texts. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const oldLines = linesWithBreaks(before);
  const newLines = linesWithBreaks(after);
  const hunks = grouped(lineChanges(oldLines, newLines));
  if (hunks.length === 0) return "";
  const shown = visibleLine(path);
  return [`--- ${shown}\n+++ ${shown}\n`, ...hunks.map((changes) => hunkText(changes, oldLines, newLines))].join("");
}

/** Changes whose context would overlap share a hunk. */
function grouped(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const previous = hunks.at(-1)?.at(-1);
    const isNear = previous !== undefined && change.oldStart - previous.oldEnd <= 2 * contextLines;
    if (isNear) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkText(changes: readonly LineChange[], oldLines: readonly string[], newLines: readonly string[]): string {
  const [first] = changes;
  const last = changes.at(-1);
  if (first === undefined || last === undefined) return "";
  const oldStart = Math.max(0, first.oldStart - contextLines);
  const oldEnd = Math.min(oldLines.length, last.oldEnd + contextLines);
  const newStart = first.newStart - (first.oldStart - oldStart);
  const newEnd = last.newEnd + (oldEnd - last.oldEnd);
  const out = [`@@ -${rangeText(oldStart, oldEnd)} +${rangeText(newStart, newEnd)} @@\n`];
  let at = oldStart;
  for (const change of changes) {
    for (const line of marked(" ", oldLines.slice(at, change.oldStart))) out.push(line);
    for (const line of marked("-", oldLines.slice(change.oldStart, change.oldEnd))) out.push(line);
    for (const line of marked("+", newLines.slice(change.newStart, change.newEnd))) out.push(line);
    at = change.oldEnd;
  }
  for (const line of marked(" ", oldLines.slice(at, oldEnd))) out.push(line);
  return out.join("");
}

/** A range counts from 1; an empty one names the line before it. */
function rangeText(start: number, end: number): string {
  if (end - start === 1) return String(start + 1);
  return `${end === start ? start : start + 1},${end - start}`;
}

function marked(sign: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`,
  );
}
