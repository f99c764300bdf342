/**
 * An upper bound of how deep a YAML text nests, without parsing it: open brackets, levels of indentation, and markers
 * (`- `, `? `) in a row on one line. Brackets in comments and strings count too, so the bound can be too high, never too low
 * by more than the deepest single line. It keeps a hostile text from exhausting the stack of the recursive parser.
 */
export function nestingBound(text: string): number {
  return Math.max(bracketDepth(text), indentationDepth(text));
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
  for (const match of text.matchAll(/^( *)((?:[-?][ \t]+)*)[^ \t\r\n#]/gm)) {
    const indent = (match[1] ?? "").length;
    while ((open.at(-1) ?? -1) >= indent) open.pop();
    open.push(indent);
    const markers = (match[2] ?? "").match(/[-?]/g)?.length ?? 0;
    deepest = Math.max(deepest, open.length + markers);
  }
  return deepest;
}
