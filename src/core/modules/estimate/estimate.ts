import { mostOf } from "../../base/extremes.js";
import { formatBytes, formatExactBytes } from "../../base/quantities.js";
import { canonicalName } from "../selection/attributes.js";
import { isCheckpointedFromOutside, type ModuleRole, roleOf } from "../selection/moduleRole.js";
import type { PatternNote, SelectedEntry, SelectionResult } from "../selection/selectionResult.js";
import type { ModuleTree } from "../tree.js";
import { copiedAgain, estimateWarnings } from "./estimateWarnings.js";
import type { EstimateWorkload } from "./estimateWorkload.js";
import { inputSavesOf, isProjection, projectionsOf, readsSavedOutput } from "./inputSaves.js";
import type { JudgedModule, ModuleEstimate } from "./judgedModule.js";
import { type PoolCounts, pinnedBlockBytes, simulatePool } from "./pinnedPool.js";

/** A figure with the arithmetic behind it; `bytes` is `null` where something is unknown. */
export interface Sum {
  readonly bytes: number | null;
  readonly arithmetic: string;
}

/** Everything that a selection does in a step, without running it. */
export interface SelectionEstimate {
  readonly workload: EstimateWorkload;
  readonly hiddenSize: number | null;
  /** How many tensors of the hidden size a layer's input has: 1 in most families, `null` where it is not known. */
  readonly residualStreams: number | null;
  readonly modules: readonly ModuleEstimate[];
  readonly totals: {
    /** Device memory that is free after forward and would not be without the offload. */
    readonly freedAfterForward: Sum;
    /** Host buffers in flight at the end of forward. */
    readonly pinnedNeeded: Sum;
    /** What PyTorch's allocator below the pool pins for them: each block a power of two. */
    readonly pinnedBlocks: Sum;
    readonly cacheLimitBytes: number;
    /** The pool in the first step and in each later one, while shapes repeat; `null` where bytes or copies are unknown. */
    readonly firstStep: PoolCounts | null;
    readonly laterSteps: PoolCounts | null;
  };
  readonly warnings: readonly PatternNote[];
}

/** What a selection comes to in a step, by arithmetic on the tree that it was made on. */
export function estimateSelection(
  result: SelectionResult,
  tree: ModuleTree,
  workload: EstimateWorkload,
): SelectionEstimate {
  const judged = runningOf(instancesOf(result, tree), tree, workload).map((entry) => judge(entry, tree, workload));
  const cacheLimitBytes = Math.floor(workload.cacheLimitGb * 2 ** 30);
  const buffers = judged.every((module) => module.buffers !== null)
    ? judged.flatMap((module) => module.buffers ?? [])
    : null;
  const isKnown = buffers !== null && copiedAgain(judged, workload) === undefined;
  const [firstStep, , laterSteps] = isKnown ? simulatePool(buffers, cacheLimitBytes, 3) : [];
  return {
    workload,
    hiddenSize: tree.dimensions?.hiddenSize ?? null,
    residualStreams: streamsOf(tree) ?? null,
    modules: judged.map((module) => module.estimate),
    totals: {
      freedAfterForward: freed(judged, workload, tree),
      pinnedNeeded: sumOf(buffers, (bytes) => bytes),
      pinnedBlocks: sumOf(buffers, pinnedBlockBytes),
      cacheLimitBytes,
      firstStep: firstStep ?? null,
      laterSteps: laterSteps ?? null,
    },
    warnings: estimateWarnings(judged, tree, workload, { buffers, cacheLimitBytes }),
  };
}

/** Each instance once, with the index that it runs with, in the order in which the model runs them. */
function instancesOf(result: SelectionResult, tree: ModuleTree): readonly SelectedEntry[] {
  const last = new Map<string, SelectedEntry>();
  for (const entry of result.selected) last.set(canonicalName(tree, entry.name), entry);
  const places = new Map(tree.modules.map((module, place) => [module.name, place]));
  const placeOf = (name: string) => places.get(name) ?? Number.MAX_SAFE_INTEGER;
  return [...last].sort(([a], [b]) => placeOf(a) - placeOf(b)).map(([, entry]) => entry);
}

