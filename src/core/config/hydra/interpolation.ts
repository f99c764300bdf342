import type { TextSpan } from "../document/diagnostic.js";
import type { HydraError, Interpolation } from "./value.js";

/** What was found in a string; `error` is the first thing that OmegaConf would refuse. */
export interface InterpolationReading {
  readonly interpolations: readonly Interpolation[];
  readonly error?: HydraError;
}

const MAX_DEPTH = 32;
const NODE_PATH = /^\.*(?:[^\\{}()[\]:.\s'"]+|\[[^\][]*\])(?:\.[^\\{}()[\]:.\s'"]+|\[[^\][]*\])*$/;
const RESOLVER_NAME = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;

/**
 * Finds the interpolations of `text` by OmegaConf's rules: `$` alone is literal, an odd number of backslashes before
 * `${` escapes it, `${` must close, and braces inside must be balanced. Never throws; nesting is bounded.
 */
export function readInterpolations(text: string): InterpolationReading {
  const interpolations: Interpolation[] = [];
  let at = text.indexOf("${");
  while (at >= 0) {
    if (isEscaped(text, at)) {
      at = text.indexOf("${", at + 2);
      continue;
    }
    const one = readOne(text, at, 0);
    if ("error" in one) return { interpolations, error: one.error };
    interpolations.push(one.interpolation);
    at = text.indexOf("${", one.interpolation.span.end);
  }
  return { interpolations };
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

type One = { readonly interpolation: Interpolation } | { readonly error: HydraError };

function readOne(text: string, start: number, depth: number): One {
  if (depth > MAX_DEPTH) return { error: malformed(start, text.length, "Interpolations are nested too deeply.") };
  const nested: Interpolation[] = [];
  const cuts: number[] = [];
  let colon = -1;
  let inner = 0;
  let quote = "";
  for (let at = start + 2; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\\") {
      at++;
    } else if (text.startsWith("${", at)) {
      const one = readOne(text, at, depth + 1);
      if ("error" in one) return one;
      nested.push(one.interpolation);
      at = one.interpolation.span.end - 1;
    } else if (quote !== "") {
      if (character === quote) quote = "";
    } else if (colon >= 0 && (character === '"' || character === "'")) {
      quote = character;
    } else if (character === ":" && colon < 0) {
      colon = at;
    } else if (character === "{" && colon < 0) {
      return { error: malformed(at, at + 1, "A brace is not allowed in the path of an interpolation.") };
    } else if (character === "{" || character === "[") {
      inner++;
    } else if (inner > 0 && (character === "}" || character === "]")) {
      inner--;
    } else if (character === "," && inner === 0 && colon >= 0) {
      cuts.push(at);
    } else if (character === "}") {
      return finish(text, { start, end: at + 1 }, colon, cuts, nested);
    }
  }
  const span = { start, end: text.length };
  return {
    error: { code: "INTERPOLATION_UNCLOSED", message: "The interpolation opened by ${ is never closed.", span },
  };
}

function finish(text: string, span: TextSpan, colon: number, cuts: readonly number[], nested: Interpolation[]): One {
  const close = span.end - 1;
  if (colon < 0) {
    const target = text.slice(span.start + 2, close).trim();
    if (nested.length === 0 && !NODE_PATH.test(target) && !/^\.+$/.test(target)) {
      return { error: malformed(span.start, span.end, `"${target}" is not a path that an interpolation can name.`) };
    }
    return { interpolation: { kind: "node", target, args: [], nested, span } };
  }
  const target = text.slice(span.start + 2, colon).trim();
  if (nested.length === 0 && !RESOLVER_NAME.test(target)) {
    return { error: malformed(span.start, colon, `"${target}" is not the name of a resolver.`) };
  }
  const edges = [colon, ...cuts, close];
  const all = edges.slice(0, -1).map((edge, i) => text.slice(edge + 1, edges[i + 1]).trim());
  const args = all.length === 1 && all[0] === "" ? [] : all;
  return { interpolation: { kind: "resolver", target, args, nested, span } };
}

function malformed(start: number, end: number, message: string): HydraError {
  return { code: "INTERPOLATION_MALFORMED", message, span: { start, end } };
}
