import { z } from "zod";
import { MEMORY_PARTS } from "../../base/memoryParts.js";
import { STEP_PHASES } from "../../profile/result.js";
import { STRATEGY_NAMES } from "../../profile/strategies.js";
import { ROLE_ORDER } from "../columns/laneWork.js";
import type { ContainerHeader, ContainerTimeline } from "./container.js";

/* The header of a saved profile, checked member by member: a file on disk is not trusted to match the types. */

/** Beyond 2^53 ns a column could not tell neighbouring nanoseconds apart; no recording is longer than a hundred days. */
export const MOST_NS = 2 ** 53;

const count = z.number().int().nonnegative();
const amount = z.number().nonnegative();
const text = z.string().max(4096);

const copyTotals = z.object({ count, bytes: amount, busyNs: amount, hiddenNs: amount, exposedNs: amount });

const layerCopies = z.object({
  layer: z.number().int().min(-1),
  d2h: copyTotals,
  h2d: copyTotals,
  hostStallNs: amount,
  streamStallNs: amount,
});

const phase = z.enum(STEP_PHASES);

export const containerRun = z.object({
  strategy: z.enum(STRATEGY_NAMES),
  gradientCheckpointing: z.boolean(),
  patterns: z.array(text).nullable(),
  cacheLimitBytes: amount.nullable(),
  doubleBufferKey: z.exactOptional(z.enum(["layout", "original"])),
  steps: z.exactOptional(count),
  stepMs: z.object({
    median: amount,
    samples: z.array(amount),
    stable: z.exactOptional(z.boolean()),
    range: z.exactOptional(z.tuple([amount, amount])),
  }),
  staticBytes: amount,
  afterForwardBytes: amount,
  peakBytes: amount,
  phases: z.exactOptional(
    z.array(z.object({ phase, microBatch: count, ms: amount, peakBytes: amount, endBytes: amount })).max(65_536),
  ),
  peak: z.exactOptional(
    z.object({
      phase,
      microBatch: count,
      parts: z.array(z.object({ what: z.enum(MEMORY_PARTS), bytes: amount, count })).max(MEMORY_PARTS.length),
    }),
  ),
  firstStepPeakBytes: z.exactOptional(amount),
  pinnedPeakBytes: amount,
  scratchBytes: amount,
  pool: z.object({ allocations: count, reuses: count, evictions: count, drops: count }).nullable(),
  hostAllocator: z.object({ allocations: count, bytesHeld: amount }).nullable(),
  hostStallMs: amount,
  streamStallMs: amount,
  gradients: z.object({ checksum: text, equalToBaseline: z.boolean().nullable(), reason: z.exactOptional(text) }),
  copies: z.object({ d2h: copyTotals, h2d: copyTotals }),
  layers: z.exactOptional(z.array(layerCopies).max(2048)),
  exactness: z.exactOptional(
    z.object({
      bytes: z.enum(["exact", "estimated"]),
      counters: z.enum(["exact", "estimated"]),
      times: z.literal("estimated"),
      timeShare: amount,
    }),
  ),
  fitsDevice: z.exactOptional(z.boolean()),
});

const device = z.object({
  kind: z.enum(["cuda", "cpu", "sim"]),
  name: text,
  driver: text.nullable(),
  d2hGBps: amount.nullable(),
  h2dGBps: amount.nullable(),
  matmul: text,
  numaNode: z.exactOptional(amount),
  source: z.exactOptional(text),
  memoryBytes: z.exactOptional(amount),
});

const model = z.object({
  modelType: text,
  architecture: text,
  hiddenSize: count,
  residualStreams: z.exactOptional(count),
  intermediateSize: count,
  layers: count,
  heads: count,
  keyValueHeads: count,
  headDim: count,
  vocabSize: count,
  qkNorm: z.boolean(),
  attentionBias: z.boolean(),
  tiedEmbeddings: z.boolean(),
  bytesPerElement: count,
  opModel: text,
});

const result = z.object({
  schema: z.literal("offload-profile/1"),
  device,
  model,
  workload: z.object({
    seqLens: z.array(count),
    microBatch: count,
    steps: count,
    warmup: count,
    seed: z.number(),
    packedTokens: z.exactOptional(count),
    head: z.exactOptional(text),
    entropy: z.exactOptional(text),
    optimizer: z.exactOptional(text),
    master: z.exactOptional(z.enum(["bf16", "fp32"])),
    accumulation: z.exactOptional(count),
    reduce: z.exactOptional(z.enum(["each", "last"])),
    pass: z.exactOptional(z.enum(["train", "logprob"])),
    worldSize: z.exactOptional(count),
    sequenceParallel: z.exactOptional(count),
  }),
  runs: z.array(containerRun).min(1).max(1024),
  warnings: z.array(z.object({ code: text, message: text })),
});

/** Where a column lies. */
export const columnRefSchema = z.object({ type: z.enum(["f64", "u32", "i32", "u8"]), offset: count, length: count });

/** Texts of imported traces: an import cuts names (`MAX_NAME_BYTES`) and puts at most two and a word together. */
const name = z.string().max(65_536);

const lane = z.object({
  role: z.enum(ROLE_ORDER),
  stream: name,
  device: z.exactOptional(count),
  process: z.exactOptional(name),
});

/** Sums of two times that a column may hold. */
const timeNs = z
  .number()
  .min(-2 * MOST_NS)
  .max(2 * MOST_NS);

const memoryCurve = z.object({
  of: z.enum(["device", "pinned", "host"]),
  device: z.exactOptional(count),
  timeNs: columnRefSchema,
  bytes: columnRefSchema,
  parts: z.exactOptional(
    z.object({
      names: z.array(z.enum(MEMORY_PARTS)).max(MEMORY_PARTS.length),
      startBytes: z.array(amount).max(MEMORY_PARTS.length),
      part: columnRefSchema,
      partBytes: columnRefSchema,
    }),
  ),
});

/** One timeline with its columns, in saved profiles and in saved traces. */
export const storedTimelineSchema: z.ZodType<ContainerTimeline> = z.object({
  run: count,
  lanes: z.array(lane).max(4096),
  strings: z.array(name),
  spans: z
    .array(
      z.object({
        kind: z.enum(["step", "forward", "backward", "optimizer"]),
        label: text,
        startNs: timeNs,
        endNs: timeNs,
      }),
    )
    // As many as an import can recognise: 10,000 steps of 512 phases.
    .max(2 ** 23),
  events: z.object({
    startNs: columnRefSchema,
    durationNs: columnRefSchema,
    lane: columnRefSchema,
    name: columnRefSchema,
    layer: columnRefSchema,
    bytes: columnRefSchema,
    kind: columnRefSchema,
    dependsOn: columnRefSchema,
  }),
  memory: z.array(memoryCurve).max(64),
});

/** Accepts exactly what `ContainerHeader` promises; members that it does not know are dropped. */
export const containerHeaderSchema: z.ZodType<ContainerHeader> = z.object({
  format: z.literal("offload-container/1"),
  result,
  timelines: z.array(storedTimelineSchema).max(1024),
});
