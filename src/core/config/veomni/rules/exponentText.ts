import { textOf } from "../../document/configNode.js";
import { replaceFix } from "../../document/edits.js";
import type { Finding } from "../../rules/rule.js";
import type { WrittenKey } from "../writtenKeys.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** `1e-5`: a number for people and for YAML 1.2, a text for PyYAML. */
export const exponentText: TrainingRule = {
  code: "exponent-text",
  severities: ["error"],
  explanation:
    "PyYAML takes a number with an exponent only with a point in front and a sign behind the e. 1e-5 arrives as a text, VeOmni converts nothing, and the first calculation with it fails.",
  example: trainingExample({ model: ["optimizer: {lr: 1e-5}"] }),
  check: (context) => context.written.flatMap(findingFor),
};

/** The same number as PyYAML reads it, or `undefined` for texts that are no number with an exponent. */
export function exponentOf(text: string): string | undefined {
  const match = /^\s*([-+]?)(\d[\d_]{0,20})?(?:\.(\d{0,20}))?[eE]([-+]?)(\d{1,3})\s*$/.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction, exponentSign = "", exponent = ""] = match;
  if (whole === "" && (fraction ?? "") === "") return undefined;
  const digits = fraction === undefined || fraction === "" ? "0" : fraction;
  return `${sign}${whole === "" ? "0" : whole}.${digits}e${exponentSign === "" ? "+" : exponentSign}${exponent}`;
}

function findingFor({ path, entry, field }: WrittenKey): readonly Finding[] {
  if (field?.type !== "float" && field?.type !== "int") return [];
  const number = exponentOf(textOf(entry.value) ?? "");
  if (number === undefined) return [];
  return [
    {
      span: entry.value.span,
      severity: "error",
      message: `PyYAML reads this as a text, so ${path} is no number. Write ${number}.`,
      fixes: entry.value.kind === "scalar" ? [replaceFix(`Write ${number}`, entry.value.span, number)] : [],
    },
  ];
}
