import type { CopyTotals, ProfileResult, ProfileRun } from "../../../src/core/profile/result.js";
import type { Timeline, TimelineSpan } from "../../../src/core/timeline/columns/columns.js";
import { EventKind } from "../../../src/core/timeline/columns/eventKind.js";
import { type CoveredMetrics, measureTimeline } from "../../../src/core/timeline/metrics/metrics.js";
import { type SampleEvent, timelineOf } from "../timeline/columnSamples.js";
import { writeContainer } from "./containerWriter.js";

/*
 * A made-up profile with the shape of a real one: a small decoder, a forward and a backward pass, copies that wait for
 * compute and a last few that compute cannot hide. Nothing in it was measured.
 */

const MIB = 1024 * 1024;
const STATIC_BYTES = 310 * MIB;
const INPUT_BYTES = 8 * MIB;
const OPERATORS = [
  ["input_layernorm", 60],
  ["self_attn.q_proj", 190],
  ["self_attn.k_proj", 100],
  ["self_attn.v_proj", 100],
  ["self_attn.attention", 420],
  ["self_attn.o_proj", 190],
  ["post_attention_layernorm", 60],
  ["mlp.gate_proj", 310],
  ["mlp.up_proj", 310],
  ["mlp.silu", 45],
  ["mlp.down_proj", 320],
] as const;

class StepBuilder {
  readonly events: SampleEvent[] = [];
  readonly device: [number, number][] = [];
  readonly pinned: [number, number][] = [];
  clockNs = 0;
  liveBytes = STATIC_BYTES;
  pinnedBytes = 0;

  add(event: SampleEvent): SampleEvent {
    this.events.push(event);
    return event;
  }

  allocate(bytes: number, atNs = this.clockNs): void {
    this.liveBytes += bytes;
    this.device.push([atNs, this.liveBytes]);
  }

  pin(bytes: number): void {
    this.pinnedBytes += bytes;
    this.pinned.push([this.clockNs, this.pinnedBytes]);
  }

  layer(layer: number, suffix: string, slowdown: number): SampleEvent {
    let last: SampleEvent | undefined;
    for (const [operator, us] of OPERATORS) {
      const durationNs = us * 1000 * slowdown;
      const name = `model.layers.${layer}.${operator}${suffix}`;
      last = this.add({ lane: 0, startNs: this.clockNs, durationNs, name, layer });
      this.clockNs += durationNs + 4_000;
    }
    return last ?? this.add({ lane: 0, startNs: this.clockNs, durationNs: 0 });
  }
}

/** One step. `offload` moves each layer's input out in forward and back in backward; `layers` sets the length. */
export function sampleTimeline(offload: boolean, checkpointing: boolean, layers: number): Timeline {
  const step = new StepBuilder();
  step.device.push([0, STATIC_BYTES]);
  step.pinned.push([0, 0]);
  const keptBytes = checkpointing ? INPUT_BYTES : INPUT_BYTES * 9;
  step.add({ lane: 0, startNs: 0, durationNs: 150_000, name: "model.embed_tokens" });
  step.clockNs = 160_000;
  const copies = forward(step, offload, keptBytes, layers);
  const backwardNs = step.clockNs;
  backward(step, copies, keptBytes, layers, checkpointing);
  const spans: TimelineSpan[] = [
    { kind: "step", label: "step 4", startNs: 0, endNs: step.clockNs },
    { kind: "forward", label: "forward", startNs: 0, endNs: backwardNs },
    { kind: "backward", label: "backward", startNs: backwardNs, endNs: step.clockNs },
  ];
  const curve = (of: "device" | "pinned", points: [number, number][]) => {
    const sorted = [...points].sort((a, b) => a[0] - b[0]);
    return { of, timeNs: Float64Array.from(sorted, (p) => p[0]), bytes: Float64Array.from(sorted, (p) => p[1]) };
  };
  return {
    ...timelineOf(step.events),
    spans,
    memory: [curve("device", step.device), curve("pinned", step.pinned)],
  };
}

function forward(step: StepBuilder, offload: boolean, keptBytes: number, layers: number): (SampleEvent | undefined)[] {
  const copies: (SampleEvent | undefined)[] = [];
  let linkFreeNs = 0;
  for (let layer = 0; layer < layers; layer++) {
    step.allocate(keptBytes);
    let copy: SampleEvent | undefined;
    if (offload && layer < layers - 1) {
      const allocated = step.add({
        lane: 3,
        startNs: step.clockNs,
        durationNs: 35_000,
        name: "pinned allocation",
        kind: EventKind.pinnedAllocation,
        bytes: INPUT_BYTES,
        layer,
      });
      step.pin(INPUT_BYTES);
      const startNs = Math.max(step.clockNs + 36_000, linkFreeNs);
      const name = `offload model.layers.${layer} input`;
      copy = step.add({
        lane: 1,
        startNs,
        durationNs: 1_450_000,
        name,
        layer,
        bytes: INPUT_BYTES,
        dependsOn: allocated,
      });
      linkFreeNs = startNs + 1_450_000;
    }
    copies.push(copy);
    const last = step.layer(layer, "", 1);
    if (copy !== undefined) step.allocate(-INPUT_BYTES, Math.max(last.startNs, copy.startNs + copy.durationNs));
  }
  step.add({ lane: 0, startNs: step.clockNs, durationNs: 80_000, name: "model.norm" });
  step.clockNs += 80_000;
  const lastCopy = copies.findLast((copy) => copy !== undefined);
  const waitUntilNs = lastCopy === undefined ? 0 : lastCopy.startNs + lastCopy.durationNs;
  if (lastCopy !== undefined && waitUntilNs > step.clockNs) {
    const durationNs = waitUntilNs - step.clockNs;
    step.add({ lane: 3, startNs: step.clockNs, durationNs, name: "wait for offload", dependsOn: lastCopy });
    step.clockNs = waitUntilNs;
  }
  return copies;
}

