import { type PatternRule, replacePatternFix, shortPattern } from "../patternEntries.js";
import { globsForRange } from "./numberRange.js";
import { patternExample } from "./patternExample.js";

const maxAlternatives = 200;

/** `{0,1}`, `{0-27}`, `{0..27}` */
export const braceAlternatives: PatternRule = {
  code: "pattern-braces",
  severities: ["warning"],
  explanation:
    "Only {*} has a meaning. Other braces are compared as plain text, and no module name holds one. One-character sets such as [0-3] work, so a range of layers needs one pattern per number of digits.",
  example: patternExample("model.layers.{0-27}"),
  check: ({ entries }) =>
    entries.flatMap((entry) => {
      const groupEnd = entry.text.indexOf("{*}");
      const counted = groupEnd < 0 ? entry.text : entry.text.slice(0, groupEnd);
      const braces = /\{([^{}]*)\}/.exec(counted);
      if (braces === null) return [];
      return [
        {
          span: entry.span,
          severity: "warning",
          message: `${shortPattern(braces[0])} is plain text to the matcher: only {*} is special.`,
          fixes: fixesFor(entry, braces),
        },
      ];
    }),
};

function fixesFor(entry: Parameters<typeof replacePatternFix>[0], braces: RegExpExecArray) {
  const alternatives = alternativesOf(braces[1] ?? "");
  const after = entry.text.slice(braces.index + braces[0].length);
  if (alternatives === undefined || /[{}]/.test(after)) return [];
  const before = entry.text.slice(0, braces.index);
  return replacePatternFix(
    entry,
    alternatives.map((alternative) => `${before}${alternative}${after}`),
  );
}

function alternativesOf(inner: string): readonly string[] | undefined {
  const range = /^\s*(\d{1,4})\s*(?:-|\.\.|:)\s*(\d{1,4})\s*$/.exec(inner);
  if (range !== null) {
    const globs = globsForRange(Number(range[1]), Number(range[2]));
    return globs.length === 0 ? undefined : globs;
  }
  const parts = inner.split(",").map((part) => part.trim());
  if (parts.length < 2 || parts.length > maxAlternatives || parts.some((part) => !/^[\w*?]+$/.test(part)))
    return undefined;
  return parts.every((part) => /^\d$/.test(part)) ? [`[${parts.join("")}]`] : parts;
}
