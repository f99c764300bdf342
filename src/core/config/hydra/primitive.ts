import { readInterpolations } from "./interpolation.js";
import type { Token } from "./lexer.js";
import { type HydraValue, UNKNOWN_MARK } from "./value.js";

/** Tokens that may stand together in an unquoted primitive. */
const PRIMITIVE_KINDS = new Set<Token["kind"]>([
  "id",
  "null",
  "int",
  "float",
  "bool",
  "interpolation",
  "character",
  "colon",
  "escape",
  "space",
  "unknown",
]);

/** True when the token continues an unquoted primitive; the key of a dictionary takes no colon and no interpolation. */
export function isPrimitiveToken(token: Token, asKey: boolean): boolean {
  if (asKey && (token.kind === "colon" || token.kind === "interpolation")) return false;
  return PRIMITIVE_KINDS.has(token.kind);
}

/**
 * The value of the tokens of one primitive, as Hydra's visitor computes it: white space at the ends is dropped, one
 * token keeps its type, several are joined into a string. Undefined when nothing but white space is left.
 */
export function primitiveValue(tokens: readonly Token[]): HydraValue | undefined {
  const first = tokens[0]?.kind === "space" ? 1 : 0;
  const last = tokens.length > first && tokens.at(-1)?.kind === "space" ? tokens.length - 1 : tokens.length;
  const kept = tokens.slice(first, last);
  const head = kept[0];
  const tail = kept.at(-1);
  if (head === undefined || tail === undefined) return undefined;
  const span = { start: head.start, end: tail.end };
  if (kept.some((token) => token.text.includes(UNKNOWN_MARK))) {
    return { kind: "unknown", text: kept.map(unescapedToken).join(""), span };
  }
  if (kept.length === 1) return singleToken(head);
  return stringValue(kept.map(unescapedToken).join(""), span);
}

/** The text of the key of a dictionary; its type does not matter to us. */
export function keyText(tokens: readonly Token[]): string {
  return tokens.map(unescapedToken).join("").trim();
}

function unescapedToken(token: Token): string {
  return token.kind === "escape" ? everySecond(token.text) : token.text;
}

function everySecond(text: string): string {
  let kept = "";
  for (let i = 1; i < text.length; i += 2) kept += text[i];
  return kept;
}

function singleToken(token: Token): HydraValue {
  const span = { start: token.start, end: token.end };
  switch (token.kind) {
    case "null":
      return { kind: "null", span };
    case "bool":
      return { kind: "bool", value: token.text.toLowerCase() === "true", span };
    case "int":
      return { kind: "int", value: Number(token.text.replaceAll("_", "")), text: token.text, span };
    case "float":
      return { kind: "float", value: floatOf(token.text), text: token.text, span };
    case "quoted":
      return quotedValue(token);
    default:
      return stringValue(unescapedToken(token), span);
  }
}

function floatOf(text: string): number {
  const plain = text.replaceAll("_", "").toLowerCase();
  if (plain.endsWith("inf")) return plain.startsWith("-") ? -Infinity : Infinity;
  return plain.endsWith("nan") ? Number.NaN : Number(plain);
}

function stringValue(text: string, span: HydraValue["span"]): HydraValue {
  return { kind: "string", text, interpolations: readInterpolations(text).interpolations, span };
}

function quotedValue(token: Token): HydraValue {
  const span = { start: token.start, end: token.end };
  const text = unquoted(token.text);
  const quote = token.text.startsWith('"') ? "double" : "single";
  return { kind: "string", text, quote, interpolations: readInterpolations(text).interpolations, span };
}

/**
 * Removes the quotes and undoes escapes: backslashes count as escapes only in a run that ends at a quote of the same
 * kind (the closing one included), and then every second character of the run is kept.
 */
function unquoted(text: string): string {
  const quote = text.charAt(0);
  const body = text.slice(1, -1);
  const inner = body.replace(quote === '"' ? /\\+"/g : /\\+'/g, everySecond);
  return inner.replace(/\\+$/, (run) => (run.length % 2 === 0 ? run.slice(run.length / 2) : run));
}
