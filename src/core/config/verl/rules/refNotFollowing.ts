import { asMapping, entryOf, isDeferred, nodeAt, scalarOf } from "../../document/configNode.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { refNotFollowingKeys } from "../fields/verlHomes.js";
import { writtenField } from "../writtenFields.js";
import { putFix } from "./switchFixes.js";

/** A key of the actor that its reference policy does not take over. */
export const refNotFollowing: BlockRule = {
  code: "ref-not-following",
  severities: ["information"],
  explanation:
    "verl copies 14 keys from the actor's block to the reference policy's. The kernel selectors for Qwen3.5 and DeepSeek-V4, mixed_precision, init_device, enable_fsdp_offload and basic_modules are not among them, so both policies may run different kernels.",
  example: fileExample(
    "actor_rollout_ref:",
    "  actor:",
    "    veomni:",
    "      chunk_gated_delta_rule_implementation: fla",
    "  ref:",
    "    veomni:",
    "      param_offload: true",
  ),
  check: (context) => {
    if (context.block.role !== "actor") return [];
    return refNotFollowingKeys.flatMap((key) => findingFor(context, key));
  },
};

function findingFor(context: BlockContext, key: string): readonly Finding[] {
  const { block, document } = context;
  const written = writtenField(block, key);
  if (written === undefined || isDeferred(written.entry.value) || isDefault(written)) return [];
  const refPath = [...block.path.split(".").slice(0, -2), "ref"];
  const ref = asMapping(nodeAt(document.root, refPath));
  const refBlock = asMapping(entryOf(ref, "veomni")?.value);
  if (ref === undefined || refPath.length < 2 || entryOf(refBlock, key) !== undefined) return [];
  const reference = `\${${block.path}.${key}}`;
  return [
    {
      span: written.entry.span,
      severity: "information",
      message: `The reference policy does not take over ${key}; it keeps its own default.`,
      fixes: putFix(`Let ref follow the actor`, context, refBlock, key, reference),
    },
  ];
}

function isDefault(written: NonNullable<ReturnType<typeof writtenField>>): boolean {
  const { field, entry } = written;
  if (field?.type === "list[str]") return entry.value.kind === "sequence" && entry.value.items.length === 0;
  const value = scalarOf(entry.value);
  return value === undefined || value.type === "null" || value.value === field?.yamlDefault;
}
