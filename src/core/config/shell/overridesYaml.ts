import { isScalar, isSeq, parseDocument, type Scalar } from "yaml";
import { type Piece, plainPiece, type TracedText, traceText } from "./tracedText.js";

/** Longer files are not read; Hydra's own are a few kilobytes. */
const MAX_CHARACTERS = 1_000_000;

/**
 * The strings of `.hydra/overrides.yaml`, each with the place of every character. Entries that are no strings are left
 * out; a broken file gives what could be read. Never throws.
 */
export function readOverrideList(text: string): readonly TracedText[] {
  if (text.length > MAX_CHARACTERS) return [];
  const document = parseDocument(text, { keepSourceTokens: false, logLevel: "silent" });
  if (!isSeq(document.contents)) return [];
  return document.contents.items.flatMap((item) => (isScalar(item) ? (traceScalar(item, text) ?? []) : []));
}

/** Plain and quoted scalars on one line map character by character, others as a whole. */
function traceScalar(scalar: Scalar, text: string): TracedText | undefined {
  const range = scalar.range;
  if (!range) return undefined;
  const [start, end] = range;
  const written = text.slice(start, end);
  const value = typeof scalar.value === "string" ? scalar.value : written;
  return traceText(scalarPieces(value, written, start));
}

function scalarPieces(value: string, written: string, start: number): Piece[] {
  if (value === written) return [plainPiece(value, start)];
  const inner = written.slice(1, -1);
  if (inner === value) return [plainPiece(value, start + 1)];
  const pieces = written.startsWith("'") ? singleQuoted(inner, start + 1) : [];
  const joined = pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
  if (joined === value) return pieces;
  return [{ kind: "text", text: value, start, end: start + written.length, quoting: "none" }];
}

/** Two single quotes stand for one. */
function singleQuoted(inner: string, start: number): Piece[] {
  return Array.from(inner.matchAll(/''|[^']+/g), (match): Piece => {
    const at = start + match.index;
    const text = match[0] === "''" ? "'" : match[0];
    return { kind: "text", text, start: at, end: at + match[0].length, quoting: "none" };
  });
}
