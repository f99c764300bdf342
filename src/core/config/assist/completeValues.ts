import { bytesText, limitBytes } from "./hostBytes.js";
import type { KeyDoc } from "./keyDoc.js";
import { keyMarkdown } from "./keyText.js";
import type { LineContext } from "./lineContext.js";
import { isCacheLimitKey } from "./outline.js";
import { rank, type Suggestion } from "./suggestion.js";

/** Values that a key can have: booleans, allowed values, its default, null where that is allowed. */
export function completeValues(context: LineContext, doc: KeyDoc): readonly Suggestion[] {
  const values = valuesOf(doc);
  return values.map(({ text, detail }, at) => ({
    label: text,
    kind: "value",
    span: context.span,
    insertText: leadingBlank(context) + quoted(context, text),
    isSnippet: false,
    filterText: context.quote === undefined ? text : context.quote + text,
    sortText: rank(text === doc.defaultText ? 0 : 1, at),
    ...(detail === "" ? {} : { detail }),
    documentation: keyMarkdown(doc),
    ...(text === doc.defaultText ? { preselect: true } : {}),
  }));
}

interface Value {
  readonly text: string;
  readonly detail: string;
}

function valuesOf(doc: KeyDoc): readonly Value[] {
  const base = baseValues(doc);
  const withDefault =
    doc.defaultText === undefined || doc.shape === "block" || base.includes(doc.defaultText)
      ? base
      : [doc.defaultText, ...base];
  const withNull = doc.nullable && !withDefault.includes("null") ? [...withDefault, "null"] : withDefault;
  return withNull.map((text) => ({ text, detail: detailOf(doc, text) }));
}

function baseValues(doc: KeyDoc): readonly string[] {
  if (doc.shape === "bool") return ["true", "false"];
  if (isCacheLimitKey(doc.name)) return ["4.0", "0.25", "0"].filter((text) => Number(text) !== Number(doc.defaultText));
  return doc.shape === "list" || doc.shape === "block" ? [] : (doc.allowed?.values ?? []);
}

function detailOf(doc: KeyDoc, text: string): string {
  const parts = [
    ...(text === doc.defaultText ? ["default"] : []),
    ...(doc.allowed?.open === true ? ["others can be registered"] : []),
    ...(isCacheLimitKey(doc.name) ? [bytesText(limitBytes(Number(text)) ?? 0)] : []),
  ];
  return parts.join(", ");
}

/** Behind `key:` a blank is needed when none stands there. */
function leadingBlank(context: LineContext): string {
  return context.needsBlank ? " " : "";
}

function quoted(context: LineContext, text: string): string {
  return context.quote === undefined ? text : `${context.quote}${text}${context.quote}`;
}
