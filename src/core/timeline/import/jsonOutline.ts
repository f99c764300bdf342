/** The outermost shape of a JSON text. */
export interface JsonOutline {
  readonly isList: boolean;
  /** Names of the outermost members, or of those of a list's first element. */
  readonly keys: readonly string[];
  /** What a list begins with; `numbers` is a list of numbers within it. */
  readonly first: "object" | "numbers" | "other";
}

/** Reads the outline of a text that may break off anywhere, and that need not be valid. */
export function outlineJson(text: string): JsonOutline {
  const isList = text.trimStart().startsWith("[");
  const keyDepth = isList ? 2 : 1;
  const opened = isList ? /^\s*\[\s*(\{|\[\s*-?\d|)/.exec(text)?.[1] : "{";
  const first = opened === "{" ? "object" : opened === "" || opened === undefined ? "other" : "numbers";
  const keys: string[] = [];
  if (first !== "object") return { isList, keys, first };
  let depth = 0;
  // Strings, with the colon that makes one a name; brackets. All else says nothing about the shape.
  for (const [token, , colon] of text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?|[[\]{}]/gs)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") {
      depth--;
      if (depth < keyDepth) break;
    } else if (colon !== undefined && depth === keyDepth) keys.push(token.slice(1, token.lastIndexOf('"')));
  }
  return { isList, keys, first };
}
