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

/** The shortest list of edits by whole lines that turns one text into another (Myers, "An O(ND) Difference Algorithm", 1986). */
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
  const pairs = commonLines(oldMiddle, newMiddle) ?? [];
  return changesBetween(pairs, oldMiddle.length, newMiddle.length).map((change) => ({
    oldStart: change.oldStart + head,
    oldEnd: change.oldEnd + head,
    newStart: change.newStart + head,
    newEnd: change.newEnd + head,
  }));
}

type LinePair = readonly [oldLine: number, newLine: number];

/** A longest common subsequence as pairs of line numbers, or `undefined` beyond the distance that is worth the time. */
function commonLines(oldLines: readonly string[], newLines: readonly string[]): readonly LinePair[] | undefined {
  const farthest = new Map<number, number>([[1, 0]]);
  const history: ReadonlyMap<number, number>[] = [];
  const limit = Math.min(maxDistance, oldLines.length + newLines.length);
  for (let distance = 0; distance <= limit; distance++) {
    history.push(new Map(farthest));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let old = startOn(farthest, diagonal, distance);
      while (old < oldLines.length && old - diagonal < newLines.length && oldLines[old] === newLines[old - diagonal])
        old++;
      farthest.set(diagonal, old);
      if (old >= oldLines.length && old - diagonal >= newLines.length) {
        return walkBack(history, oldLines.length, newLines.length);
      }
    }
  }
  return undefined;
}

/** The old line at which a path of this distance starts on a diagonal, after its one insertion or deletion. */
function startOn(farthest: ReadonlyMap<number, number>, diagonal: number, distance: number): number {
  if (entersByInsertion(farthest, diagonal, distance)) return farthest.get(diagonal + 1) ?? 0;
  return (farthest.get(diagonal - 1) ?? -1) + 1;
}

function entersByInsertion(farthest: ReadonlyMap<number, number>, diagonal: number, distance: number): boolean {
  if (diagonal === -distance) return true;
  const above = farthest.get(diagonal + 1) ?? -1;
  return diagonal !== distance && (farthest.get(diagonal - 1) ?? -1) < above;
}

function walkBack(
  history: readonly ReadonlyMap<number, number>[],
  oldEnd: number,
  newEnd: number,
): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let old = oldEnd;
  let now = newEnd;
  for (let distance = history.length - 1; distance >= 0; distance--) {
    const before = history[distance] ?? new Map<number, number>();
    const diagonal = old - now;
    const start = startOn(before, diagonal, distance);
    while (old > start) pairs.push([--old, --now]);
    const inserts = entersByInsertion(before, diagonal, distance);
    old = inserts ? start : start - 1;
    now = old - (inserts ? diagonal + 1 : diagonal - 1);
  }
  return pairs.reverse();
}

function changesBetween(pairs: readonly LinePair[], oldEnd: number, newEnd: number): readonly LineChange[] {
  const changes: LineChange[] = [];
  let old = 0;
  let now = 0;
  for (const [oldLine, newLine] of [...pairs, [oldEnd, newEnd] as const]) {
    if (oldLine > old || newLine > now)
      changes.push({ oldStart: old, oldEnd: oldLine, newStart: now, newEnd: newLine });
    old = oldLine + 1;
    now = newLine + 1;
  }
  return changes;
}
