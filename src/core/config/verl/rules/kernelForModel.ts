import { textIn } from "../../document/literalValues.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
import { setFix } from "./switchFixes.js";

/** A kernel that the model named in the file is known not to run with. */
export const kernelForModel: BlockRule = {
  code: "kernel-for-model",
  severities: ["warning"],
  explanation:
    "Qwen3.5's linear attention cannot run packed sequences with the eager kernels that verl defaults to, and DeepSeek-V4 and Wan reject liger_kernel for rotary embeddings. The model is known here by its path only.",
  example: fileExample(
    "actor_rollout_ref:",
    "  model:",
    "    path: Qwen/Qwen3.5-35B-A3B",
    "  actor:",
    "    veomni:",
    "      causal_conv1d_implementation: eager",
  ),
  check: (context) => unsuitable.flatMap((each) => findingFor(context, each)),
};

interface Unsuitable {
  readonly model: RegExp;
  readonly key: string;
  readonly value: string;
  readonly better: string;
  readonly why: string;
}

const unsuitable: readonly Unsuitable[] = [
  {
    model: /qwen3[._-]?5(?![0-9])/i,
    key: "causal_conv1d_implementation",
    value: "eager",
    better: "fla",
    why: "the eager kernel cannot run Qwen3.5 on packed sequences",
  },
  {
    model: /qwen3[._-]?5(?![0-9])/i,
    key: "chunk_gated_delta_rule_implementation",
    value: "eager",
    better: "fla",
    why: "the eager kernel cannot run Qwen3.5 on packed sequences",
  },
  {
    model: /deepseek[._-]?v4|(?:^|[/_-])wan[\d._-]/i,
    key: "rotary_pos_emb_implementation",
    value: "liger_kernel",
    better: "eager",
    why: "this model rejects liger_kernel",
  },
];

function findingFor(context: BlockContext, { model, key, value, better, why }: Unsuitable): readonly Finding[] {
  const { block, document } = context;
  const path = textIn(document.root, block.model?.mapping, "path");
  if (path === undefined || !model.test(path)) return [];
  const written = writtenField(block, key);
  if (written === undefined || textIn(document.root, block.mapping, key) !== value) return [];
  return [
    {
      span: written.entry.span,
      severity: "warning",
      message: `${key}: ${why}.`,
      fixes: setFix(`Set ${key} to ${better}`, context, written.entry, better),
    },
  ];
}
