import { formatBytes } from "../../base/quantities.js";
import { isCheckpointedFromOutside } from "../selection/moduleRole.js";
import type { PatternNote } from "../selection/selectionResult.js";
import type { ModuleTree } from "../tree.js";
import type { EstimateWorkload } from "./estimateWorkload.js";
import type { JudgedModule } from "./judgedModule.js";
import { keptBytes } from "./keptBytes.js";

interface PoolNeed {
  /** Bytes of every host buffer of a step, `null` if unknown. */
  readonly buffers: readonly number[] | null;
  readonly cacheLimitBytes: number;
}

/** Warnings about a selection, the costliest first. Codes are stable. */
export function estimateWarnings(
  judged: readonly JudgedModule[],
  tree: ModuleTree,
  workload: EstimateWorkload,
  pool: PoolNeed,
): readonly PatternNote[] {
  return [
    ...insideCheckpoint(judged, tree, workload),
    ...takesEverything(judged),
    ...nestedSelections(judged),
    ...checkpointedOutside(judged, tree, workload),
    ...nothingMoves(judged, workload),
    ...copiedSeveralTimes(judged),
    ...recomputed(judged, workload),
    ...lastRunsEarlier(judged),
    ...tokensUnknown(judged),
    ...layerInputUnknown(judged, tree),
    ...cacheLimit(pool),
  ];
}

/** The strongest one: hooks inside a checkpoint keep what it would throw away. */
function insideCheckpoint(
  judged: readonly JudgedModule[],
  tree: ModuleTree,
  workload: EstimateWorkload,
): readonly PatternNote[] {
  const inside = judged.filter(({ role }) => role.kind === "inside");
  const [first] = inside;
  if (!workload.gradientCheckpointing || first === undefined) return [];
  const cost = costInside(inside, tree, workload);
  const figure =
    cost === undefined
      ? "Measured for model.layers.*.mlp on a 28-layer model with 16,384 tokens: 11 GB more after forward."
      : `That keeps about ${formatBytes(cost)} more on the device after forward.`;
  const message =
    `${inside.length} selected modules, such as "${first.entry.name}", lie inside a checkpointed layer: their hooks replace the ` +
    `checkpoint's, so every tensor saved there that is not taken stays on the device. ${figure} Select the whole layers instead.`;
  return [{ code: "INSIDE_CHECKPOINTED_LAYER", message }];
}

/** What the modules keep, and what is taken from the last index but stays. Nested modules count with the outermost. */
function costInside(inside: readonly JudgedModule[], tree: ModuleTree, workload: EstimateWorkload): number | undefined {
  const tokens = { tokens: workload.seqLen * workload.microBatch, bytesPerElement: workload.bytesPerElement };
  const names = new Set(inside.map(({ entry }) => entry.name));
  let bytes = 0;
  for (const { entry, role, estimate } of inside) {
    if (hasAncestorIn(entry.name, names)) continue;
    const kept = keptBytes(tree, entry.name, tokens, tree.dimensions ?? {});
    if (kept === undefined || (role.kind === "inside" && role.tokens === "data")) return undefined;
    bytes += kept;
    if (estimate.effect === "stays") bytes += stayingBytes(inside, tree, tokens.tokens * workload.bytesPerElement);
  }
  return bytes;
}

/** The last index keeps as many copies as its siblings send away. */
function stayingBytes(inside: readonly JudgedModule[], tree: ModuleTree, bytesPerWidth: number): number {
  const copies = inside.reduce(
    (most, { estimate }) => (estimate.effect === "moves" ? Math.max(most, estimate.copies ?? 0) : most),
    0,
  );
  return copies * bytesPerWidth * (tree.dimensions?.hiddenSize ?? 0);
}

function hasAncestorIn(name: string, names: ReadonlySet<string>): boolean {
  for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
    if (names.has(name.slice(0, dot))) return true;
  }
  return false;
}

function takesEverything(judged: readonly JudgedModule[]): readonly PatternNote[] {
  const model = judged.find(({ role }) => role.kind === "model");
  if (model === undefined) return [];
  const shown = model.entry.name === "" ? "The model itself" : `"${model.entry.name}"`;
  const message =
    `${shown} is called without hidden_states, so there is no tensor to compare with: every tensor saved under it is copied, and ` +
    "nothing is freed while anything else still holds them (measured: 34 copies a step, no byte freed).";
  return [{ code: "TAKES_EVERY_TENSOR", message }];
}

/** Hooks nest: the innermost pair handles a save, the outer one does not see it. */
function nestedSelections(judged: readonly JudgedModule[]): readonly PatternNote[] {
  const names = new Set(judged.map(({ entry }) => entry.name));
  const nested = judged.filter(({ entry }) => hasAncestorIn(entry.name, names));
  const [first] = nested;
  if (first === undefined) return [];
  const message = `${nested.length} selected modules, such as "${first.entry.name}", lie inside another selected one: what is saved there is handled by the inner hooks only.`;
  return [{ code: "NESTED_SELECTION", message }];
}

