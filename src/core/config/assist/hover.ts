import type { ModuleTree } from "../../modules/tree.js";
import type { TextSpan } from "../document/diagnostic.js";
import { resolvePlainScalar } from "../yaml/plainScalar.js";
import { docAt } from "./complete.js";
import { limitMarkdown } from "./hostBytes.js";
import { keyMarkdown, valueMarkdown } from "./keyText.js";
import { type LineContext, lineContextAt } from "./lineContext.js";
import { code } from "./markdown.js";
import { type ConfigOutline, isCacheLimitKey, isPatternKey } from "./outline.js";
import { patternHover } from "./patternHints.js";
import type { PatternEntry } from "./writtenPatterns.js";

/** What is told about the token at an offset. */
export interface HoverText {
  readonly span: TextSpan;
  readonly markdown: string;
}

/** What a hover may use besides the lines around it. Patterns of the list at the offset, when this version was parsed. */
export interface HoverKnowledge {
  readonly outline: ConfigOutline;
  readonly tree?: ModuleTree;
  readonly patterns?: readonly PatternEntry[];
}

/** Explains the key, value or pattern at an offset from the lines around it. Never throws. */
export function hoverAt(text: string, offset: number, knowledge: HoverKnowledge): HoverText | undefined {
  const context = lineContextAt(text, offset);
  if (context === undefined || context.token === "") return undefined;
  const markdown = markdownOf(context, knowledge);
  return markdown === undefined ? undefined : { span: context.span, markdown };
}

function markdownOf(context: LineContext, knowledge: HoverKnowledge): string | undefined {
  const { outline } = knowledge;
  if (context.place === "key") {
    const doc = context.hasColon ? docAt(outline, [...context.path, context.token]) : undefined;
    return doc === undefined ? undefined : keyMarkdown(doc);
  }
  const doc = docAt(outline, context.path);
  if (doc === undefined) return undefined;
  if (context.place === "entry") return isPatternKey(doc.name) ? patternMarkdown(context, knowledge) : undefined;
  const value = isCacheLimitKey(doc.name) ? limitOf(context, outline) : undefined;
  const facts = [valueMarkdown(doc, context.token), value === undefined ? "" : limitMarkdown(value)];
  return [code(context.token), ...facts.filter((text) => text !== ""), "---", keyMarkdown(doc)].join("\n\n");
}

function limitOf(context: LineContext, outline: ConfigOutline): number | undefined {
  if (context.quote !== undefined) return undefined;
  const value = resolvePlainScalar(context.token, outline.dialect === "verl" ? "omegaconf" : "pyyaml");
  return value.type === "int" || value.type === "float" ? value.value : undefined;
}

function patternMarkdown(context: LineContext, { tree, patterns }: HoverKnowledge): string {
  if (tree === undefined)
    return `${code(context.token)}\n\nNo model is known here, so nothing can be said about matches.`;
  const at = patterns?.findIndex(({ span }) => span.start === context.span.start) ?? -1;
  const inList = patterns !== undefined && at >= 0 ? patternHover(patterns, at, tree) : undefined;
  return inList ?? patternHover([{ span: context.span, text: context.token }], 0, tree) ?? code(context.token);
}
