import type { ModuleEffect, SelectionEffects } from "../core/modules/effects.js";
import { formatBytes } from "../core/timeline/quantities.js";

/** What a selection does in a step, as lines of text for people. */
export function effectLines(effects: SelectionEffects): readonly string[] {
  const { workload, totals, warnings } = effects;
  const gc = workload.gradientCheckpointing ? "on" : "off";
  const head =
    `In a step of ${workload.microBatch} × ${workload.seqLen} tokens, gradient checkpointing ${gc}, ` +
    `hidden size ${effects.hiddenSize ?? "unknown"}, ${workload.bytesPerElement} bytes per element:`;
  const pool = totals.firstStep;
  const later = totals.laterSteps;
  return [
    "",
    head,
    ...groups(effects.modules).map((line) => `  ${line}`),
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

function countsOf(counts: NonNullable<SelectionEffects["totals"]["firstStep"]>): string {
  const { allocations, reuses, evictions, drops } = counts;
  return `${allocations} allocations, ${reuses} reuses, ${evictions} evictions, ${drops} drops`;
}

/** One line for all neighbours to which the same happens. */
function groups(modules: readonly ModuleEffect[]): readonly string[] {
  const runs: ModuleEffect[][] = [];
  for (const module of modules) {
    const last = runs.at(-1)?.[0];
    if (last !== undefined && same(last, module)) runs.at(-1)?.push(module);
    else runs.push([module]);
  }
  return runs.map((run) => {
    const [first] = run;
    if (first === undefined) return "";
    const nameOf = (name: string) => (name === "" ? "(the model)" : name);
    const names = run.length === 1 ? nameOf(first.name) : `${nameOf(first.name)} … ${nameOf(run.at(-1)?.name ?? "")}`;
    return `${names}: ${whatOf(first, run.length)} (${first.reason})`;
  });
}

function same(a: ModuleEffect, b: ModuleEffect): boolean {
  return a.effect === b.effect && a.copies === b.copies && a.bytes === b.bytes && a.reason === b.reason;
}

function whatOf({ effect, copies, bytes }: ModuleEffect, count: number): string {
  if (effect === "nothing") return "nothing moves";
  if (effect === "stays") return "stays on the device";
  if (effect === "unknown") return "not known";
  const each = count > 1 ? " each" : "";
  return bytes === null
    ? `moves${each}, bytes unknown`
    : `${formatBytes(bytes)}${each} in ${copies} ${copies === 1 ? "copy" : "copies"}`;
}
