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
  /** No shorter text matches, in code points. */
  readonly leastLength: number;
}

/**
 * Compiles one segment with the rules of Python's `fnmatch.fnmatchcase` (`*`, `?`, `[seq]`, `[!seq]`).
 * Never fails: an unclosed `[` is a literal, a reversed range is dropped. Takes time for the length of the segment only.
 */
export function compileSegment(segment: string): SegmentGlob {
  if (!/[*?[]/.test(segment)) return { literal: segment, tokens: [], leastLength: 0 };
  const chars = Array.from(segment);
  const tokens: GlobToken[] = [];
  let stars = 0;
  let at = 0;
  let mayClose = true;
  while (at < chars.length) {
    const char = chars[at] ?? "";
    at += 1;
    if (char === "*") {
      if (tokens.at(-1)?.kind === "star") continue;
      tokens.push({ kind: "star" });
      stars += 1;
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
  return { literal, tokens, leastLength: tokens.length - stars };
}

/**
 * Whether the whole text matches. Only the last `*` is ever retried, and a glob longer than the text is not tried at all, so the
 * time is at most the square of the text's length, whatever the glob.
 */
export function matchesSegment(glob: SegmentGlob, text: string): boolean {
  if (glob.literal !== undefined) return glob.literal === text;
  // A text has at least as many UTF-16 units as code points.
  if (text.length < glob.leastLength) return false;
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
  return isInRanges(token.ranges, code) !== token.negated;
}

/** Index of the `]` that ends the set starting at `start`; a `]` in first place (or after `!`) belongs to the set. */
function closingBracket(chars: readonly string[], start: number): number {
  let at = start;
  if (chars[at] === "!") at += 1;
  if (chars[at] === "]") at += 1;
  return chars.indexOf("]", at);
}

/** One character of a set, or the range that a hyphen makes of its two neighbours. */
interface SetMember extends CodeRange {
  readonly isRange: boolean;
}

const bang = "!".charCodeAt(0);
const hyphen = "-".charCodeAt(0);

/**
 * Python splits the set at its range hyphens, removes reversed ranges together with the two characters that they join, and only
 * then looks for the leading `!`. So `[z-a]` never matches, `[!z-a]` and even `[z-a!]` match any character.
 */
function compileSet(stuff: readonly string[]): GlobToken {
  const members = membersOf(stuff.map(codeOf));
  const [first, second] = members;
  if (first?.low !== bang) return { kind: "set", negated: false, ranges: joined(members) };
  if (second === undefined) return { kind: "any" };
  // The hyphen behind a `!` that came to stand in front has lost its left neighbour and counts as itself.
  const kept = second.isRange ? [{ low: hyphen, high: hyphen }, ...members.slice(2)] : members.slice(1);
  return { kind: "set", negated: true, ranges: joined(kept) };
}

/** Characters and ranges in order of writing, without the reversed ranges. */
function membersOf(codes: readonly number[]): readonly SetMember[] {
  const members: SetMember[] = [];
  let start = 0;
  for (const end of [...rangeHyphens(codes), codes.length]) {
    const low = codes[end - 1] ?? 0;
    const high = codes[end + 1];
    const isReversed = high !== undefined && low > high;
    for (const code of codes.slice(start, isReversed ? end - 1 : end))
      members.push({ low: code, high: code, isRange: false });
    if (high !== undefined && !isReversed) members.push({ low, high, isRange: true });
    start = end + (isReversed ? 2 : 1);
  }
  return members;
}

/** Positions of the hyphens that make a range: none at either end of the set, none next to the end of an earlier range. */
function rangeHyphens(codes: readonly number[]): readonly number[] {
  const found: number[] = [];
  for (let at = codes[0] === bang ? 2 : 1; at < codes.length - 1; at += 1) {
    if (codes[at] !== hyphen) continue;
    found.push(at);
    at += 2;
  }
  return found;
}

/** The same characters as ascending ranges that do not touch. */
function joined(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const apart: { low: number; high: number }[] = [];
  for (const { low, high } of [...ranges].sort((a, b) => a.low - b.low)) {
    const last = apart.at(-1);
    if (last === undefined || low > last.high + 1) apart.push({ low, high });
    else last.high = Math.max(last.high, high);
  }
  return apart;
}

function isInRanges(ranges: readonly CodeRange[], code: number): boolean {
  let from = 0;
  let to = ranges.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ranges[middle]?.high ?? code) < code) from = middle + 1;
    else to = middle;
  }
  return (ranges[from]?.low ?? Number.POSITIVE_INFINITY) <= code;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? -1;
}
