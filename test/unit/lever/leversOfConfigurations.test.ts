import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig, settingsOf } from "../../../src/core/config/readConfig.js";
import { blockRequest } from "../../../src/core/lever/leverRequest.js";
import type { LeverTable } from "../../../src/core/lever/leverTable.js";
import { runLevers } from "../../../src/core/lever/runLevers.js";
import { type GivenStep, jobStep } from "../../../src/core/workload/jobStep.js";
import { engine, MODELS, simulate } from "./engine.js";

/*
 * The lever that is named first, against a simulation of every single-key change that a reader of the configuration would think of. The
 * changes are written here by hand, in the text, and judged by their own arithmetic: nothing of the tables and of the order is asked.
 */

/** A change by hand: what stands in the text, or a line behind which something is added, and what stands there then. */
type Change = readonly [name: string, find: string, put: string];

interface Case {
  readonly path: string;
  readonly model: keyof typeof MODELS;
  readonly given?: GivenStep;
  readonly changes: readonly Change[];
  /** As recorded; `undefined`: nothing lowers the peak. */
  readonly first: string | undefined;
}

const actor = "actor_rollout_ref.actor";
const role = "actor_rollout_ref";

/** Behind the line `anchor`, with its indentation. */
function below(name: string, anchor: string, line: string): Change {
  const indentation = /^ */.exec(anchor)?.[0] ?? "";
  return [name, `${anchor}\n`, `${anchor}\n${indentation}${line}\n`];
}

function verlSwitches(anchor: string): readonly Change[] {
  const names = ["entropy_from_logits_with_chunking", "use_torch_compile", "param_offload", "optimizer_offload"];
  return names.map((name) => below(`${actor}.veomni.${name} = true`, anchor, `${name}: true`));
}

const nodes: Change = ["trainer.nnodes = 2", "nnodes: 1", "nnodes: 2"];

