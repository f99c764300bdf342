import { textIn } from "../../document/literalValues.js";
import { followsVerlFormat } from "../../document/verlFormat.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
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
      fixes: ["fused_triton", "fused_quack"].flatMap((name) =>
        setFix(`Set moe_implementation to ${name}`, context, written.entry, name),
      ),
    },
  ];
}