interface RunningEntry extends SelectedEntry {
  /** It lies in a layer that the workload leaves out. */
  readonly isLeftOut?: true;
}

/** What runs of a selection where only the first layers do: the last index is then that of the last module that is left. */
function runningOf(
  entries: readonly SelectedEntry[],
  tree: ModuleTree,
  { layers }: EstimateWorkload,
): readonly RunningEntry[] {
  if (layers === undefined) return entries;
  const isLeftOut = (entry: SelectedEntry) =>
    layerNumberOf(roleOf(tree, canonicalName(tree, entry.name)), entry) >= layers;
  const last = mostOf(entries.filter((entry) => !isLeftOut(entry)).map((entry) => entry.effectiveIndex));
  return entries.map((entry) =>
    isLeftOut(entry)
      ? { ...entry, staysOnDevice: false, isLeftOut: true }
      : { ...entry, staysOnDevice: entry.effectiveIndex === last },
  );
}

/** Number of a text layer in its stack; −1 for what lies in none. */
function layerNumberOf(role: ModuleRole, entry: SelectedEntry): number {
  if ((role.kind !== "layer" && role.kind !== "inside") || role.tokens === "data") return -1;
  const name = role.kind === "layer" ? entry.name : role.layer;
  const number = Number(name.slice(name.lastIndexOf(".") + 1));
  return Number.isInteger(number) ? number : -1;
}

function judge(entry: RunningEntry, tree: ModuleTree, workload: EstimateWorkload): JudgedModule {
  const role = roleOf(tree, canonicalName(tree, entry.name));
  const saves = savesOf(entry, role, tree, workload);
  const one = saves.count === 0 ? 0 : inputBytes(entry.name, role, tree, workload);
  const clones = saves.areViews === true ? (saves.count ?? 0) : 0;
  const estimateOf = (
    effect: ModuleEstimate["effect"],
    copies: number | null,
    bytes: number | null,
  ): ModuleEstimate => {
    return { name: entry.name, index: entry.effectiveIndex, effect, copies, bytes, reason: saves.reason };
  };
  if (saves.count === undefined)
    return { entry, role, clones, estimate: estimateOf("unknown", null, null), buffers: null };
  if (saves.count === 0) return { entry, role, clones, estimate: estimateOf("nothing", 0, 0), buffers: [] };
  const bytes = one === undefined ? null : one * saves.count;
  if (entry.staysOnDevice) return { entry, role, clones, estimate: estimateOf("stays", 0, 0), buffers: [] };
  const buffers = one === undefined ? null : Array.from({ length: saves.count }, () => one);
  return { entry, role, clones, estimate: estimateOf("moves", saves.count, bytes), buffers };
}

interface Saves {
  readonly count: number | undefined;
  readonly areViews?: true;
  readonly reason: string;
}

function savesOf(entry: RunningEntry, role: ModuleRole, tree: ModuleTree, workload: EstimateWorkload): Saves {
  if (role.kind === "model") {
    return { count: undefined, reason: "called without hidden_states: every tensor saved under it is taken" };
  }
  if (entry.isLeftOut === true) return { count: 0, reason: "only the first layers run in this workload" };
  if (role.kind === "container") return { count: 0, reason: "a container is never called" };
  if (role.kind === "embedding") return { count: 1, reason: "called with token ids, which it saves" };
  if (role.kind === "layer" && workload.gradientCheckpointing) {
    return isCheckpointedFromOutside(tree)
      ? { count: 0, reason: "its checkpoint is around the hooks, so they see nothing useful" }
      : { count: 1, reason: `the checkpoint saves the layer's input${streamsText(tree)}` };
  }
  if (role.kind === "layer" && tree.dimensions?.layerInput?.mixesStreams === true)
    return { count: undefined, reason: notKnown };
  const saves = inputSavesOf(tree, canonicalName(tree, entry.name));
  return saves ?? { count: undefined, reason: notKnown };
}

