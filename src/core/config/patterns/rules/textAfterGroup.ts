import { type PatternRule, replacePatternFix, shortPattern } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** `model.layers.{*}.mlp` */
export const textAfterGroup: PatternRule = {
  code: "pattern-text-after-group",
  severities: ["warning"],
  explanation:
    "Only the text before the first {*} counts: every child of that container is taken whole. What follows is ignored, so the pattern offloads layers, not parts of them.",
  example: patternExample("model.layers.{*}.mlp"),
  check: ({ entries }) =>
    entries.flatMap((entry) => {
      const end = entry.text.indexOf("{*}") + 3;
      const rest = entry.text.slice(end).trim();
      if (end < 4 || rest === "") return [];
      // A list inside the quotes: the bracket in front belongs to the container's name, which no model has.
      const isList = entry.text.startsWith("[") && rest === "]";
      return [
        {
          span: entry.span,
          severity: "warning",
          message: isList
            ? "The brackets inside the quotes belong to the pattern, so it matches nothing."
            : `"${shortPattern(rest)}" after {*} is ignored: the pattern takes whole layers.`,
          fixes: replacePatternFix(entry, [entry.text.slice(isList ? 1 : 0, end)]),
        },
      ];
    }),
};
