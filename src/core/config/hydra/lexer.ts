import { type HydraError, UNKNOWN_MARK } from "./value.js";

/** Kinds of tokens of the value side, named as in Hydra's own lexer grammar (1.3.2, file OverrideLexer.g4). */
export type TokenKind =
  | "popen"
  | "comma"
  | "pclose"
  | "bracketOpen"
  | "bracketClose"
  | "braceOpen"
  | "braceClose"
  | "colon"
  | "equal"
  | "float"
  | "int"
  | "bool"
  | "null"
  | "character"
  | "id"
  | "escape"
  | "space"
  | "quoted"
  | "interpolation"
  | "unknown";

/** A token with its text; offsets into the override text. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const INT = "(?:0|[1-9](?:_?[0-9])*)";
const DIGITS = "[0-9](?:_?[0-9])*";
const POINT = `(?:${INT}?\\.${DIGITS}|${INT}\\.)`;

/** In the order of the lexer grammar: of equally long matches the first one counts. */
const RULES: readonly (readonly [TokenKind, RegExp])[] = [
  ["popen", /[ \t]*\([ \t]*/y],
  ["comma", /[ \t]*,[ \t]*/y],
  ["pclose", /[ \t]*\)/y],
  ["bracketOpen", /\[[ \t]*/y],
  ["bracketClose", /[ \t]*\]/y],
  ["braceOpen", /\{[ \t]*/y],
  ["braceClose", /[ \t]*\}/y],
  ["colon", /[ \t]*:[ \t]*/y],
  ["equal", /[ \t]*=[ \t]*/y],
  ["float", new RegExp(`[+-]?(?:(?:${POINT}|${INT})[eE][+-]?${DIGITS}|${POINT}|[Ii][Nn][Ff]|[Nn][Aa][Nn])`, "y")],
  ["int", new RegExp(`[+-]?${INT}`, "y")],
  ["bool", /true|false/iy],
  ["null", /null/iy],
  ["character", /[/\-\\+.$%*@?|]/y],
  ["id", /[A-Za-z_][A-Za-z0-9_-]*/y],
  ["escape", /(?:\\[\\()[\]{}:=, \t])+/y],
  ["space", /[ \t]+/y],
  ["unknown", new RegExp(UNKNOWN_MARK, "y")],
];

/** Tokens of a value, or the first character that no token can start with. */
export type Tokens = { readonly tokens: readonly Token[]; readonly error?: HydraError };

/**
 * Cuts the value side of an override into tokens: the longest match counts, of equal ones the first rule.
 * A character without a token (`=` is one, `&`, `#` or a line break are not) is an error in Hydra as well.
 */
export function lexValue(text: string, from: number): Tokens {
  const tokens: Token[] = [];
  let at = from;
  while (at < text.length) {
    const next = isQuote(text[at]) ? quotedToken(text, at) : (interpolationToken(text, at) ?? longestToken(text, at));
    if (next === undefined) return { tokens, error: lexError(text, at) };
    tokens.push(next);
    at = next.end;
  }
  return { tokens };
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

/** A quote closes at the next equal quote with an even number of backslashes before it. */
function quotedToken(text: string, start: number): Token | undefined {
  const quote = text[start];
  let backslashes = 0;
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === quote && backslashes % 2 === 0) {
      return { kind: "quoted", text: text.slice(start, at + 1), start, end: at + 1 };
    }
    backslashes = character === "\\" ? backslashes + 1 : 0;
  }
  return undefined;
}

/** `${` up to the next brace: Hydra's own grammar does not look inside, so a nested interpolation needs quotes. */
function interpolationToken(text: string, start: number): Token | undefined {
  if (!text.startsWith("${", start)) return undefined;
  const close = text.indexOf("}", start);
  if (close < start + 3) return undefined;
  return { kind: "interpolation", text: text.slice(start, close + 1), start, end: close + 1 };
}

function longestToken(text: string, start: number): Token | undefined {
  let best: Token | undefined;
  for (const [kind, pattern] of RULES) {
    pattern.lastIndex = start;
    if (!pattern.test(text)) continue;
    const end = pattern.lastIndex;
    if (best === undefined || end > best.end) best = { kind, text: text.slice(start, end), start, end };
  }
  return best;
}

function lexError(text: string, at: number): HydraError {
  if (isQuote(text[at])) {
    const span = { start: at, end: text.length };
    return { code: "QUOTE_UNCLOSED", message: `The quote ${text[at]} is never closed.`, span };
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return {
    code: "CHARACTER_NOT_ALLOWED",
    message: `The character ${JSON.stringify(character)} must stand inside quotes in an override.`,
    span: { start: at, end: at + character.length },
  };
}
