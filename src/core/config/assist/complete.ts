import type { ModuleTree } from "../../modules/tree.js";
import { layoutIds } from "../veomni/layout.js";
import { completeKeys } from "./completeKeys.js";
import { completeClasses, completePatternList, completePatterns } from "./completePatterns.js";
import { completeValues } from "./completeValues.js";
import { listItem } from "./flowContext.js";
import type { KeyDoc } from "./keyDoc.js";
import { type LineContext, lineContextAt } from "./lineContext.js";
import { type ConfigOutline, dialectName, isPatternKey, keysAt } from "./outline.js";
import { rank, type Suggestion } from "./suggestion.js";
import { lineAround } from "./textLine.js";

/**
 * What may be written at an offset. Only the lines around it are read, so the text may be broken and long; what the file is
 * comes from `outline`, of this or an earlier version of the text. Empty where nothing is known. Never throws.
 */
export function complete(
  text: string,
  offset: number,
  outline: ConfigOutline | undefined,
  tree?: ModuleTree,
): readonly Suggestion[] {
  const pins = completePin(text, offset);
  if (pins.length > 0 || outline === undefined) return pins;
  const context = lineContextAt(text, offset);
  if (context === undefined) return [];
  const list = listAt(context, outline);
  if (list !== undefined)
    return isPatternKey(list.name) ? completePatterns(context, tree) : completeEntries(context, list, tree);
  if (context.place === "key") return completeKeys(text, offset, context, outline);
  if (context.place !== "value") return [];
  const doc = docAt(outline, context.path);
  if (doc === undefined || doc.removed) return [];
  return isPatternKey(doc.name) ? completePatternList(context, tree) : completeValues(context, doc);
}

/** The list whose entry stands at the context: behind a dash, in brackets, or on a line below the key that lacks the dash. */
function listAt(context: LineContext, outline: ConfigOutline): KeyDoc | undefined {
  if (context.place === "value" || context.hasColon || context.path.at(-1) === listItem) return undefined;
  const doc = docAt(outline, context.path);
  return doc?.shape === "list" && !doc.removed ? doc : undefined;
}

function completeEntries(context: LineContext, list: KeyDoc, tree: ModuleTree | undefined): readonly Suggestion[] {
  if (list.name === "basic_modules") return completeClasses(context, tree);
  return [];
}

/** The key that a path names. */
export function docAt(outline: ConfigOutline, path: readonly string[]): KeyDoc | undefined {
  const name = path.at(-1);
  return name === undefined ? undefined : keysAt(outline, path.slice(0, -1))?.docOf(name);
}

/** The ids of layouts in a first line `# offload-lens: layout=…`. */
function completePin(text: string, offset: number): readonly Suggestion[] {
  if (offset > 200) return [];
  const line = lineAround(text, offset);
  if (line.start !== 0) return [];
  const match = /^\uFEFF?[ \t]*#[ \t]*offload-lens:[ \t]*layout[ \t]*=[ \t]*/.exec(text.slice(0, line.end));
  const start = match?.[0].length;
  if (start === undefined || offset < start) return [];
  const end = start + (/^[\w+-]*/.exec(text.slice(start, line.end))?.[0].length ?? 0);
  if (offset > end) return [];
  return layoutIds.toReversed().map((id, at) => ({
    label: id,
    kind: "value",
    span: { start, end },
    insertText: id,
    isSnippet: false,
    sortText: rank(0, at),
    detail: dialectName(id),
  }));
}