function backward(
  step: StepBuilder,
  copies: readonly (SampleEvent | undefined)[],
  keptBytes: number,
  layers: number,
  checkpointing: boolean,
): void {
  const slowdown = 2;
  for (let layer = layers - 1; layer >= 0; layer--) {
    const copy = copies[layer];
    if (copy !== undefined) {
      const name = `onload model.layers.${layer} input`;
      const startNs = step.clockNs;
      const onload = step.add({
        lane: 2,
        startNs,
        durationNs: 1_300_000,
        name,
        layer,
        bytes: INPUT_BYTES,
        dependsOn: copy,
      });
      step.allocate(INPUT_BYTES);
      // The first one is asked for too late: compute stands still.
      if (layer >= layers - 3) {
        const waited = { lane: 0, startNs, durationNs: 1_300_000, name: "wait for onload", layer, dependsOn: onload };
        step.add({ ...waited, kind: EventKind.streamWait });
        step.clockNs += 1_300_000;
      }
    }
    if (checkpointing) {
      step.layer(layer, " (recomputed)", 1);
      step.allocate(INPUT_BYTES * 8);
    }
    step.layer(layer, " gradient", slowdown);
    step.allocate(checkpointing ? -INPUT_BYTES * 8 - keptBytes : -keptBytes);
    if (copy !== undefined) step.pin(-INPUT_BYTES);
  }
}

function runOf(strategy: "none" | "veomni_async", checkpointing: boolean, timeline: Timeline): ProfileRun {
  const { metrics } = measureTimeline(timeline);
  const device = timeline.memory[0];
  const forwardEnd = timeline.spans[1]?.endNs ?? 0;
  const before = device === undefined ? -1 : device.timeNs.findLastIndex((timeNs) => timeNs <= forwardEnd);
  const stepMs = (timeline.spans[0]?.endNs ?? 0) / 1e6;
  const offload = strategy === "veomni_async";
  return {
    strategy,
    gradientCheckpointing: checkpointing,
    patterns: offload ? ["model.layers.{*}"] : null,
    cacheLimitBytes: offload ? 4 * 1024 * MIB : null,
    stepMs: { median: stepMs, samples: [stepMs * 0.99, stepMs, stepMs * 1.02] },
    staticBytes: STATIC_BYTES,
    afterForwardBytes: device?.bytes[before] ?? STATIC_BYTES,
    peakBytes: Math.max(...(device?.bytes ?? [STATIC_BYTES])),
    pinnedPeakBytes: Math.max(...(timeline.memory[1]?.bytes ?? [0])),
    scratchBytes: 12 * MIB,
    pool: offload ? { allocations: 7, reuses: 28, evictions: 0, drops: 0 } : null,
    hostAllocator: offload ? { allocations: 7, bytesHeld: 7 * INPUT_BYTES } : null,
    hostStallMs: metrics.hostWaitNs / 1e6,
    streamStallMs: metrics.computeWaitNs / 1e6,
    gradients: { checksum: "9f86d081884c7d65", equalToBaseline: true },
    copies: { d2h: totals(metrics.d2h), h2d: totals(metrics.h2d) },
  };
}

function totals({ count, bytes, busyNs, hiddenNs, exposedNs }: CoveredMetrics): CopyTotals {
  return { count, bytes: bytes ?? 0, busyNs, hiddenNs, exposedNs };
}

/** Four runs (none and veomni_async, checkpointing on and off) of a made-up `layers`-layer model, each with its timeline. */
export function sampleProfile(layers = 8): { result: ProfileResult; timelines: Timeline[] } {
  const settings = [
    ["none", true],
    ["veomni_async", true],
    ["none", false],
    ["veomni_async", false],
  ] as const;
  const timelines = settings.map(([strategy, gc]) => sampleTimeline(strategy === "veomni_async", gc, layers));
  const runs = settings.map(([strategy, gc], at) =>
    runOf(strategy, gc, timelines[at] ?? sampleTimeline(false, gc, layers)),
  );
  return { result: { ...sampleResult(layers), runs }, timelines };
}

function sampleResult(layers: number): Omit<ProfileResult, "runs"> {
  return {
    schema: "offload-profile/1",
    device: {
      kind: "cpu",
      name: "Example CPU (2 cores)",
      driver: null,
      d2hGBps: 5.78,
      h2dGBps: 6.45,
      matmul: "built-in",
    },
    model: {
      modelType: "qwen3",
      architecture: "Qwen3ForCausalLM",
      hiddenSize: 1024,
      intermediateSize: 3072,
      layers,
      heads: 16,
      keyValueHeads: 8,
      headDim: 64,
      vocabSize: 151_936,
      qkNorm: true,
      attentionBias: false,
      tiedEmbeddings: true,
      bytesPerElement: 2,
      opModel: "hf-eager",
    },
    workload: { seqLens: [2048], microBatch: 2, steps: 5, warmup: 2, seed: 1 },
    warnings: [],
  };
}

/** The sample as the bytes of a `*.offload` file. */
export function sampleContainer(layers = 8): Uint8Array<ArrayBuffer> {
  const { result, timelines } = sampleProfile(layers);
  return writeContainer(
    result,
    timelines.map((timeline, run) => ({ run, timeline })),
  );
}
