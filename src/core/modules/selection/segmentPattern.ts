import { compilePattern, matchesSegment } from "./glob.js";

/** The text itself as a glob that matches nothing else. */
export function literalSegment(text: string): string {
  return text.replace(/[*?[]/g, (char) => `[${char}]`);
}

/**
 * Globs for one dot segment that match every text in `wanted` and none of `others`, the most readable first. Empty if a single glob
 * cannot tell them apart. No text is empty or holds a dot.
 */
export function segmentPatterns(wanted: ReadonlySet<string>, others: readonly string[]): readonly string[] {
  const [first] = wanted;
  if (first === undefined) return [];
  if (wanted.size === 1) return [literalSegment(first)];
  const candidates = ["*", ...sameLength([...wanted], others), ...withStar([...wanted])];
  return candidates.filter((glob) => separates(glob, wanted, others));
}

function separates(glob: string, wanted: ReadonlySet<string>, others: readonly string[]): boolean {
  const [segment] = compilePattern(glob);
  if (segment === undefined) return false;
  for (const text of wanted) if (!matchesSegment(segment, text)) return false;
  return !others.some((text) => matchesSegment(segment, text));
}

/** One place per character: the character, `?`, or a set; only for texts of one length. */
function sameLength(wanted: readonly string[], others: readonly string[]): readonly string[] {
  const length = wanted[0]?.length ?? 0;
  if (wanted.some((text) => text.length !== length || !/^\w+$/.test(text))) return [];
  const places = Array.from({ length }, (_, at) => new Set(wanted.map((text) => text[at] ?? "")));
  const rivals = others.filter((text) => text.length === length);
  const sets = places.map((chars) => (chars.size === 1 ? ([...chars][0] ?? "") : setOf(chars)));
  const open = places.map((chars, at) => (isFree(places, at, rivals) ? "?" : (sets[at] ?? setOf(chars))));
  return [open.join(""), sets.join("")];
}

/** Whether no rival fits all places but this one: then any character may stand here. */
function isFree(places: readonly ReadonlySet<string>[], place: number, rivals: readonly string[]): boolean {
  if ((places[place]?.size ?? 0) < 2) return false;
  return !rivals.some((text) => places.every((chars, at) => at === place || chars.has(text[at] ?? "")));
}

/** `[0-3]`, `[qkv]`; ranges from three neighbours on. */
function setOf(chars: ReadonlySet<string>): string {
  const codes = [...chars].map((char) => char.charCodeAt(0)).sort((a, b) => a - b);
  let text = "";
  for (let at = 0; at < codes.length; ) {
    let end = at;
    while (codes[end + 1] === (codes[end] ?? 0) + 1) end += 1;
    const first = String.fromCharCode(codes[at] ?? 0);
    const last = String.fromCharCode(codes[end] ?? 0);
    text += end - at >= 2 ? `${first}-${last}` : end > at ? first + last : first;
    at = end + 1;
  }
  return `[${text}]`;
}

function withStar(wanted: readonly string[]): readonly string[] {
  const start = commonStart(wanted);
  const end = commonStart(wanted.map((text) => [...text].reverse().join("")));
  const suffix = [...end].reverse().join("");
  const [head, tail] = [literalSegment(start), literalSegment(suffix)];
  const plain = [`${head}*`, `*${tail}`, `${head}*${tail}`].filter((glob) => glob !== "*" && glob !== "**");
  return [...plain, ...withStarAndLast(wanted)];
}

/** Every second expert ends in 0, 2, 4, 6 or 8, however many digits it has. */
function withStarAndLast(wanted: readonly string[]): readonly string[] {
  const last = new Set(wanted.map((text) => text.at(-1) ?? ""));
  return last.size > 1 && wanted.every((text) => /\w$/.test(text)) ? [`*${setOf(last)}`] : [];
}

function commonStart(texts: readonly string[]): string {
  let common = texts[0] ?? "";
  for (const text of texts) while (!text.startsWith(common)) common = common.slice(0, -1);
  return common;
}
