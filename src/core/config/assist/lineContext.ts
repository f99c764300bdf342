import type { TextSpan } from "../document/diagnostic.js";
import { flowPlaceAt, flowTokenSpan, listItem } from "./flowContext.js";
import { closingQuote, isBlank, type LineShape, lineAbove, lineAround, shapeOf, skipBlanks } from "./textLine.js";

/** What stands at an offset, found from the lines around it, so that broken YAML elsewhere does not matter. */
export interface LineContext {
  readonly place: "key" | "value" | "entry";
  /** Of a key: the mapping that holds it. Of a value: its key at the end. Of an entry: the list. Entries above: `[]`. */
  readonly path: readonly string[];
  /** The token at the offset with its quotes; empty between tokens. Never crosses a line. */
  readonly span: TextSpan;
  /** The token's text up to the offset, opening quote left out. */
  readonly typed: string;
  /** The whole token, quotes left out. */
  readonly token: string;
  readonly quote?: string;
  readonly flow: boolean;
  /** Of a key: a colon follows. */
  readonly hasColon: boolean;
  /** Offset of the column where keys of this mapping stand, counted from the start of the line. */
  readonly column: number;
  /** Of an entry in block style: a dash stands before it. */
  readonly dash: boolean;
  /** Of a value: it stands right behind the colon, so a blank has to come first. */
  readonly needsBlank: boolean;
  /** Of a flow mapping: the keys before the offset. */
  readonly flowSiblings: readonly string[];
}

const maxFlowLines = 200;
const maxToken = 2_000;

/** The context at an offset; `undefined` in comments, in block scalars and where no path can be told. */
export function lineContextAt(text: string, offset: number): LineContext | undefined {
  const line = lineAround(text, offset);
  if (offset > line.end || line.end - line.start > 20 * maxToken) return undefined;
  return flowContext(text, line, offset) ?? blockContext(text, line, offset);
}

/** Inside brackets that opened on this line or on one of the lines above. */
function flowContext(text: string, line: TextSpan, offset: number): LineContext | undefined {
  let current: TextSpan | undefined = line;
  let leastColumn = Number.POSITIVE_INFINITY;
  for (let count = 0; current !== undefined && count < maxFlowLines; count++) {
    const shape = shapeOf(text, current);
    const open = shape === undefined ? undefined : opensFlow(text, shape);
    const column = shape === undefined ? Number.POSITIVE_INFINITY : shape.content - current.start;
    if (shape !== undefined && open !== undefined && open < offset) {
      // A key that stands no deeper than the opener means that the bracket was left open by mistake.
      const context = leastColumn <= column ? undefined : contextInFlow(text, shape, open, offset);
      if (context !== undefined || current !== line) return context;
    }
    // Plain block structure above: no bracket reaches down to here.
    if (current !== line && shape?.key !== undefined && open === undefined && !endsInComma(text, shape.line))
      return undefined;
    if (shape?.key !== undefined || (shape?.dashes.length ?? 0) > 0) {
      if (current !== line || shape?.key !== undefined) leastColumn = Math.min(leastColumn, column);
    }
    current = lineAbove(text, current.start);
  }
  return undefined;
}

function endsInComma(text: string, line: TextSpan): boolean {
  return text.slice(line.start, line.end).trimEnd().endsWith(",");
}

function contextInFlow(text: string, shape: LineShape, open: number, offset: number): LineContext | undefined {
  const found = flowPlaceAt(text, open, offset);
  if (found === undefined) return undefined;
  const outer = pathOfLine(text, shape);
  if (outer === undefined) return undefined;
  // Of a text over several lines only the line at hand can be replaced.
  const line = lineAround(text, offset);
  const onLine = found.tokenStart >= line.start;
  const start = onLine ? found.tokenStart : Math.min(offset, skipBlanks(text, line.start, line.end));
  const span = flowTokenSpan(text, start, offset, onLine ? found.quote : undefined);
  return {
    place: found.place,
    path: [...outer.path, ...found.inner],
    span,
    ...tokenTexts(text, span, offset),
    flow: true,
    hasColon: text[skipBlanks(text, span.end, text.length)] === ":",
    column: outer.column,
    dash: false,
    needsBlank: found.place === "value" && text[span.start - 1] === ":",
    flowSiblings: found.siblings,
  };
}

/** Offset of the bracket that starts the value of a line, if one does. */
function opensFlow(text: string, shape: LineShape): number | undefined {
  const from = shape.key === undefined ? shape.content : skipProperties(text, shape.key.colon + 1, shape.line.end);
  const letter = text[from];
  if (from >= shape.line.end) return undefined;
  if (letter === "[") return from;
  return letter === "{" && !text.startsWith("{*}", from) ? from : undefined;
}

