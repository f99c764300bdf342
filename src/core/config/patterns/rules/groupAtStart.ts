import { type PatternRule, removePatternFix } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** `{*}` without a container before it. */
export const groupAtStart: PatternRule = {
  code: "pattern-group-at-start",
  severities: ["warning"],
  explanation:
    "The text before {*} names the container whose children are taken. Without it the matcher finds no attribute and skips the pattern with a line in the log.",
  example: patternExample("{*}", "model.layers.{*}"),
  check: ({ entries }) =>
    entries
      .filter((entry) => /^[.\s]*\{\*\}/.test(entry.text))
      .map((entry) => ({
        span: entry.span,
        severity: "warning",
        message: "Nothing stands before {*}, so the pattern is skipped. Name the container: model.layers.{*}.",
        fixes: removePatternFix(entry),
      })),
};
