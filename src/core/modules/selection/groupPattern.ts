/** The mark of the first form of pattern: everything before it is a path, everything after it is ignored. */
export const groupMark = "{*}";

/** The path before the first mark, without the dots at its end. The pattern holds the mark. */
export function groupPrefix(pattern: string): string {
  let end = pattern.indexOf(groupMark);
  while (pattern[end - 1] === ".") end -= 1;
  return pattern.slice(0, end);
}
