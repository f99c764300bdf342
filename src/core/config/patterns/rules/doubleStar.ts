import { type PatternRule, replacePatternFix } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** `model.**.mlp` */
export const doubleStar: PatternRule = {
  code: "pattern-double-star",
  severities: ["warning"],
  explanation:
    "Pattern and name must have the same number of segments, and no star crosses a dot: ** means the same as *.",
  example: patternExample("model.**"),
  check: ({ entries }) =>
    entries
      .filter((entry) => entry.text.includes("**") && !/^\*+$/.test(entry.text))
      .map((entry) => ({
        span: entry.span,
        severity: "warning",
        message: "** does not cross a dot; it is the same as *.",
        fixes: replacePatternFix(entry, [entry.text.replace(/\*{2,}/g, "*")]),
      })),
};
