import { counted, formatBytes, formatShare, grouped } from "../base/quantities.js";
import type { ValueHint } from "../config/assist/valueHints.js";
import type { ProfileDevice, ProfileResult, ProfileRun } from "./result.js";
import { keptActivationBytes, memoryDifference, stepDifference } from "./runFigures.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD } from "./strategies.js";

/** A key of an engine block, and what a profile says about it. */
interface MeasuredKey {
  readonly key: RegExp;
  label(run: ProfileRun, baseline: ProfileRun, result: ProfileResult): string;
}

const KEYS: readonly MeasuredKey[] = [
  { key: /^enable_async_activation_offload$/, label: paysOff },
  { key: /^activation_offload_modules$/, label: copies },
  { key: /^activation_offload_host_cache_limit_gb$/, label: hostMemory },
];

/**
 * Grey text behind the keys of an engine block: what the last profile of that block found, each with the device it ran on.
 * `blockText` is the YAML of the block, which starts at offset `blockStart` of its document; only keys that stand on a line
 * of their own are found. Empty where the profile compared no run of VeOmni's offload with its baseline.
 */
export function measuredHints(blockText: string, blockStart: number, result: ProfileResult): readonly ValueHint[] {
  const run = result.runs.find(({ strategy }) => strategy === ASYNC_OFFLOAD);
  const baseline = result.runs.find(
    ({ strategy, gradientCheckpointing }) =>
      strategy === NO_OFFLOAD && gradientCheckpointing === run?.gradientCheckpointing,
  );
  if (run === undefined || baseline === undefined) return [];
  return keyLines(blockText).flatMap(({ key, end }) => {
    const measured = KEYS.find((candidate) => candidate.key.test(key));
    if (measured === undefined) return [];
    const label = measured.label(run, baseline, result);
    return [{ offset: blockStart + end, label, tooltip: tooltipOf(result, run) }];
  });
}

/** Keys in block style, with the end of what stands on their line before a comment. */
function keyLines(text: string): readonly { readonly key: string; readonly end: number }[] {
  const lines: { key: string; end: number }[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const key = /^\s*(\w+)\s*:(?=\s|$)/.exec(line)?.[1];
    if (key !== undefined) lines.push({ key, end: start + line.replace(/\s+#.*$/, "").trimEnd().length });
    start += line.length + 1;
  }
  return lines;
}

function paysOff(run: ProfileRun, baseline: ProfileRun, result: ProfileResult): string {
  const bytes = memoryDifference(run, baseline, keptActivationBytes);
  return `${bytes} after forward, step ${stepDifference(result, run, baseline)} · ${badgeOf(result.device)}`;
}

function copies(run: ProfileRun, _baseline: ProfileRun, { device }: ProfileResult): string {
  const { d2h, h2d } = run.copies;
  if (d2h.count === 0) return `nothing is copied · ${badgeOf(device)}`;
  const busyNs = d2h.busyNs + h2d.busyNs;
  const hidden = busyNs > 0 ? `, ${formatShare((d2h.hiddenNs + h2d.hiddenNs) / busyNs)} hidden` : "";
  return `${grouped(d2h.count)} × ${formatBytes(d2h.bytes / d2h.count)} each way${hidden} · ${badgeOf(device)}`;
}

function hostMemory({ pool, hostAllocator }: ProfileRun, _baseline: ProfileRun, { device }: ProfileResult): string {
  const reuses = pool === null ? "" : `${grouped(pool.allocations)} new, ${grouped(pool.reuses)} reused; `;
  return `${reuses}${formatBytes(hostAllocator?.bytesHeld ?? 0)} pinned · ${badgeOf(device)}`;
}

/** `measured on cuda, driver 580.65.06`; `simulated H200`. */
function badgeOf(device: ProfileDevice): string {
  if (device.kind === "sim") return `simulated ${device.name}`;
  return `measured on ${device.kind}${device.driver === null ? "" : `, driver ${device.driver}`}`;
}

function tooltipOf({ device, workload, model }: ProfileResult, run: ProfileRun): string {
  const lengths = workload.seqLens.map(grouped).join(", ");
  const checkpointing = run.gradientCheckpointing ? "on" : "off";
  return [
    `The last profile of this block, on ${plain(device.name)} (${badgeOf(device)}):`,
    `${counted(model.layers, "layer")}, ${lengths} ${lengths === "1" ? "token" : "tokens"}, micro-batch ${workload.microBatch}, checkpointing ${checkpointing},`,
    `${counted(run.steps ?? workload.steps, "step")}, compared with the same run without offload.`,
    "It goes when the block changes.",
  ].join(" ");
}

/** Names come from the system: no markup. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&");
}
