import type { RecognisedFamily } from "../../../modules/families/familyKernels.js";
import { entryOf, type MappingEntry } from "../../document/configNode.js";
import { booleanIn, textIn } from "../../document/literalValues.js";
import { fileExample } from "../../rules/example.js";
import { type JudgedKernel, judgeKernel, kernelFinding } from "../../rules/modelKernels.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { verlEngineField } from "../fields/verlEngine.js";
import { writtenField } from "../writtenFields.js";
import { blockFamily } from "./blockFamily.js";
import { putFix, setFix } from "./switchFixes.js";

/** A kernel, written or verl's default, that the family of the model is known not to run. */
export const kernelForModel: BlockRule = {
  code: "kernel-for-model",
  severities: ["warning", "information"],
  explanation:
    "VeOmni's code of a model family runs some kernels and refuses others: DeepSeek-V4 has eager attention only, GPT-OSS has one fused expert kernel, Qwen3.5's linear attention cannot run packed sequences with the eager kernels that verl defaults to. The family comes from config.json where it is at hand, else from the name in the path.",
  example: fileExample(
    "actor_rollout_ref:",
    "  model:",
    "    path: deepseek-ai/DeepSeek-V4-Flash",
    "  actor:",
    "    veomni:",
    "      attn_implementation: flash_attention_2",
  ),
  check: (context) => {
    const found = blockFamily(context);
    return found === undefined ? [] : findingsFor(context, found.family, found.entry);
  },
};

function findingsFor(context: BlockContext, family: RecognisedFamily, model: MappingEntry): readonly Finding[] {
  const judged = Object.keys(family.family.kernels).flatMap((selector) => judgedIn(context, family, selector));
  const ofDefaults = kernelFinding(
    family,
    model.span,
    judged.filter(({ choice }) => choice.isDefault),
    (selector, better) => putFix(`Set ${selector} to ${better}`, context, context.block.mapping, selector, better),
  );
  return [
    ...ofDefaults,
    ...judged.filter(({ choice }) => !choice.isDefault).flatMap((each) => written(context, family, each)),
  ];
}

function written(context: BlockContext, family: RecognisedFamily, judged: JudgedKernel): readonly Finding[] {
  const entry = writtenField(context.block, judged.choice.selector)?.entry;
  if (entry === undefined) return [];
  return kernelFinding(family, entry.span, [judged], (selector, better) =>
    setFix(`Set ${selector} to ${better}`, context, entry, better),
  );
}

function judgedIn(context: BlockContext, family: RecognisedFamily, selector: string): readonly JudgedKernel[] {
  const { block, document } = context;
  const isDefault = writtenField(block, selector) === undefined;
  const value = isDefault ? defaultOf(context, selector) : textIn(document.root, block.mapping, selector);
  if (value === undefined) return [];
  const packed = booleanIn(document.root, block.model?.mapping, "use_remove_padding") !== false;
  const judged = judgeKernel(family, { selector, value, isDefault, packed });
  return judged === undefined ? [] : [judged];
}

/** The reference policy takes most values from the actor, so what it leaves out is not at its default. */
function defaultOf({ block }: BlockContext, selector: string): string | undefined {
  if (block.role === "ref" || block.role === "unknown" || isFilledElsewhere(block.mapping)) return undefined;
  const value = verlEngineField(selector)?.yamlDefault;
  return typeof value === "string" ? value : undefined;
}

/** A merge key or a list of defaults brings keys that do not stand here. */
function isFilledElsewhere(mapping: BlockContext["block"]["mapping"]): boolean {
  return entryOf(mapping, "<<") !== undefined || entryOf(mapping, "defaults") !== undefined;
}
