import { type PatternRule, replacePatternFix } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** `*` */
export const starAlone: PatternRule = {
  code: "pattern-star-alone",
  severities: ["warning"],
  explanation:
    "A single star matches the model itself and every top-level module. The model is called with input_ids, so every tensor saved under it is copied, and nothing is freed (measured: 34 copies a step).",
  example: patternExample("*"),
  check: ({ entries }) =>
    entries
      .filter((entry) => /^\*+$/.test(entry.text))
      .map((entry) => ({
        span: entry.span,
        severity: "warning",
        message:
          "A star alone selects the model itself and its top-level modules: everything is copied, nothing freed.",
        fixes: replacePatternFix(entry, ["model.layers.{*}"]),
      })),
};
