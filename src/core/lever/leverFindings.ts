import { formatBytes } from "../base/quantities.js";
import { asMapping, entryOf, nodeAt, scalarOf } from "../config/document/configNode.js";
import type { TextSpan } from "../config/document/diagnostic.js";
import type { JobKeys } from "../config/jobKeys.js";
import { deviceMemory } from "../sweep/explain.js";
import type { Lever, LeverFinding, LeverTable } from "./leverTable.js";
import { memoryChange, shortKey, timeChange } from "./leverText.js";

/** The head that makes all logits although its kernels are fused. */
const TRAPPED_HEAD = "verl_chunked_eager";

type Judged = Pick<LeverFinding, "label" | "message"> | undefined;

interface Known {
  readonly table: Omit<LeverTable, "findings">;
  /** The key with another value, simulated; absent where that moves nothing. */
  readonly other: (key: string, value?: unknown) => Lever | undefined;
  readonly head: string | undefined;
}

/**
 * Findings for the keys that a block writes, each from the simulation of the same file with that key otherwise. `head` is the head that
 * the block's step has.
 */
export function leverFindings(
  table: Omit<LeverTable, "findings">,
  keys: JobKeys,
  head: string | undefined,
): readonly LeverFinding[] {
  const all = [...table.levers, ...table.others];
  const other: Known["other"] = (key, value) =>
    all.find((lever) => lever.key === key && (value === undefined || lever.value === value));
  const candidates = new Set([...all, ...table.withoutEffect].map(({ key }) => key));
  return [...candidates].flatMap((key) => {
    const written = writtenAt(keys, key);
    const judged = written && judge(key, written.value, { table, other, head });
    return judged === undefined || written === undefined ? [] : [{ key, span: written.span, ...judged }];
  });
}

function judge(key: string, value: unknown, known: Known): Judged {
  if (value !== true) return undefined;
  switch (shortKey(key)) {
    case "entropy_checkpointing":
      return inert(key, known) ?? checkpointed(key, known);
    case "entropy_from_logits_with_chunking":
      return inert(key, known) ?? chunked(key, known);
    case "use_fused_kernels":
      return inert(key, known) ?? trapped(key, known);
    case "param_offload":
    case "optimizer_offload":
      return resident(key, known);
    default:
      return undefined;
  }
}

function checkpointed(key: string, { table, other }: Known): Judged {
  const without = other(key, false);
  if (without === undefined || without.peakBytesAfter >= table.peakBytes) return undefined;
  return {
    label: `simulated: raises the peak by ${formatBytes(table.peakBytes - without.peakBytesAfter)}`,
    message: `${shortKey(key)} raises the peak of this step: ${deviceMemory(table.peakBytes)} with it, ${deviceMemory(without.peakBytesAfter)} without. It keeps less after forward, but the entropy is computed again when the gradient of the log-probabilities is there already. Without it the step changes by ${timeChange(without, table)}.`,
  };
}

function chunked(key: string, { table, other }: Known): Judged {
  const without = other(key, false);
  if (without === undefined || without.peakBytesAfter > table.peakBytes) return undefined;
  return {
    label: "simulated: chunks do not lower the peak",
    message: `${shortKey(key)} does not lower the peak of this step: without it the peak would ${without.peakBytesAfter === table.peakBytes ? `stay ${deviceMemory(table.peakBytes)}` : `be ${deviceMemory(without.peakBytesAfter)} instead of ${deviceMemory(table.peakBytes)}`}, and the step would change by ${timeChange(without, table)}. Chunks pay where the tokens of a micro-batch are many times a chunk.`,
  };
}

/** The loss that is set beside the fused kernels decides whether the model multiplies by the head before. */
function trapped(key: string, { table, head }: Known): Judged {
  if (head !== TRAPPED_HEAD) return undefined;
  const better = [...table.levers, ...table.others].find(
    (lever) => shortKey(lever.key) === "cross_entropy_loss_implementation" && lever.value === "chunk_loss",
  );
  if (better === undefined) return undefined;
  const savedBytes = table.peakBytes - better.peakBytesAfter;
  return {
    label:
      savedBytes > 0
        ? `simulated: eager loss adds ${formatBytes(savedBytes)}`
        : "simulated: eager loss makes all logits",
    message: `With cross_entropy_loss_implementation eager the model makes all logits before ${shortKey(key)} takes effect, in memory and in time. With chunk_loss: peak ${memoryChange(table.peakBytes, better.peakBytesAfter)}, step ${timeChange(better, table)}.`,
  };
}

function resident(key: string, { table }: Known): Judged {
  if (!table.withoutEffect.some((each) => each.key === key)) return undefined;
  return {
    label: `simulated: step's peak stays ${deviceMemory(table.peakBytes)}`,
    message: `${shortKey(key)} makes room between the phases of training: while a step runs everything is on the device, and its peak stays ${deviceMemory(table.peakBytes)}.`,
  };
}

function inert(key: string, { table }: Known): Judged {
  if (!table.withoutEffect.some((each) => each.key === key)) return undefined;
  return {
    label: "simulated: no effect on this step",
    message: `${shortKey(key)} has no effect on this step: without it peak (${deviceMemory(table.peakBytes)}) and time are the same.`,
  };
}

/** What the file or the call of a block writes at a key: null and absent are nothing. */
export function writtenAt(
  { document }: JobKeys,
  key: string,
): { readonly value: unknown; readonly span: TextSpan } | undefined {
  const above = key.split(".");
  const last = above.pop() ?? "";
  const entry = entryOf(asMapping(nodeAt(document.root, above)), last);
  const scalar = scalarOf(entry?.value);
  if (entry === undefined || scalar === undefined || scalar.type === "null") return undefined;
  return { value: scalar.value, span: entry.span };
}
