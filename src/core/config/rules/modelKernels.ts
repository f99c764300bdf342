import {
  familyOf,
  type KernelVerdict,
  type KnownModels,
  kernelVerdict,
  type RecognisedFamily,
} from "../../modules/families/familyKernels.js";
import { type ConfigNode, textOf } from "../document/configNode.js";
import type { QuickFix, TextSpan } from "../document/diagnostic.js";
import type { Finding } from "./rule.js";

/** The family of the model that a node names. A path of which only the run knows a part still has a name at its end. */
export function familyAt(node: ConfigNode | undefined, models: KnownModels | undefined): RecognisedFamily | undefined {
  const path = textOf(node);
  return path === undefined ? undefined : familyOf(path, models?.get(path));
}

/** A selector with the value that counts, written or the default. */
export interface KernelChoice {
  readonly selector: string;
  readonly value: string;
  readonly isDefault: boolean;
  readonly packed: boolean;
}

/** A choice that the family does not run, with the sentence about it. */
export interface JudgedKernel extends KernelVerdict {
  readonly choice: KernelChoice;
  readonly message: string;
}

/**
 * What the family makes of a choice; `undefined` when it runs. verl's own examples train Qwen3.5 with its defaults, so a default that
 * only matters for packed sequences is not judged.
 */
export function judgeKernel(family: RecognisedFamily, choice: KernelChoice): JudgedKernel | undefined {
  const { selector, value, isDefault, packed } = choice;
  const verdict = kernelVerdict(family, selector, value, packed);
  if (verdict === undefined || (isDefault && verdict.packedOnly)) return undefined;
  const subject = isDefault ? `${selector} is ${value} by default` : `${selector} ${value}`;
  const end = verdict.kind === "replaced" ? "; another kernel takes its place" : "";
  return { ...verdict, choice, message: `${subject}: ${family.family.name} ${verdict.why}${end}.` };
}

/** One finding about choices at one place; a name may say anything, so what rests on it says so. */
export function kernelFinding(
  family: RecognisedFamily,
  span: TextSpan,
  judged: readonly JudgedKernel[],
  fixesOf: (selector: string, better: string) => readonly QuickFix[],
): readonly Finding[] {
  if (judged.length === 0) return [];
  const doubt = family.by === "name" ? ["The family is known by the name of the model only."] : [];
  return [
    {
      span,
      severity: judged.some(({ kind }) => kind === "refused") ? "warning" : "information",
      message: [...judged.map(({ message }) => message), ...doubt].join(" "),
      fixes: judged.flatMap(({ choice, instead }) => instead.flatMap((better) => fixesOf(choice.selector, better))),
    },
  ];
}
