import { type ChangeObject, diffArrays } from "diff";
import type { TextEdit } from "../document/diagnostic.js";

/** Lines that differ: `old` and `new` count from 0, ends exclusive. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Texts that differ in more lines than this are taken as different from the first to the last such line. */
const maxDistance = 600;
/** Comparisons of lines grow with their number times the distance: of very long texts, a shorter distance is looked at. */
const maxComparisons = 2e7;

/** The shortest list of edits by whole lines that turns one text into another. */
export function lineEdits(before: string, after: string): readonly TextEdit[] {
  const oldLines = linesWithBreaks(before);
  const newLines = linesWithBreaks(after);
  const starts = [0];
  for (const line of oldLines) starts.push((starts.at(-1) ?? 0) + line.length);
  return lineChanges(oldLines, newLines).map((change) => ({
    span: { start: starts[change.oldStart] ?? before.length, end: starts[change.oldEnd] ?? before.length },
    newText: newLines.slice(change.newStart, change.newEnd).join(""),
  }));
}

/** Lines with their breaks; what stands behind the last break is a line only if it is not empty. */
export function linesWithBreaks(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The changes in text order, with at least one equal line between two of them. */
export function lineChanges(oldLines: readonly string[], newLines: readonly string[]): readonly LineChange[] {
  let head = 0;
  const shorter = Math.min(oldLines.length, newLines.length);
  while (head < shorter && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;
  const oldMiddle = oldLines.slice(head, oldLines.length - tail);
  const newMiddle = newLines.slice(head, newLines.length - tail);
  if (oldMiddle.length === 0 && newMiddle.length === 0) return [];
  const whole = { oldStart: head, oldEnd: head + oldMiddle.length, newStart: head, newEnd: head + newMiddle.length };
  const maxEditLength = Math.min(maxDistance, Math.floor(maxComparisons / (oldMiddle.length + newMiddle.length)));
  const runs = diffArrays(oldMiddle, newMiddle, { maxEditLength });
  return runs === undefined ? [whole] : changesOf(runs, head);
}

/** Neighbouring runs of removed and added lines are one change. */
function changesOf(runs: readonly ChangeObject<readonly string[]>[], head: number): readonly LineChange[] {
  const changes: LineChange[] = [];
  let old = head;
  let now = head;
  let start: { readonly old: number; readonly now: number } | undefined;
  const close = () => {
    if (start !== undefined) changes.push({ oldStart: start.old, oldEnd: old, newStart: start.now, newEnd: now });
    start = undefined;
  };
  for (const { added, removed, count } of runs) {
    if (added || removed) start ??= { old, now };
    else close();
    if (!added) old += count;
    if (!removed) now += count;
  }
  close();
  return changes;
}
