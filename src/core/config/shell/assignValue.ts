import type { TextSpan } from "../document/diagnostic.js";
import { MAX_PIECES } from "./expandWord.js";
import type { ExpandedWord, Value } from "./scope.js";
import type { Assignment } from "./syntax.js";

const MAX_ELEMENTS = 5_000;

/** `([2]=x [0]=y)`: which element is which is not followed. */
export function hasIndices({ value }: Assignment): boolean {
  if (value.kind === "scalar") return false;
  return value.words.some(({ segments: [first] }) => first?.kind === "text" && /^\[[^\]]+\]\+?=/.test(first.text));
}

/** `+=`, or the element of `NAME[…]=`: in the place of the one that is there, else behind the others. */
export function joined(before: Value | undefined, added: Value, asElement: boolean, assignment: Assignment): Value {
  const { start, end } = assignment.nameSpan;
  const toWords = (value: Value): readonly ExpandedWord[] =>
    value.kind === "array"
      ? value.words
      : [{ pieces: value.pieces, span: spanOf(value, { start, end }), assumesDefault: value.assumesDefault }];
  if (before === undefined) return asElement ? { kind: "array", words: toWords(added) } : added;
  if (!asElement && before.kind === "array" && added.kind === "scalar") return withLongerFirst(before.words, added);
  const index = /^\d+$/.test(assignment.subscript ?? "") ? Number(assignment.subscript) : undefined;
  if (index !== undefined && !assignment.appends && index < toWords(before).length) {
    return { kind: "array", words: toWords(before).toSpliced(index, 1, ...toWords(added)) };
  }
  if (asElement || before.kind === "array" || added.kind === "array") {
    const words = [...toWords(before), ...toWords(added)];
    return { kind: "array", words: words.slice(0, MAX_ELEMENTS) };
  }
  const pieces = [...before.pieces, ...added.pieces];
  const assumesDefault = before.assumesDefault || added.assumesDefault;
  if (pieces.length <= MAX_PIECES) return { kind: "scalar", pieces, assumesDefault };
  return { kind: "scalar", pieces: [{ kind: "unknown", start, end }], assumesDefault };
}

/** `A+=x` of an array lengthens its first element. */
function withLongerFirst(words: readonly ExpandedWord[], added: Value & { kind: "scalar" }): Value {
  const [first, ...others] = words;
  const { assumesDefault } = added;
  const span = spanOf(added, { start: added.pieces[0]?.start ?? 0, end: added.pieces.at(-1)?.end ?? 0 });
  if (first === undefined) return { kind: "array", words: [{ pieces: added.pieces, span, assumesDefault }] };
  const pieces = [...first.pieces, ...added.pieces].slice(0, MAX_PIECES);
  const longer = { ...first, pieces, assumesDefault: first.assumesDefault || assumesDefault };
  return { kind: "array", words: [longer, ...others] };
}

function spanOf(value: Value & { kind: "scalar" }, fallback: TextSpan): TextSpan {
  const first = value.pieces[0];
  const last = value.pieces.at(-1);
  return first === undefined || last === undefined || last.end < first.start
    ? fallback
    : { start: first.start, end: last.end };
}
