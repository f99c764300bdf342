/** One element of a compiled segment; characters are code points, as in Python. */
type GlobToken =
  | { readonly kind: "literal"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "set"; readonly negated: boolean; readonly ranges: readonly CodeRange[] };

interface CodeRange {
  readonly low: number;
  readonly high: number;
}

/** A glob for one dot segment, ready for many matches. `literal` is set when the segment has no special character. */
export interface SegmentGlob {
  readonly literal: string | undefined;
  readonly tokens: readonly GlobToken[];
}

/**
 * Compiles one segment with the rules of Python's `fnmatch.fnmatchcase` (`*`, `?`, `[seq]`, `[!seq]`).
 * Never fails: an unclosed `[` is a literal, a reversed range is dropped.
 */
export function compileSegment(segment: string): SegmentGlob {
  if (!/[*?[]/.test(segment)) return { literal: segment, tokens: [] };
  const chars = Array.from(segment);
  const tokens: GlobToken[] = [];
  let at = 0;
  let mayClose = true;
  while (at < chars.length) {
    const char = chars[at] ?? "";
    at += 1;
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") {
      tokens.push({ kind: "any" });
    } else if (char === "[" && mayClose) {
      const close = closingBracket(chars, at);
      // What did not close here does not close further on: searching once keeps "[[[[…" linear.
      mayClose = close >= 0;
      tokens.push(mayClose ? compileSet(chars.slice(at, close)) : { kind: "literal", char });
      if (mayClose) at = close + 1;
    } else {
      tokens.push({ kind: "literal", char });
    }
  }
  const literal = tokens.every((token) => token.kind === "literal") ? segment : undefined;
  return { literal, tokens };
}

/**
 * Whether the whole text matches. Only the last `*` is ever retried, so the time is at most
 * pattern length times text length, whatever the pattern.
 */
export function matchesSegment(glob: SegmentGlob, text: string): boolean {
  if (glob.literal !== undefined) return glob.literal === text;
  const { tokens } = glob;
  const chars = Array.from(text);
  let token = 0;
  let char = 0;
  let starToken = -1;
  let starChar = 0;
  while (char < chars.length) {
    const current = tokens[token];
    if (current?.kind === "star") {
      starToken = token;
      starChar = char;
      token += 1;
    } else if (current !== undefined && matchesChar(current, chars[char] ?? "")) {
      token += 1;
      char += 1;
    } else if (starToken >= 0) {
      starChar += 1;
      char = starChar;
      token = starToken + 1;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === "star") token += 1;
  return token === tokens.length;
}

/** Compiles a pattern segment by segment; a pattern matches names with the same number of segments only. */
export function compilePattern(pattern: string): readonly SegmentGlob[] {
  return pattern.split(".").map(compileSegment);
}

function matchesChar(token: GlobToken, char: string): boolean {
  if (token.kind === "any") return true;
  if (token.kind === "literal") return token.char === char;
  if (token.kind !== "set") return false;
  const code = codeOf(char);
  return token.ranges.some((range) => range.low <= code && code <= range.high) !== token.negated;
}

/** Index of the `]` that ends the set starting at `start`; a `]` in first place (or after `!`) belongs to the set. */
function closingBracket(chars: readonly string[], start: number): number {
  let at = start;
  if (chars[at] === "!") at += 1;
  if (chars[at] === "]") at += 1;
  return chars.indexOf("]", at);
}

/**
 * Python splits the set at its range hyphens, removes reversed ranges by joining the neighbours, and only then looks for
 * the leading `!`. So `[z-a]` never matches, `[!z-a]` and even `[z-a!]` match any character.
 */
function compileSet(stuff: readonly string[]): GlobToken {
  const chunks = withoutReversedRanges(splitAtRangeHyphens(stuff));
  const first = chunks[0] ?? [];
  const negated = first[0] === "!";
  const kept = negated ? [first.slice(1), ...chunks.slice(1)] : chunks;
  if (negated && kept.length === 1 && kept[0]?.length === 0) return { kind: "any" };
  return { kind: "set", negated, ranges: rangesOf(kept) };
}

function splitAtRangeHyphens(stuff: readonly string[]): string[][] {
  if (!stuff.includes("-")) return [[...stuff]];
  const chunks: string[][] = [];
  let start = 0;
  let from = stuff[0] === "!" ? 2 : 1;
  for (;;) {
    const hyphen = stuff.indexOf("-", from);
    if (hyphen < 0) break;
    chunks.push(stuff.slice(start, hyphen));
    start = hyphen + 1;
    from = hyphen + 3;
  }
  const rest = stuff.slice(start);
  const last = chunks.at(-1);
  if (rest.length > 0 || last === undefined) chunks.push(rest);
  else last.push("-");
  return chunks;
}

function withoutReversedRanges(chunks: string[][]): string[][] {
  const kept = [...chunks];
  for (let at = kept.length - 1; at > 0; at -= 1) {
    const left = kept[at - 1] ?? [];
    const right = kept[at] ?? [];
    if (codeOf(left.at(-1) ?? "") <= codeOf(right[0] ?? "")) continue;
    kept.splice(at - 1, 2, [...left.slice(0, -1), ...right.slice(1)]);
  }
  return kept;
}

/** A hyphen stood between neighbouring chunks: last character of the left one to first character of the right one. */
function rangesOf(chunks: readonly (readonly string[])[]): CodeRange[] {
  const ranges: CodeRange[] = [];
  for (const [at, chunk] of chunks.entries()) {
    for (const char of chunk) ranges.push({ low: codeOf(char), high: codeOf(char) });
    const next = chunks[at + 1]?.[0];
    const last = chunk.at(-1);
    if (next !== undefined && last !== undefined) ranges.push({ low: codeOf(last), high: codeOf(next) });
  }
  return ranges;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? -1;
}
