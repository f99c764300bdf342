import type { TextSpan } from "../document/diagnostic.js";
import { type LineShape, lineAbove, lineAround, lineBelow, shapeOf, skipBlanks } from "./textLine.js";

/** Lines looked at in each direction; a mapping with more lines than that hides keys far away. */
const maxLines = 20_000;

/**
 * The keys of the block mapping whose members stand in `column`, seen from a line that is one of them or takes the place of
 * one. The line itself is left out.
 */
export function siblingKeys(text: string, offset: number, column: number): ReadonlySet<string> {
  const line = lineAround(text, offset);
  const keys = new Set<string>();
  const own = shapeOf(text, line);
  if (own === undefined || !opensItem(own, column)) collect(text, line, column, lineAbove, keys);
  collect(text, line, column, lineBelow, keys);
  return keys;
}

function collect(
  text: string,
  from: TextSpan,
  column: number,
  next: (text: string, lineStart: number) => TextSpan | undefined,
  keys: Set<string>,
): void {
  const upwards = next === lineAbove;
  let line = next(text, from.start);
  for (let count = 0; line !== undefined && count < maxLines; count++, line = next(text, line.start)) {
    const first = skipBlanks(text, line.start, line.end) - line.start;
    if (first > column) continue;
    const shape = shapeOf(text, line);
    if (shape === undefined) continue;
    if (first < column) {
      if (upwards && opensItem(shape, column) && shape.key !== undefined) keys.add(shape.key.key);
      return;
    }
    if (shape.dashes.length === 0 && shape.key !== undefined) keys.add(shape.key.key);
  }
}

/** The mapping starts on this line, behind the dash of a list entry. */
function opensItem(shape: LineShape, column: number): boolean {
  return shape.dashes.length > 0 && shape.content - shape.line.start === column;
}
