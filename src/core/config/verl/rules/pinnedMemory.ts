import type { QuickFix } from "../../document/diagnostic.js";
import { ranksOf } from "../../document/literalValues.js";
import type { OffloadCache } from "../../rules/cacheHoards.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { offloadCacheKey, offloadCacheOf } from "./offloadCache.js";
import { putFix } from "./switchFixes.js";

const bytesPerGb = 2 ** 30;
/** Above this part of host memory the pinned cache leaves too little for data loaders, weights in transit and the system. */
const largeShare = 0.5;

/** Idle pinned caches of all ranks of a node against its host memory. */
export const pinnedMemory: BlockRule = {
  code: "pinned-memory",
  severities: ["warning", "information"],
  explanation:
    "The limit holds per rank and per engine, in units of 2^30 bytes, and bounds only the idle buffers: those in flight and the rounding of PyTorch's pinned allocator come on top. Pinned memory cannot be swapped out.",
  example: {
    ...fileExample(
      "trainer:",
      "  n_gpus_per_node: 8",
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      enable_async_activation_offload: true",
      "      activation_offload_host_cache_limit_gb: 32",
    ),
    options: { hostMemoryBytes: 128 * bytesPerGb },
  },
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const memory = context.options?.hostMemoryBytes;
  const ranks = ranksOf(context.document.root).perNode;
  const cache = offloadCacheOf(context);
  if (memory === undefined || ranks === undefined || cache === undefined || !Number.isFinite(memory)) return [];
  const bytes = ranks * totalGb(context) * bytesPerGb;
  if (bytes <= memory * largeShare || cache.limitGb === 0) return [];
  const isTooMuch = bytes > memory;
  return [
    {
      span: cache.entry.span,
      severity: isTooMuch ? "warning" : "information",
      message: `${ranks} ranks per node may pin ${inGib(bytes)} GiB of idle buffers${others(context)}; ${isTooMuch ? "this machine has only" : "that is more than half of this machine's"} ${inGib(memory)} GiB.`,
      fixes: lowerFix(context, cache, ranks, memory),
    },
  ];
}

/** All engines of a job keep a cache of their own in the same processes. */
function totalGb(context: BlockContext): number {
  const limits = context.kind.blocks.map(
    (block) => offloadCacheOf({ block, document: context.document })?.limitGb ?? 0,
  );
  return limits.reduce((sum, limit) => sum + limit, 0);
}

function others(context: BlockContext): string {
  const count = context.kind.blocks.filter(
    (block) => offloadCacheOf({ block, document: context.document }) !== undefined,
  ).length;
  return count > 1 ? ` (${count} engines)` : "";
}

/** A quarter of host memory, shared by ranks and engines. */
function lowerFix(context: BlockContext, cache: OffloadCache, ranks: number, memory: number): readonly QuickFix[] {
  const share = (memory / bytesPerGb / 4) * (cache.limitGb / totalGb(context));
  const limit = Math.floor((share / ranks) * 4) / 4;
  const text = limit.toFixed(2).replace(/0$/, "");
  return putFix(`Set ${offloadCacheKey} to ${text}`, context, context.block.mapping, offloadCacheKey, text);
}

function inGib(bytes: number): string {
  return String(Number((bytes / bytesPerGb).toFixed(1)));
}
