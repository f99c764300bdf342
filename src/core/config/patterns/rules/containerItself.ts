import { type PatternRule, replacePatternFix } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** `model.layers` */
export const containerItself: PatternRule = {
  code: "pattern-container",
  severities: ["warning"],
  explanation:
    "A name without star takes that module only. The list of layers is a container that is never called, so its hooks never run and nothing is offloaded.",
  example: patternExample("model.layers"),
  check: ({ entries }) =>
    entries
      .filter((entry) => /(?:^|\.)(?:layers|h|blocks)\.?$/.test(entry.text))
      .map((entry) => {
        const name = entry.text.replace(/\.$/, "");
        return {
          span: entry.span,
          severity: "warning",
          message: `${name.slice(0, 60)} is the list of layers, which is never called: nothing is offloaded.`,
          fixes: replacePatternFix(entry, [`${name}.{*}`]),
        };
      }),
};
