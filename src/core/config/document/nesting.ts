/**
 * An upper bound of how deep a YAML text nests, without parsing it: open brackets, levels of indentation, and markers
 * (`- `, `? `, `: `) in a row. What stands in comments and strings counts too, so the bound can be too high; anchors and tags between
 * markers make it too low. It keeps a hostile broken text from the parser that first reads all of it, and then recurses.
 */
export function nestingBound(text: string): number {
  return Math.max(bracketDepth(text), indentationDepth(text), longestMarkerRun(text));
}

function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x5b || unit === 0x7b) deepest = Math.max(deepest, ++depth);
    else if ((unit === 0x5d || unit === 0x7d) && depth > 0) depth--;
  }
  return deepest;
}

function indentationDepth(text: string): number {
  const open: number[] = [];
  let deepest = 0;
  for (const match of text.matchAll(/^( *)((?:[-?:][ \t]+)*)[^ \t\r\n#]/gm)) {
    const indent = (match[1] ?? "").length;
    while ((open.at(-1) ?? -1) >= indent) open.pop();
    open.push(indent);
    const markers = (match[2] ?? "").match(/[-?:]/g)?.length ?? 0;
    deepest = Math.max(deepest, open.length + markers);
  }
  return deepest;
}

/** Markers in a row behind something else, as in `key: - - - x`. */
function longestMarkerRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/(?:[-?:][ \t]+)+/g)) longest = Math.max(longest, run.match(/[-?:]/g)?.length ?? 0);
  return longest;
}