const notKnown = "what it saves of its input is not known here";

/** Tensors of the hidden size in a layer's input; `undefined` where that is not known. */
function streamsOf({ dimensions }: ModuleTree): number | undefined {
  return dimensions?.layerInput === undefined ? 1 : dimensions.layerInput.streams;
}

function streamsText(tree: ModuleTree): string {
  const streams = streamsOf(tree) ?? 1;
  return streams === 1 ? "" : `, ${streams} residual streams`;
}

/** Bytes of the tensor that the module is called with. */
function inputBytes(name: string, role: ModuleRole, tree: ModuleTree, workload: EstimateWorkload): number | undefined {
  const tokens = workload.seqLen * workload.microBatch;
  if (role.kind === "embedding") return tokens * 8;
  if ((role.kind === "layer" || role.kind === "inside") && role.tokens === "data") return undefined;
  // Modules inside a layer see one stream, made of all.
  const streams = role.kind === "layer" ? streamsOf(tree) : 1;
  const one = inputWidth(name, tree);
  const width = one === undefined || streams === undefined ? undefined : one * streams;
  return width === undefined ? undefined : tokens * width * workload.bytesPerElement;
}

function inputWidth(name: string, tree: ModuleTree): number | undefined {
  const { hiddenSize, feedForwardSize, heads, headSize } = tree.dimensions ?? {};
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (last === "down_proj") return feedForwardSize;
  if (last === "o_proj") return heads === undefined || headSize === undefined ? undefined : heads * headSize;
  return hiddenSize;
}

/** A moved input frees itself once, however often it was copied; inside a checkpoint nothing would have been kept anyway. */
function freed(judged: readonly JudgedModule[], workload: EstimateWorkload, tree: ModuleTree): Sum {
  const held = heldElsewhere(judged, tree);
  const runsLast = runningLast(judged);
  const counted = judged.filter(
    (module) =>
      module.estimate.effect === "moves" &&
      !(module.role.kind === "inside" && workload.gradientCheckpointing) &&
      module.role.kind !== "embedding" &&
      module !== runsLast &&
      !held.has(module.entry.name),
  );
  const sizes = counted.map(({ entry, role }) => inputBytes(entry.name, role, tree, workload) ?? null);
  const known = sizes.filter((size) => size !== null);
  if (known.length < sizes.length || judged.some(({ estimate }) => estimate.effect === "unknown")) {
    return {
      bytes: null,
      arithmetic: "not known: which tensors move, or how large they are, is not in the configuration",
    };
  }
  const [first] = known;
  const same = first !== undefined && known.every((size) => size === first);
  const cloned = clonedBytes(judged, held, { workload, tree });
  const bytes = Math.max(0, known.reduce((sum, size) => sum + size, 0) - cloned);
  if (bytes === 0) {
    return { bytes, arithmetic: `nothing: ${whyNothingIsFreed(judged, held)}` };
  }
  const less = cloned === 0 ? "" : ` − ${formatExactBytes(cloned)} that stay as copies on the device`;
  if (!same) return { bytes, arithmetic: `${known.length} tensors${less}, ${formatExactBytes(bytes)}` };
  const { microBatch, seqLen, bytesPerElement } = workload;
  const width = widthText(first / (microBatch * seqLen * bytesPerElement), tree);
  const product = `${known.length} × ${microBatch} × ${seqLen} × ${width} × ${bytesPerElement} B${less}`;
  return { bytes, arithmetic: `${product} = ${formatExactBytes(bytes)} (${formatBytes(bytes)})` };
}

/** Streams apart from the width of each. */
function widthText(width: number, tree: ModuleTree): string {
  const { hiddenSize } = tree.dimensions ?? {};
  const streams = streamsOf(tree) ?? 1;
  return streams > 1 && hiddenSize !== undefined && width === streams * hiddenSize
    ? `${streams} × ${hiddenSize}`
    : String(width);
}