/** Skips anchors and tags. */
function skipProperties(text: string, from: number, end: number): number {
  let at = skipBlanks(text, from, end);
  while (at < end && (text[at] === "&" || text[at] === "!")) {
    while (at < end && !isBlank(text[at])) at++;
    at = skipBlanks(text, at, end);
  }
  return at;
}

function blockContext(text: string, line: TextSpan, offset: number): LineContext | undefined {
  const shape = shapeOf(text, line);
  if (shape === undefined) return blankContext(text, line, offset);
  const afterDash = shape.dashes.at(-1);
  if (offset < shape.content) {
    const beforeMarkers = offset <= (shape.dashes[0] ?? shape.content);
    return beforeMarkers || afterDash === undefined ? undefined : tokenContext(text, shape, offset, offset);
  }
  if (shape.key !== undefined && offset > shape.key.colon)
    return valueContext(text, shape, shape.key.colon + 1, offset);
  if (isInComment(text, shape.content, offset)) return undefined;
  return tokenContext(text, shape, shape.content, offset);
}

function blankContext(text: string, line: TextSpan, offset: number): LineContext | undefined {
  if (text.slice(line.start, line.end).trim() !== "") return undefined;
  const column = offset - line.start;
  const above = pathAbove(text, line.start, column, false);
  if (above === undefined) return undefined;
  return bareContext(above, { start: line.start, end: line.end }, offset);
}

function bareContext(above: PathAbove, line: TextSpan, offset: number): LineContext {
  const empty = { span: { start: offset, end: offset }, typed: "", token: "", flow: false, hasColon: false };
  const column = above.column ?? offset - line.start;
  return { ...empty, place: "key", path: above.path, column, dash: false, needsBlank: false, flowSiblings: [] };
}

/** A bare word, or a key with its colon. */
function tokenContext(text: string, shape: LineShape, tokenStart: number, offset: number): LineContext | undefined {
  const { line } = shape;
  const outer = pathOfMembers(text, shape);
  if (outer === undefined) return undefined;
  const end = shape.key?.span.end ?? endOfPlain(text, tokenStart, line.end);
  const span = offset > end ? { start: offset, end: offset } : { start: Math.min(tokenStart, offset), end };
  const dash = shape.dashes.length > 0;
  const isEntry = dash && shape.key === undefined;
  return {
    place: isEntry ? "entry" : "key",
    path: isEntry ? outer.path.slice(0, -1) : outer.path,
    span,
    ...tokenTexts(text, span, offset),
    flow: false,
    hasColon: shape.key !== undefined,
    column: outer.column ?? tokenStart - line.start,
    dash,
    needsBlank: false,
    flowSiblings: [],
  };
}

function valueContext(text: string, shape: LineShape, from: number, offset: number): LineContext | undefined {
  const { line, key } = shape;
  if (key === undefined || isInComment(text, from, offset)) return undefined;
  const outer = pathOfMembers(text, shape);
  if (outer === undefined) return undefined;
  const start = Math.min(skipProperties(text, from, line.end), Math.max(offset, from));
  const end = Math.max(offset, endOfPlain(text, start, line.end));
  const span = { start, end };
  const texts = tokenTexts(text, span, offset);
  if (/^[|>]/.test(texts.token)) return undefined;
  return {
    place: "value",
    path: [...outer.path, key.key],
    span,
    ...texts,
    flow: false,
    hasColon: false,
    column: outer.column ?? key.span.start - line.start,
    dash: false,
    needsBlank: text[start - 1] === ":",
    flowSiblings: [],
  };
}

function tokenTexts(text: string, span: TextSpan, offset: number): Pick<LineContext, "typed" | "token" | "quote"> {
  const first = text[span.start];
  const quote = span.end > span.start && (first === '"' || first === "'") ? first : undefined;
  if (quote === undefined) return { typed: text.slice(span.start, offset), token: text.slice(span.start, span.end) };
  const closed = span.end > span.start + 1 && text[span.end - 1] === quote;
  const inner = { start: span.start + 1, end: closed ? span.end - 1 : span.end };
  const typedEnd = Math.min(Math.max(offset, inner.start), inner.end);
  return { typed: text.slice(inner.start, typedEnd), token: text.slice(inner.start, inner.end), quote };
}