const cases: readonly Case[] = [
  {
    path: "levers/verl-entropy.yaml",
    model: "small",
    first: `${role}.model.use_fused_kernels = true`,
    changes: [
      ...verlSwitches("      enable_async_activation_offload: false"),
      below(`${actor}.veomni.entropy_checkpointing = true`, "    veomni:", "  entropy_checkpointing: true"),
      below(`${role}.model.use_fused_kernels = true`, "    path: /models/Qwen3-0.6B", "use_fused_kernels: true"),
      [`${actor}.veomni.enable_async_activation_offload = true`, "offload: false", "offload: true"],
      [`${actor}.ppo_micro_batch_size_per_gpu = 1`, "per_gpu: 2", "per_gpu: 1"],
      nodes,
    ],
  },
  {
    path: "levers/verl-checkpointed.yaml",
    model: "large",
    first: `${actor}.ppo_micro_batch_size_per_gpu = 4`,
    changes: [
      [`${actor}.veomni.entropy_checkpointing = false`, "checkpointing: true", "checkpointing: false"],
      [`${actor}.veomni.enable_async_activation_offload = false`, "offload: true", "offload: false"],
      [`${actor}.ppo_micro_batch_size_per_gpu = 4`, "per_gpu: 8", "per_gpu: 4"],
      [`${actor}.ppo_micro_batch_size_per_gpu = 1`, "per_gpu: 8", "per_gpu: 1"],
      nodes,
    ],
  },
  {
    path: "levers/verl-trap.yaml",
    model: "small",
    first: `${actor}.veomni.cross_entropy_loss_implementation = chunk_loss`,
    changes: [
      ["param", "param_offload: true", "param_offload: false"],
      [`${role}.model.use_fused_kernels = false`, "kernels: true", "kernels: false"],
      [
        `${actor}.veomni.enable_async_activation_offload = false`,
        "activation_offload: true",
        "activation_offload: false",
      ],
      below(
        `${actor}.veomni.cross_entropy_loss_implementation = chunk_loss`,
        "      param_offload: true",
        "cross_entropy_loss_implementation: chunk_loss",
      ),
      nodes,
    ],
  },
  {
    path: "levers/verl-sft.yaml",
    model: "small",
    first: "data.micro_batch_size_per_gpu = 1",
    changes: [
      ["engine.enable_async_activation_offload = true", "offload: false", "offload: true"],
      ["data.micro_batch_size_per_gpu = 1", "per_gpu: 2", "per_gpu: 1"],
      ["model.use_fused_kernels = true", "kernels: false", "kernels: true"],
      nodes,
    ],
  },
  {
    path: "levers/veomni-eager.yaml",
    model: "large",
    first: "model.ops_implementation.cross_entropy_loss_implementation = liger_kernel",
    changes: [
      ["model.ops_implementation.cross_entropy_loss_implementation = liger_kernel", ": eager", ": liger_kernel"],
      ["model.ops_implementation.cross_entropy_loss_implementation = chunk_loss", ": eager", ": chunk_loss"],
      ["model.accelerator.offload_config.enable_async_activation = false", "activation: true", "activation: false"],
      ["model.accelerator.dp_shard_size = 16", "shard_size: 8", "shard_size: 16"],
    ],
  },
  {
    path: "levers/veomni-no-checkpointing.yaml",
    model: "small",
    first: "model.accelerator.gradient_checkpointing.enable = true",
    changes: [
      ["model.accelerator.gradient_checkpointing.enable = true", "enable: false", "enable: true"],
      ["model.ops_implementation.cross_entropy_loss_implementation = liger_kernel", ": chunk_loss", ": liger_kernel"],
      ["model.accelerator.dp_shard_size = 8", "shard_size: 4", "shard_size: 8"],
      ["train.micro_batch_size = 2", "micro_batch_size: 4", "micro_batch_size: 2"],
      ["train.micro_batch_size = 1", "micro_batch_size: 4", "micro_batch_size: 1"],
    ],
  },
  {
    path: "workload/whole-call.sh",
    model: "large",
    first: "trainer.nnodes = 2",
    changes: [
      ["trainer.nnodes = 2", "model_engine=veomni", "model_engine=veomni trainer.nnodes=2"],
      [`${role}.model.use_fused_kernels = true`, "=veomni", `=veomni ${role}.model.use_fused_kernels=True`],
      [`${actor}.ppo_micro_batch_size_per_gpu = 1`, "per_gpu=2", "per_gpu=1"],
      [`${actor}.veomni.entropy_from_logits_chunk_size = 128`, "chunk_size=512", "chunk_size=128"],
      [`${actor}.veomni.entropy_from_logits_with_chunking = false`, "chunking=True", "chunking=False"],
    ],
  },
  {
    path: "workload/dynamic.yaml",
    model: "large",
    first: `${role}.model.use_fused_kernels = true`,
    changes: [
      ...verlSwitches("      enable_async_activation_offload: true"),
      below(`${role}.model.use_fused_kernels = true`, "    path: /models/Qwen3-8B", "use_fused_kernels: true"),
      [`${actor}.ppo_max_token_len_per_gpu = 8192`, "gpu: 16384", "gpu: 8192"],
      [`${actor}.ppo_max_token_len_per_gpu = 4096`, "gpu: 16384", "gpu: 4096"],
      ["trainer.nnodes = 4", "nnodes: 2", "nnodes: 4"],
    ],
  },
  {
    path: "veomni/train-scoped+async.good.yaml",
    model: "small",
    given: { seqLen: 16_384, ranks: 8 },
    first: undefined,
    changes: [
      ["train.gradient_checkpointing.enable = false", "enable: true", "enable: false"],
      ["train.accelerator.offload_config.enable_async_activation = false", "activation: true", "activation: false"],
      below(
        "model.ops_implementation.cross_entropy_loss_implementation = chunk_loss",
        "  model_path: Qwen3-8B",
        "ops_implementation: {cross_entropy_loss_implementation: chunk_loss}",
      ),
    ],
  },
  {
    path: "veomni/configs/text/qwen3.yaml",
    model: "large",
    given: { seqLen: 8192, ranks: 8 },
    first: undefined,
    changes: [
      below(
        "train.gradient_checkpointing.enable = false",
        "  optimizer:",
        "  lr_min: 1.0e-6\n  gradient_checkpointing: {enable: false}",
      ),
      below(
        "model.ops_implementation.cross_entropy_loss_implementation = eager",
        "    attn_implementation: flash_attention_2",
        "cross_entropy_loss_implementation: eager",
      ),
    ],
  },
];

