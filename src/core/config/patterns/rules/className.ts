import type { QuickFix } from "../../document/diagnostic.js";
import { type PatternRule, removePatternFix, shortPattern } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** `Qwen3DecoderLayer` */
export const className: PatternRule = {
  code: "pattern-class-name",
  severities: ["warning"],
  explanation:
    "Patterns are compared with module names, never with classes. Class names belong into basic_modules; an empty list selects the layers by the classes in the model's _no_split_modules.",
  example: patternExample("Qwen3DecoderLayer", "model.layers.{*}"),
  check: ({ entries }) =>
    entries
      .filter((entry) => /^[A-Z]\w*[a-z]\w*$/.test(entry.text))
      .map((entry) => ({
        span: entry.span,
        severity: "warning",
        message: `${shortPattern(entry.text)} looks like a class; patterns match module names only.`,
        fixes: removePatternFix(entry) satisfies readonly QuickFix[],
      })),
};