/** The end of a plain or quoted scalar on one line, comments and blanks behind it left out. */
function endOfPlain(text: string, start: number, lineEnd: number): number {
  const quote = text[start];
  if (quote === '"' || quote === "'") {
    const close = closingQuote(text, start, lineEnd, quote);
    if (close !== undefined) return close + 1;
  }
  let end = start;
  while (end < lineEnd && !(text[end] === "#" && isBlank(text[end - 1]))) end++;
  while (end > start && isBlank(text[end - 1])) end--;
  return end;
}

function isInComment(text: string, from: number, offset: number): boolean {
  for (let at = from; at < offset; at++) {
    const letter = text[at];
    if ((letter === '"' || letter === "'") && (at === from || isBlank(text[at - 1]))) {
      const close = closingQuote(text, at, offset, letter);
      if (close === undefined) return false;
      at = close;
    } else if (letter === "#" && isBlank(text[at - 1])) return true;
  }
  return false;
}

/** Path of the collection in which the content of a line stands, with the column of its members. */
interface PathAbove {
  readonly path: readonly string[];
  /** Set when the members of that collection stand in another column than asked. */
  readonly column?: number;
}

function pathOfMembers(text: string, shape: LineShape): PathAbove | undefined {
  const { line, dashes } = shape;
  const column = (dashes[0] ?? shape.content) - line.start;
  const above = pathAbove(text, line.start, column, dashes.length > 0);
  if (above === undefined) return undefined;
  if (dashes.length === 0) return above;
  return { path: [...above.path, ...dashes.map(() => listItem)], column: shape.content - line.start };
}

/** Path of the value of a line: its key, or the list entry. */
function pathOfLine(text: string, shape: LineShape): (PathAbove & { readonly column: number }) | undefined {
  const outer = pathOfMembers(text, shape);
  if (outer === undefined) return undefined;
  const path = shape.key === undefined ? outer.path : [...outer.path, shape.key.key];
  return { path, column: shape.content - shape.line.start };
}

/**
 * Keys above a line whose content stands in `column`. `isEntry`: the line is an entry of a list, whose key may stand in the
 * same column. A line that is indented below a finished value counts as its sibling.
 */
function pathAbove(text: string, lineStart: number, column: number, isEntry: boolean): PathAbove | undefined {
  const reversed: string[] = [];
  let current = column;
  let inList = isEntry;
  let snapped: number | undefined;
  let line = lineAbove(text, lineStart);
  for (; line !== undefined && (current > 0 || inList); line = lineAbove(text, line.start)) {
    if (column0Ends(text, line)) break;
    const first = skipBlanks(text, line.start, line.end);
    if (first - line.start > current || first >= line.end) continue;
    const shape = shapeOf(text, line);
    if (shape === undefined) continue;
    const step = stepUp(text, shape, current, inList);
    if (step === "block-scalar") return undefined;
    if (step === undefined) continue;
    if (step.snap && reversed.length === 0 && !isEntry) snapped = step.column;
    for (const segment of step.segments) reversed.push(segment);
    current = step.column;
    inList = step.inList;
  }
  return { path: reversed.reverse(), ...(snapped === undefined ? {} : { column: snapped }) };
}

interface Step {
  /** Innermost first. */
  readonly segments: readonly string[];
  readonly column: number;
  readonly inList: boolean;
  readonly snap: boolean;
}

function stepUp(text: string, shape: LineShape, current: number, inList: boolean): Step | "block-scalar" | undefined {
  const { line, dashes, key } = shape;
  const keyColumn = shape.content - line.start;
  const enclosing = dashes.filter((dash) => dash - line.start < current).map((dash) => dash - line.start);
  const items = enclosing.map(() => listItem);
  const listColumn = enclosing[0];
  const mayHold = keyColumn < current || (inList && keyColumn === current && dashes.length === 0);
  if (key === undefined || !mayHold) {
    if (listColumn === undefined) return undefined;
    return { segments: items, column: listColumn, inList: true, snap: false };
  }
  const value = skipProperties(text, key.colon + 1, line.end);
  const isEmpty = value >= line.end || text[value] === "#";
  if (!isEmpty && /[|>]/.test(text[value] ?? "")) return "block-scalar";
  const segments = [...(isEmpty ? [key.key] : []), ...items];
  if (!isEmpty && inList) return undefined;
  return { segments, column: listColumn ?? keyColumn, inList: listColumn !== undefined, snap: !isEmpty };
}

/** A new document starts, or the last one ended. */
function column0Ends(text: string, line: TextSpan): boolean {
  return text.startsWith("---", line.start) || text.startsWith("...", line.start);
}
