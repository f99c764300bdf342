import { type PatternRule, replacePatternFix } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** `"model.layers.* "` */
export const strayBlank: PatternRule = {
  code: "pattern-blank",
  severities: ["warning"],
  explanation: "Spaces count, and no module name holds one, so the pattern matches nothing.",
  example: patternExample("model.layers.* "),
  check: ({ entries }) =>
    entries
      // An entry that looks like a list has a rule of its own.
      .filter((entry) => /\s/.test(entry.text) && entry.text.trim() !== "" && !/^\s*\[.*\]\s*$/.test(entry.text))
      .map((entry) => ({
        span: entry.span,
        severity: "warning",
        message: "The pattern holds a space, and no module name does: it matches nothing.",
        fixes: replacePatternFix(
          entry,
          entry.text.split(/[,\s]+/).filter((part) => part !== ""),
        ),
      })),
};
