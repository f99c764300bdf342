import { textIn } from "../../document/literalValues.js";
import { followsVerlFormat } from "../../document/verlFormat.js";
import { engineExample } from "../../rules/example.js";
import { judgeKernel } from "../../rules/modelKernels.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
import { blockFamily } from "./blockFamily.js";
import { setFix } from "./switchFixes.js";

/** The old alias of the expert kernels. */
export const deprecatedValue: BlockRule = {
  code: "deprecated-value",
  severities: ["hint"],
  explanation:
    "moe_implementation: fused is a deprecated alias (VeOmni #678): fused_quack on a GPU, which needs SM90 or newer, fused_npu on Ascend, fused_mlu on MLU. Older GPUs need fused_triton. The shipped file still holds it and stays quiet.",
  example: engineExample("moe_implementation: fused"),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const written = writtenField(context.block, "moe_implementation");
  const value = textIn(context.document.root, context.block.mapping, "moe_implementation");
  if (written === undefined || value !== "fused" || followsVerlFormat(context.path)) return [];
  return [
    {
      span: written.entry.value.span,
      severity: "hint",
      message: "fused is a deprecated alias: on GPUs it means fused_quack, which needs SM90 or newer.",
      fixes: kernelsFor(context).flatMap((name) =>
        setFix(`Set moe_implementation to ${name}`, context, written.entry, name),
      ),
    },
  ];
}

/** Of the two kernels on GPUs those that the model's family runs. */
function kernelsFor(context: BlockContext): readonly string[] {
  const family = blockFamily(context)?.family;
  return ["fused_triton", "fused_quack"].filter((value) => {
    const choice = { selector: "moe_implementation", value, isDefault: false, packed: true };
    return family === undefined || judgeKernel(family, choice) === undefined;
  });
}
