import { meantPatterns } from "../../rules/textInsteadOfList.js";
import { type PatternEntry, type PatternRule, replacePatternFix } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** `"[model.layers.*]"`, `"model.layers.*,lm_head"` */
export const listInPattern: PatternRule = {
  code: "pattern-list-in-text",
  severities: ["warning"],
  explanation:
    "Each entry is one pattern. Brackets around a dotted text, and commas, are compared as plain text, and no module name holds them, so an entry that looks like a whole list matches nothing.",
  example: patternExample("[model.layers.*, lm_head]"),
  check: ({ entries }) =>
    entries.filter(looksLikeList).map((entry) => ({
      span: entry.span,
      severity: "warning",
      message: isBracketed(entry.text)
        ? "The brackets inside the quotes belong to the pattern, so it matches nothing."
        : "The comma belongs to the pattern, and no module name holds one: it matches nothing.",
      fixes: replacePatternFix(entry, meantPatterns(entry.text)),
    })),
};

/** What stands before `{*}` counts alone, and another rule knows that. */
function looksLikeList({ text }: PatternEntry): boolean {
  if (text.includes("{*}")) return false;
  return isBracketed(text) || (!/\s/.test(text) && hasOpenComma(text));
}

/** A set of characters in brackets cannot hold a dot, which ends the segment. */
function isBracketed(text: string): boolean {
  return /^\s*\[[^[\]]*\.(?:[^[\]]|\[[^[\]]*\])*\]\s*$/.test(text);
}

/** A comma outside of sets like `[0,1]` and of braces. */
function hasOpenComma(text: string): boolean {
  return text.replace(/\[[^[\]]*\]|\{[^{}]*\}/g, "").includes(",");
}
