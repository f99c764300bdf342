import type { Segment, Word } from "./syntax.js";

/**
 * True for words of which bash makes something that is not followed here, so that their text counts as known at run time only:
 * - braces beside `${…{…}…}` or behind `$$`, where bash looks for another closing brace than the expansion has;
 * - a `$` that stands for itself beside an unquoted expansion, which bash 5 then does not split;
 * - a tilde whose name a colon or another assignment ends, where bash expands some of what follows and leaves some alone.
 */
export function isUnfollowed({ segments }: Word): boolean {
  if (segments.length === 0) return false;
  return hasOddBraces(segments) || hasOddDollar(segments) || hasOddTilde(segments[0]);
}

function hasOddBraces(segments: readonly Segment[]): boolean {
  if (!segments.some((segment) => isPlain(segment) && segment.text.includes("{"))) return false;
  return segments.some((segment, i) => {
    if (segment.kind !== "parameter") return false;
    return segment.operand.some(hasBrace) || (segment.name === "$" && !segment.braced && opensBrace(segments[i + 1]));
  });
}

function hasBrace(segment: Segment): boolean {
  if (segment.kind === "parameter") return segment.operand.some(hasBrace);
  return segment.kind === "text" && /[{}]/.test(segment.text);
}

function opensBrace(segment: Segment | undefined): boolean {
  return segment !== undefined && isPlain(segment) && segment.text.startsWith("{");
}

function hasOddDollar(segments: readonly Segment[]): boolean {
  return segments.some((segment) => isPlain(segment) && segment.text === "$") && segments.some(isSplit);
}

function isSplit(segment: Segment): boolean {
  return (segment.kind === "parameter" || segment.kind === "unknown") && !segment.quoted;
}

function hasOddTilde(first: Segment | undefined): boolean {
  return first !== undefined && isPlain(first) && /^~[^/:]*:|=.*~[^/:]*=~/.test(first.text);
}

function isPlain(segment: Segment): segment is Segment & { readonly kind: "text" } {
  return segment.kind === "text" && segment.quoting === "none";
}
