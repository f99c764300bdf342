import { type PatternRule, replacePatternFix } from "../patternEntries.js";
import { globsForRange } from "./numberRange.js";
import { patternExample } from "./patternExample.js";

/** `[0-27]` */
export const digitRange: PatternRule = {
  code: "pattern-digit-range",
  severities: ["warning"],
  explanation:
    "Brackets stand for one character, as in shell globs: [0-27] means 0, 1, 2 or 7. A range of numbers needs one pattern per number of digits.",
  example: patternExample("model.layers.[0-27]"),
  check: ({ entries }) =>
    entries.flatMap((entry) => {
      const set = /\[(\d{1,4})-(\d{2,4})\]/.exec(entry.text);
      if (set === null || entry.text.includes("{*}")) return [];
      const globs = globsForRange(Number(set[1]), Number(set[2]));
      const before = entry.text.slice(0, set.index);
      const after = entry.text.slice(set.index + set[0].length);
      return [
        {
          span: entry.span,
          severity: "warning",
          message: `${set[0]} stands for one character, not for the numbers ${set[1]} to ${set[2]}.`,
          fixes:
            globs.length === 0
              ? []
              : replacePatternFix(
                  entry,
                  globs.map((glob) => `${before}${glob}${after}`),
                ),
        },
      ];
    }),
};
