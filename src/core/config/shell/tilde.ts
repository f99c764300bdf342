import type { Segment } from "./syntax.js";

/**
 * Where a word stands, which decides where bash looks for a tilde: `word` at its start; `assignment`, the right side of one, at its
 * start and behind every colon; `argument` at its start and, when it is written like an assignment, as in one.
 */
export type TildePlace = "word" | "assignment" | "argument";

/** What an argument begins with that bash takes for an assignment. */
const ASSIGNED = /^[A-Za-z_]\w*(?:\[[^\]\n]{0,200}\])?\+?=/;
/** `~`, `~+` and `~-` by the text behind the tilde. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ["", "HOME"],
  ["+", "PWD"],
  ["-", "OLDPWD"],
]);
/** A name of a user, or a place in the stack of directories. */
const NAME = /^(?:[A-Za-z_][\w.-]*|[+-]?\d+)$/;
/**
 * Accounts that base systems have. Any other lone `~name` stays as written, which is what bash does for a user that does not exist,
 * and how Hydra is told to delete a key.
 */
const ACCOUNTS = new Set(
  "root daemon bin sys sync games man lp mail news uucp proxy backup list irc nobody ftp adm shutdown halt operator".split(
    " ",
  ),
);

/**
 * Puts what a tilde stands for into the segments of a word: the variable that bash takes, or unknown text for the home of a user.
 * Only an unquoted tilde counts, and only if nothing quoted and no expansion stands between it and the next slash or colon.
 */
export function expandTildes(segments: readonly Segment[], place: TildePlace): readonly Segment[] {
  if (!segments.some((segment) => isPlain(segment) && segment.text.includes("~"))) return segments;
  const merged = mergePlain(segments);
  const [first] = merged;
  const head =
    place === "argument" && first !== undefined && isPlain(first) ? ASSIGNED.exec(first.text)?.[0] : undefined;
  const inColons = place === "assignment" || head !== undefined;
  return merged.flatMap((segment, i) => {
    if (!isPlain(segment)) return [segment];
    const starts = i === 0 ? (head?.length ?? 0) : undefined;
    return splitAtTildes(segment, starts, inColons, i === merged.length - 1);
  });
}

type Plain = Segment & { readonly kind: "text" };

/** `starts` is the offset at which the word begins that the tilde must begin. */
function splitAtTildes(segment: Plain, starts: number | undefined, inColons: boolean, isLast: boolean): Segment[] {
  const { text } = segment;
  const made: Segment[] = [];
  let taken = 0;
  for (let at = text.indexOf("~"); at >= 0; at = text.indexOf("~", at + 1)) {
    const mayBegin = at === starts || (inColons && at > (starts ?? -1) && text[at - 1] === ":");
    const end = mayBegin ? prefixEnd(text, at, isLast) : undefined;
    const expanded = end === undefined ? undefined : homeOf(segment, at, end, end === text.length);
    if (end === undefined || expanded === undefined) continue;
    made.push(...part(segment, taken, at), expanded);
    taken = end;
  }
  made.push(...part(segment, taken, text.length));
  return made;
}

/** Behind the name; undefined when something quoted or expanded follows, which takes the meaning from the tilde. */
function prefixEnd(text: string, at: number, isLast: boolean): number | undefined {
  const length = text.slice(at).search(/[/:]/);
  if (length >= 0) return at + length;
  return isLast ? text.length : undefined;
}

function homeOf(segment: Plain, at: number, end: number, isAlone: boolean): Segment | undefined {
  const name = segment.text.slice(at + 1, end);
  const { start, end: stop } = placeOf(segment, at, end);
  const variable = VARIABLES.get(name);
  // Like a variable in quotes: what comes out is not split.
  if (variable !== undefined) {
    return { kind: "parameter", name: variable, operand: [], braced: true, quoted: true, start, end: stop };
  }
  if (!NAME.test(name) || (isAlone && !/^[+-]?\d+$/.test(name) && !ACCOUNTS.has(name))) return undefined;
  return { kind: "unknown", quoted: true, start, end: stop };
}

function part(segment: Plain, from: number, to: number): Plain[] {
  return from >= to ? [] : [{ ...segment, text: segment.text.slice(from, to), ...placeOf(segment, from, to) }];
}

/** Character by character where the text stands in one piece, else the whole segment. */
function placeOf(segment: Plain, from: number, to: number): { start: number; end: number } {
  const exact = segment.end - segment.start === segment.text.length;
  return exact ? { start: segment.start + from, end: segment.start + to } : { start: segment.start, end: segment.end };
}

/** A continued line, and the expansion of braces, leave one text in several segments. */
function mergePlain(segments: readonly Segment[]): readonly Segment[] {
  const merged: Segment[] = [];
  for (const segment of segments) {
    const before = merged.at(-1);
    const joins = before !== undefined && isPlain(before) && isPlain(segment);
    if (!joins) merged.push(segment);
    else merged[merged.length - 1] = { ...before, text: before.text + segment.text, end: segment.end };
  }
  return merged;
}

function isPlain(segment: Segment): segment is Plain {
  return segment.kind === "text" && segment.quoting === "none";
}
