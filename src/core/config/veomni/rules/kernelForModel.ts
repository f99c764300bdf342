import type { RecognisedFamily } from "../../../modules/families/familyKernels.js";
import { type JudgedKernel, judgeKernel, kernelFinding } from "../../rules/modelKernels.js";
import type { Finding } from "../../rules/rule.js";
import { textValueOf } from "../effectiveValue.js";
import { type PlacedKey, placedKey, type TrainingContext } from "../trainingContext.js";
import { trainingFamily } from "../trainingFamily.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A kernel, written or the default, that the family of the model is known not to run. */
export const kernelForModel: TrainingRule = {
  code: "kernel-for-model",
  severities: ["warning", "information"],
  explanation:
    "VeOmni's code of a model family runs some kernels and refuses others: DeepSeek-V4 has eager attention only, which is not the default, and GPT-OSS has one fused expert kernel, fused_quack. The family comes from config.json where it is at hand, else from the name in the path.",
  example: trainingExample({
    model: [
      "config_path: configs/deepseek_v4",
      "ops_implementation:",
      "  attn_implementation: sdpa",
      "  rotary_pos_emb_implementation: eager",
    ],
  }),
  check: (context) => {
    const found = trainingFamily(context);
    return found === undefined || context.layout === "flat" ? [] : findingsFor(context, found.family, found.key);
  },
};

function findingsFor(context: TrainingContext, family: RecognisedFamily, model: PlacedKey): readonly Finding[] {
  const judged = Object.keys(family.family.kernels)
    .filter((selector) => !elsewhere.has(selector))
    .flatMap((selector) => judgedIn(context, family, selector));
  const fixesOf = (selector: string, better: string) => setKeyFix(context, rowOf(selector), better);
  const ofDefaults = kernelFinding(
    family,
    model.entry.span,
    judged.filter(({ choice }) => choice.isDefault),
    fixesOf,
  );
  const ofWritten = judged.flatMap((each) => {
    const span = placedKey(context, rowOf(each.choice.selector))?.entry.span;
    return span === undefined ? [] : kernelFinding(family, span, [each], fixesOf);
  });
  return [...ofDefaults, ...ofWritten];
}

/** Selectors with rules of their own. */
const elsewhere: ReadonlySet<string> = new Set([
  "rotary_pos_emb_implementation",
  "causal_conv1d_implementation",
  "chunk_gated_delta_rule_implementation",
]);

function judgedIn(context: TrainingContext, family: RecognisedFamily, selector: string): readonly JudgedKernel[] {
  const value = textValueOf(context, rowOf(selector));
  if (value === undefined) return [];
  const isDefault = placedKey(context, rowOf(selector)) === undefined;
  const judged = judgeKernel(family, { selector, value, isDefault, packed: true });
  return judged === undefined ? [] : [judged];
}

function rowOf(selector: string): string {
  return `model.ops_implementation.${selector}`;
}
