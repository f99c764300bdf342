import { booleanIn, integerIn, ranksOf } from "../../document/literalValues.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
import { setFix } from "./switchFixes.js";

/** Parallel sizes that do not divide the ranks, where the file gives both. */
export const parallelSizes: BlockRule = {
  code: "parallel-sizes",
  severities: ["error"],
  explanation:
    "ulysses_parallel_size must divide the ranks; what remains is the data-parallel size. An fsdp_size below it must divide it, and expert_parallel_size must divide shard size times sequence-parallel size. A critic without dynamic batch needs micro-batch times ulysses_parallel_size of at least the GPUs.",
  example: fileExample(
    "trainer:",
    "  nnodes: 1",
    "  n_gpus_per_node: 8",
    "actor_rollout_ref:",
    "  actor:",
    "    veomni:",
    "      ulysses_parallel_size: 3",
  ),
  check: (context) => {
    const { world } = ranksOf(context.document.root);
    return world === undefined ? [] : findingsFor(context, world);
  },
};

function findingsFor(context: BlockContext, world: number): readonly Finding[] {
  const sequence = sizeOf(context, "ulysses_parallel_size") ?? 1;
  if (sequence < 1) return [];
  if (world % sequence !== 0) {
    const why = `${sequence} does not divide the ${world} ranks`;
    return findingAt(context, "ulysses_parallel_size", why, String(commonDivisor(world, sequence)));
  }
  const dataParallel = world / sequence;
  const fsdp = sizeOf(context, "fsdp_size") ?? -1;
  const isShard = fsdp > 0 && fsdp < dataParallel;
  if (isShard && dataParallel % fsdp !== 0) {
    return findingAt(context, "fsdp_size", `${fsdp} does not divide the data-parallel size ${dataParallel}`, "-1");
  }
  const group = (isShard ? fsdp : dataParallel) * sequence;
  const experts = sizeOf(context, "expert_parallel_size") ?? 1;
  if (experts > 0 && group % experts !== 0) {
    const why = `${experts} does not divide shard size times sequence-parallel size, ${group}`;
    return findingAt(context, "expert_parallel_size", why, String(commonDivisor(group, experts)));
  }
  return criticBatch(context, world, sequence);
}

function criticBatch(context: BlockContext, world: number, sequence: number): readonly Finding[] {
  const { block, document } = context;
  if (block.role !== "critic" || booleanIn(document.root, block.parent, "use_dynamic_bsz") !== false) return [];
  const batch = integerIn(document.root, block.parent, "ppo_micro_batch_size");
  const entry = block.parent?.entries.find((each) => each.key === "ppo_micro_batch_size");
  if (batch === undefined || entry === undefined || batch * sequence >= world) return [];
  return [
    {
      span: entry.span,
      severity: "error",
      message: `The critic fails at start-up: ppo_micro_batch_size ${batch} times ulysses_parallel_size ${sequence} is less than the ${world} GPUs.`,
      fixes: setFix(`Set ppo_micro_batch_size to ${world}`, context, entry, String(world)),
    },
  ];
}

function sizeOf(context: BlockContext, key: string): number | undefined {
  return integerIn(context.document.root, context.block.mapping, key);
}

function findingAt(context: BlockContext, key: string, why: string, better: string): readonly Finding[] {
  const written = writtenField(context.block, key);
  if (written === undefined) return [];
  return [
    {
      span: written.entry.value.span,
      severity: "error",
      message: `${key}: ${why}, so the start-up fails.`,
      fixes: setFix(`Set ${key} to ${better}`, context, written.entry, better),
    },
  ];
}

function commonDivisor(left: number, right: number): number {
  return right === 0 ? left : commonDivisor(right, left % right);
}