function checkpointedOutside(
  judged: readonly JudgedModule[],
  tree: ModuleTree,
  workload: EstimateWorkload,
): readonly PatternNote[] {
  const hasLayer = judged.some(({ role }) => role.kind === "layer");
  if (!hasLayer || !workload.gradientCheckpointing || !isCheckpointedFromOutside(tree)) return [];
  const message = `${tree.architecture ?? "This model"} checkpoints its blocks from outside: the hooks sit inside and move nothing useful.`;
  return [{ code: "CHECKPOINTED_FROM_OUTSIDE", message }];
}

function nothingMoves(judged: readonly JudgedModule[], workload: EstimateWorkload): readonly PatternNote[] {
  if (
    judged.length === 0 ||
    judged.some(({ estimate }) => estimate.effect === "moves" || estimate.effect === "unknown")
  ) {
    return [];
  }
  const reasons = judged.filter(({ estimate }) => estimate.effect === "nothing").map(({ estimate }) => estimate.reason);
  const only =
    reasons.length === 0 ? "the only selected module has the last index and stays on the device" : reasons[0];
  const advice = workload.gradientCheckpointing ? "" : " With gradient checkpointing the layers' inputs move.";
  return [{ code: "NOTHING_MOVES", message: `Nothing moves and nothing is freed: ${only}.${advice}` }];
}

function copiedSeveralTimes(judged: readonly JudgedModule[]): readonly PatternNote[] {
  const several = judged.find(({ estimate }) => estimate.effect === "moves" && (estimate.copies ?? 0) > 1);
  if (several === undefined) return [];
  const { name, copies, reason } = several.estimate;
  const message = `The input of "${name}" is copied ${copies} times (${reason}) and freed once at most.`;
  return [{ code: "COPIED_SEVERAL_TIMES", message }];
}

/** What runs last in a layer: recomputing stops before it, since nothing after it is missing. */
const lastPart = /^(mlp|feed_forward|ffn|moe|block_sparse_moe)(\.|$)/;

/** A selected module inside a checkpointed layer that recomputing the rest of the layer runs, and so copies, a second time. */
export function copiedAgain(judged: readonly JudgedModule[], workload: EstimateWorkload): JudgedModule | undefined {
  if (!workload.gradientCheckpointing) return undefined;
  return judged.find(
    ({ entry, role, estimate }) =>
      role.kind === "inside" && estimate.effect === "moves" && !lastPart.test(entry.name.slice(role.layer.length + 1)),
  );
}

function recomputed(judged: readonly JudgedModule[], workload: EstimateWorkload): readonly PatternNote[] {
  const again = copiedAgain(judged, workload);
  if (again === undefined) return [];
  const message = `"${again.entry.name}" runs again when backward recomputes the rest of its layer, and its input is copied again: how often the pool allocates is not known here.`;
  return [{ code: "COPIED_AGAIN", message }];
}

/** The last index should run last: it is what backward needs first. `judged` is in running order. */
function lastRunsEarlier(judged: readonly JudgedModule[]): readonly PatternNote[] {
  const staying = judged.findIndex(({ entry }) => entry.staysOnDevice);
  const later = judged.slice(staying + 1).some(({ estimate }) => estimate.effect !== "nothing");
  if (staying < 0 || !later) return [];
  const name = judged[staying]?.entry.name ?? "";
  const message = `"${name}" has the last index but does not run last: its tensor stays on the device, and what runs last is copied but not freed before backward, which needs it first.`;
  return [{ code: "LAST_INDEX_RUNS_EARLIER", message }];
}

function tokensUnknown(judged: readonly JudgedModule[]): readonly PatternNote[] {
  const data = judged.find(({ role }) => (role.kind === "layer" || role.kind === "inside") && role.tokens === "data");
  if (data === undefined) return [];
  const message = `"${data.entry.name}" sees image patches or frames; their number depends on the data, so its bytes are not known.`;
  return [{ code: "TOKENS_DEPEND_ON_DATA", message }];
}

function layerInputUnknown(judged: readonly JudgedModule[], { dimensions }: ModuleTree): readonly PatternNote[] {
  const { doubt } = dimensions?.layerInput ?? {};
  if (doubt === undefined || !judged.some(({ role }) => role.kind === "layer")) return [];
  return [{ code: "LAYER_INPUT_UNKNOWN", message: doubt }];
}

function cacheLimit({ buffers, cacheLimitBytes }: PoolNeed): readonly PatternNote[] {
  const needed = (buffers ?? []).reduce((sum, bytes) => sum + bytes, 0);
  if (needed <= cacheLimitBytes) return [];
  const message =
    `A step needs ${formatBytes(needed)} of host buffers but the pool keeps ${formatBytes(cacheLimitBytes)}: every step evicts or drops ` +
    "buffers and allocates them again. The limit does not bound what PyTorch's allocator below the pool keeps pinned.";
  return [{ code: "CACHE_LIMIT_BELOW_NEED", message }];
}