interface Point {
  readonly peakBytes: number;
  /** GPU time for one token of the job. */
  readonly costMs: number;
}

async function pointOf(text: string, { path, model, given }: Case): Promise<Point | undefined> {
  const [block] = settingsOf(readConfig(path, text) ?? { path, text, options: {}, fences: [] });
  if (block === undefined) return undefined;
  const asked = blockRequest(MODELS[model], block, jobStep(given ?? {}, block), "sim:H200");
  const result = asked.ok ? await simulate(asked.value.request) : asked;
  if (!asked.ok || !result.ok) return undefined;
  const { request, scope } = asked.value;
  const [run] = result.value.runs.slice(-1);
  if (run === undefined) return undefined;
  const tailMs = (run.phases ?? [])
    .filter(({ phase }) => phase === "clip" || phase === "optimizer")
    .reduce((sum, { ms }) => sum + ms, 0);
  const simulated = request.accumulation ?? 1;
  const all = scope.accumulation ?? simulated;
  const ms = ((run.stepMs.median - tailMs) * all) / simulated + tailMs;
  const seq = request.seqLens?.[0] ?? 1;
  const share = seq / (request.sequenceParallel ?? 1);
  const tokensOfGpu = all * (request.microBatch ?? 1) * share;
  return { peakBytes: run.peakBytes, costMs: ms / tokensOfGpu };
}

/** By hand: the most bytes for the time, of which a tenth of a step is nothing that a simulation knows. */
async function bestByHand(text: string, each: Case): Promise<string | undefined> {
  const before = await pointOf(text, each);
  if (before === undefined) throw new Error(`${each.path} does not run`);
  let best: { readonly name: string; readonly score: number } | undefined;
  for (const [name, find, put] of each.changes) {
    expect(text, `${each.path}: ${name}`).toContain(find);
    const after = await pointOf(text.replace(find, put), each);
    if (after === undefined) throw new Error(`${each.path} does not run with ${name}`);
    const saved = before.peakBytes - after.peakBytes;
    const longer = after.costMs / before.costMs - 1;
    const score = saved / Math.max(longer, 0.1);
    if (saved > before.peakBytes * 0.005 && score > (best?.score ?? 0)) best = { name, score };
  }
  return best?.name;
}

async function tableOf(text: string, each: Case): Promise<LeverTable> {
  const { path, model, given = {} } = each;
  const read = readConfig(path, text);
  const [block] = read === undefined ? [] : settingsOf(read);
  if (read === undefined || block === undefined) throw new Error(`${path} has no block`);
  const requestOf = (changed: typeof block) =>
    blockRequest(MODELS[model], changed, jobStep(given, changed), "sim:H200");
  const table = await runLevers(simulate, { read, block, environment: {}, options: {}, requestOf });
  if (!table.ok) throw new Error(JSON.stringify(table.problem));
  return table.value;
}

describe.skipIf(engine === undefined)("the lever that is named first has the largest effect", () => {
  it.each(cases)(
    "$path",
    async (each) => {
      const text = readFileSync(`test/fixtures/config/${each.path}`, "utf8");
      const { levers } = await tableOf(text, each);
      const [first] = levers;
      const name = first && `${first.key} = ${String(first.value)}`;
      expect(name).toBe(each.first);
      expect(await bestByHand(text, each)).toBe(each.first);
    },
    120_000,
  );

  it("writes each lever as an edit after which the file says just that", async () => {
    for (const each of cases) {
      const text = readFileSync(`test/fixtures/config/${each.path}`, "utf8");
      const { levers } = await tableOf(text, each);
      for (const { edit, peakBytesAfter, key } of levers) {
        const changed = text.slice(0, edit.span.start) + edit.newText + text.slice(edit.span.end);
        expect((await pointOf(changed, each))?.peakBytes, `${each.path}: ${key}`).toBe(peakBytesAfter);
      }
    }
  }, 120_000);
});
