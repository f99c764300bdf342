import type { RecognisedFamily } from "../../../modules/families/familyKernels.js";
import { integerIn, textIn } from "../../document/literalValues.js";
import { engineExample } from "../../rules/example.js";
import { judgeKernel } from "../../rules/modelKernels.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
import { blockFamily } from "./blockFamily.js";
import { setFix } from "./switchFixes.js";

/** Sequence parallelism with a kernel that knows nothing of it. */
export const attentionNotParallel: BlockRule = {
  code: "attention-not-parallel",
  severities: ["warning"],
  explanation:
    "With ulysses_parallel_size above 1 each rank holds a part of the sequence. Only the kernels with _with_sp (flash_attention_2, 3 and 4 are rewritten to them) and VeOmni's flex and magi kernels gather it; eager and sdpa attend to their own part, unless the family's own attention gathers, as that of DeepSeek-V4 does.",
  example: engineExample("ulysses_parallel_size: 2", "attn_implementation: sdpa"),
  check: findingFor,
};

/** Kernels that gather, the preferred first. */
const gathering = ["flash_attention_2", "flash_attention_4", "flex_attention"];

function findingFor(context: BlockContext): readonly Finding[] {
  const { block, document } = context;
  const written = writtenField(block, "attn_implementation");
  const kernel = textIn(document.root, block.mapping, "attn_implementation");
  const size = integerIn(document.root, block.mapping, "ulysses_parallel_size");
  if (written === undefined || size === undefined || size <= 1) return [];
  const family = blockFamily(context)?.family;
  if ((kernel !== "eager" && kernel !== "sdpa") || family?.family.gathersSequence === true) return [];
  const [better] = gathering.filter((value) => family === undefined || runs(family, value));
  return [
    {
      span: written.entry.span,
      severity: "warning",
      message: `${kernel} is not aware of sequence parallelism (ulysses_parallel_size ${size}).`,
      fixes: better === undefined ? [] : setFix(`Set attn_implementation to ${better}`, context, written.entry, better),
    },
  ];
}

function runs(family: RecognisedFamily, value: string): boolean {
  const choice = { selector: "attn_implementation", value, isDefault: false, packed: true };
  return judgeKernel(family, choice) === undefined;
}
