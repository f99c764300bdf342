import { type PatternRule, replacePatternFix } from "../patternEntries.js";
import { patternExample } from "./patternExample.js";

/** One module, which is also the last one. */
export const singleModule: PatternRule = {
  code: "pattern-single-module",
  severities: ["warning"],
  explanation:
    "The last selected module always keeps its tensor on the device, because backward needs it at once. A selection of one module offloads nothing.",
  example: patternExample("model.layers.3"),
  check: ({ entries }) => {
    const [only] = entries;
    if (only === undefined || entries.length > 1 || !/^[a-z_]\w*(?:\.\w+)+$/.test(only.text)) return [];
    if (/(?:^|\.)(?:layers|h|blocks)$/.test(only.text)) return [];
    const stack = /^(.*\.(?:layers|h|blocks))\.\d+$/.exec(only.text)?.[1];
    return [
      {
        span: only.span,
        severity: "warning",
        message: "One module is selected, and the last one always stays on the device: nothing is offloaded.",
        fixes: stack === undefined ? [] : replacePatternFix(only, [`${stack}.{*}`]),
      },
    ];
  },
};
