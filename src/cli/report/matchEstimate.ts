import { counted, formatBytes } from "../../core/base/quantities.js";
import type { SelectionEstimate } from "../../core/modules/estimate/estimate.js";
import type { ModuleEstimate } from "../../core/modules/estimate/judgedModule.js";

/** What a selection does in a step, as lines of text for people. */
export function estimateLines(estimate: SelectionEstimate): readonly string[] {
  const { workload, totals, warnings } = estimate;
  const gc = workload.gradientCheckpointing ? "on" : "off";
  const head =
    `In a step of ${workload.microBatch} × ${workload.seqLen} tokens, gradient checkpointing ${gc}, ` +
    `hidden size ${estimate.hiddenSize ?? "unknown"}${streamsOf(estimate)}, ${workload.bytesPerElement} bytes per element:`;
  const pool = totals.firstStep;
  const later = totals.laterSteps;
  return [
    "",
    head,
    ...groups(estimate.modules).map((line) => `  ${line}`),
    `  freed after forward  ${totals.freedAfterForward.arithmetic}`,
    `  host buffers         ${totals.pinnedNeeded.arithmetic}`,
    `  pinned below         ${totals.pinnedBlocks.arithmetic}, blocks rounded up to powers of two`,
    `  pool limit           ${formatBytes(totals.cacheLimitBytes)}`,
    ...(pool === null || later === null
      ? []
      : [`  first step           ${countsOf(pool)}`, `  each later step      ${countsOf(later)}, while shapes repeat`]),
    ...warnings.map(({ code, message }) => `  ${code}: ${message}`),
  ];
}

function streamsOf({ residualStreams }: SelectionEstimate): string {
  if (residualStreams === null) return " in a layer's input of unknown size";
  return residualStreams === 1 ? "" : ` in ${residualStreams} residual streams`;
}

function countsOf(counts: NonNullable<SelectionEstimate["totals"]["firstStep"]>): string {
  const { allocations, reuses, evictions, drops } = counts;
  return `${counted(allocations, "allocation")}, ${counted(reuses, "reuse")}, ${counted(evictions, "eviction")}, ${counted(drops, "drop")}`;
}

/** One line for all modules of the same place in their layers to which the same happens, in the order of their first. */
function groups(modules: readonly ModuleEstimate[]): readonly string[] {
  const runs = new Map<string, ModuleEstimate[]>();
  for (const module of modules) {
    const { effect, copies, bytes, reason } = module;
    const key = JSON.stringify([module.name.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, "#"), effect, copies, bytes, reason]);
    const run = runs.get(key);
    if (run === undefined) runs.set(key, [module]);
    else run.push(module);
  }
  return Array.from(runs.values(), (run) => {
    const [first] = run;
    if (first === undefined) return "";
    const nameOf = (name: string) => (name === "" ? "(the model)" : name);
    const names = run.length === 1 ? nameOf(first.name) : `${nameOf(first.name)} … ${nameOf(run.at(-1)?.name ?? "")}`;
    return `${names}: ${whatOf(first, run.length)} (${first.reason})`;
  });
}

function whatOf({ effect, copies, bytes }: ModuleEstimate, count: number): string {
  if (effect === "nothing") return "nothing moves";
  if (effect === "stays") return "stays on the device";
  if (effect === "unknown") return "not known";
  const each = count > 1 ? " each" : "";
  return bytes === null
    ? `moves${each}, bytes unknown`
    : `${formatBytes(bytes)}${each} in ${counted(copies ?? 0, "copy", "copies")}`;
}
