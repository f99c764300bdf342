import { type PatternRule, replacePatternFix } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** `<*>`, `[*]`, `layers[0]` */
export const foreignGroup: PatternRule = {
  code: "pattern-foreign-group",
  severities: ["warning"],
  explanation:
    "The mark for all children is {*}. Angle brackets are plain text, [*] is a set that holds a star, and module names have numbers behind a dot, not in brackets: no name matches.",
  example: patternExample("model.layers.<*>"),
  check: ({ entries }) =>
    entries.flatMap((entry) => {
      const meant = meantBy(entry.text);
      if (meant === undefined) return [];
      return [
        {
          span: entry.span,
          severity: "warning",
          message: `${entry.text.slice(0, 60)} matches no module. All children are {*}, one of them is .0.`,
          fixes: replacePatternFix(entry, [meant]),
        },
      ];
    }),
};

function meantBy(text: string): string | undefined {
  const group = text.replace(/\.?<\*>/, ".{*}").replace(/\.?\[\*\]/, ".{*}");
  const indexed = group.replace(/(\w)\[(\d{1,4})\]/g, "$1.$2").replace(/^\./, "");
  return indexed === text ? undefined : indexed;
}