/**
 * A copied tensor is freed when the next one is taken. After the module that runs last nothing is taken any more, so that its
 * tensor is copied and stays, unless that module has the last index and is not copied at all.
 */
function runningLast(judged: readonly JudgedModule[]): JudgedModule | undefined {
  return judged.findLast(({ entry, estimate }) => estimate.effect !== "nothing" && !fusedHead.test(entry.name));
}

/** VeOmni's loss takes the weight of this head and does not call it. */
const fusedHead = /(^|\.)lm_head$/;

/**
 * What the module with the last index, and the one that runs last, keep beyond their inputs: clones of the views that linear layers
 * save. They take the place of the input unless something else holds that. Inside a checkpoint the warning counts them.
 */
function clonedBytes(
  judged: readonly JudgedModule[],
  held: ReadonlySet<string>,
  { workload, tree }: { readonly workload: EstimateWorkload; readonly tree: ModuleTree },
): number {
  const kept = new Set([judged.find(({ estimate }) => estimate.effect === "stays"), runningLast(judged)]);
  let bytes = 0;
  for (const module of kept) {
    if (module === undefined || module.clones === 0) continue;
    if (module.role.kind === "inside" && workload.gradientCheckpointing) continue;
    const one = inputBytes(module.entry.name, module.role, tree, workload) ?? 0;
    bytes += one * (held.has(module.entry.name) ? module.clones : module.clones - 1);
  }
  return bytes;
}

/**
 * Selected projections whose input stays: siblings read it too and do not give it up, or attention saves it. Where all siblings are
 * selected, the first stands for the rest.
 */
function heldElsewhere(judged: readonly JudgedModule[], tree: ModuleTree): ReadonlySet<string> {
  const taken = new Set(judged.flatMap(({ entry, estimate }) => (estimate.effect === "nothing" ? [] : [entry.name])));
  const held = new Set([...taken].filter(readsSavedOutput));
  const judgedParents = new Set<string>();
  for (const name of taken) {
    const parent = name.slice(0, Math.max(0, name.lastIndexOf(".")));
    if (!isProjection(name) || judgedParents.has(parent)) continue;
    judgedParents.add(parent);
    const readers = projectionsOf(tree, parent);
    const stands = readers.length === 1 || readers.every((reader) => taken.has(reader));
    for (const reader of readers) if (taken.has(reader) && !(stands && reader === readers[0])) held.add(reader);
  }
  return held;
}

function whyNothingIsFreed(judged: readonly JudgedModule[], held: ReadonlySet<string>): string {
  const moving = judged.filter(({ estimate }) => estimate.effect === "moves");
  if (moving.length === 0) return "no tensor leaves the device";
  if (moving.some(({ role }) => role.kind === "layer")) return "what runs last is copied but not freed before backward";
  const areHeld = moving.some(({ entry }) => held.has(entry.name));
  return areHeld ? "other modules save the same tensor" : "the checkpoint would not have kept these tensors";
}

function sumOf(buffers: readonly number[] | null, sizeOf: (bytes: number) => number): Sum {
  if (buffers === null) return { bytes: null, arithmetic: "not known" };
  const groups = new Map<number, number>();
  for (const bytes of buffers) groups.set(sizeOf(bytes), (groups.get(sizeOf(bytes)) ?? 0) + 1);
  const bytes = buffers.reduce((sum, size) => sum + sizeOf(size), 0);
  const parts = [...groups].map(([size, count]) => `${count} × ${formatExactBytes(size)}`);
  const total = `${formatExactBytes(bytes)} (${formatBytes(bytes)})`;
  return {
    bytes,
    arithmetic: parts.length === 0 ? "no buffer is needed" : `${parts.slice(0, 4).join(" + ")} = ${total}`,
  };
}
