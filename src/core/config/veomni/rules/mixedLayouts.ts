import type { Finding } from "../../rules/rule.js";
import { refusesUnknownKeys } from "../layout.js";
import type { TrainingContext } from "../trainingContext.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Keys of two layouts in one file. Stray keys of the flat layout are reported one by one, as moved keys. */
export const mixedLayouts: TrainingRule = {
  code: "mixed-layouts",
  severities: ["error", "warning"],
  explanation:
    "One VeOmni reads one layout. In a file with keys of two, one half does not count: the parser since #1090 rejects it, earlier ones ignore it.",
  example: trainingExample(
    { model: ["accelerator: {}"], train: ["optimizer: {lr: 1.0e-5}"] },
    { model: ["accelerator: {}", "optimizer: {lr: 1.0e-5}"] },
  ),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const { mixed, layout, origin } = context.detection;
  const first = mixed?.evidence[0];
  if (mixed === undefined || first === undefined) return [];
  if (mixed.layout === "flat" && origin === "keys") return [];
  const chosen = origin === "keys" ? `It is read as ${layout}` : `It is pinned to ${layout}`;
  const refused = refusesUnknownKeys(layout);
  return [
    {
      span: first,
      severity: refused ? "error" : "warning",
      message: `The file mixes two layouts. ${chosen}, so its ${mixed.layout} keys (this one first of ${mixed.evidence.length}) are ${refused ? "rejected" : "ignored without a word"}.`,
    },
  ];
}
