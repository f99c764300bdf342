import { type PatternEntry, type PatternRule, removePatternFix, shortPattern } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** The same layers in two patterns. */
export const listedTwice: PatternRule = {
  code: "pattern-listed-twice",
  severities: ["warning", "hint"],
  explanation:
    "A pattern with {*} does not look at what is selected already: layers that an earlier pattern took are listed again and count twice in the depth. Globs skip what is selected, so a repeated glob, or one behind the {*}, only is superfluous.",
  example: patternExample("model.layers.*", "model.layers.{*}"),
  check: ({ entries }) => {
    const seen = new Map<string, PatternEntry>();
    return entries.flatMap((entry) => {
      const place = placeOf(entry.text);
      const first = seen.get(place);
      if (first === undefined) {
        seen.set(place, entry);
        return [];
      }
      const twice = entry.text.includes("{*}");
      return [
        {
          span: entry.span,
          severity: twice ? "warning" : "hint",
          message: twice
            ? `The layers of ${shortPattern(first.text)} are listed again and count twice.`
            : `${shortPattern(first.text)} selects these modules already.`,
          fixes: removePatternFix(entry),
        },
      ];
    });
  },
};

/** Both ways to write all children of a container, and the same text again. */
function placeOf(text: string): string {
  const group = text.indexOf("{*}");
  return group < 0 ? text : `${text.slice(0, group)}*`;
}
