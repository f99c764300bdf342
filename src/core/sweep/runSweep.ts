import { fail, type Outcome, succeed } from "../outcome.js";
import type { ProfileRequest } from "../profile/request.js";
import type { ProfileModel, ProfileResult } from "../profile/result.js";
import { bestPoint, paretoFront } from "./choose.js";
import { explainChoice } from "./explain.js";
import { type LayerNames, type SweepBase, type SweepGrid, sweepRequests } from "./grid.js";
import { pointsOf, type SweepPoint } from "./points.js";

/** A whole sweep: schema `offload-sweep/1`. */
export interface SweepResult {
  readonly schema: "offload-sweep/1";
  readonly device: { readonly name: string; readonly source: string };
  readonly model: ProfileModel;
  readonly seqLens: readonly number[];
  /** `null` where no budget is known. */
  readonly budgetBytes: number | null;
  readonly points: readonly SweepPoint[];
  /** Indices into `points`, by rising peak. */
  readonly front: readonly number[];
  readonly best: number | null;
  readonly explanation: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Runs one simulated request. */
export type Simulate = (request: ProfileRequest) => Promise<Outcome<ProfileResult>>;

/**
 * Simulates every point of a grid. The budget is the given one, else the memory of the device. Fails with the engine's problem for the
 * first request that it refuses; `isCancelled` is asked between requests.
 */
export async function runSweep(
  simulate: Simulate,
  base: SweepBase,
  grid: SweepGrid,
  given: { readonly budgetBytes: number | undefined },
  onProgress: (done: number, total: number) => void = () => undefined,
  isCancelled: () => boolean = () => false,
): Promise<Outcome<SweepResult>> {
  const probe = await simulate({ ...base, strategies: ["veomni_async"], gradientCheckpointing: "on", steps: 1 });
  if (!probe.ok) return probe;
  const layers = layerNames(probe.value);
  const budgetBytes = given.budgetBytes ?? probe.value.device.memoryBytes ?? Number.POSITIVE_INFINITY;
  const requests = sweepRequests(base, grid, layers);
  const points: SweepPoint[] = [];
  for (const [done, each] of requests.entries()) {
    onProgress(done, requests.length);
    if (isCancelled()) return fail(cancelled);
    const answer = await simulate(each.request);
    if (!answer.ok) return answer;
    points.push(...pointsOf(each, answer.value, budgetBytes));
  }
  const best = bestPoint(points);
  const { device, model, workload, warnings } = probe.value;
  return succeed({
    schema: "offload-sweep/1",
    device: { name: device.name, source: device.source ?? "" },
    model,
    seqLens: workload.seqLens,
    budgetBytes: Number.isFinite(budgetBytes) ? budgetBytes : null,
    points,
    front: paretoFront(points),
    best: best ?? null,
    explanation: explainChoice(points, best, budgetBytes),
    warnings: warnings.filter(({ code }) => code === "MODEL_APPROXIMATED"),
  });
}

const cancelled = {
  code: "CANCELLED",
  message: "The sweep was cancelled.",
  nextStep: "Start it again when you want it.",
};

/** The engine's own pattern for all layers names their list. */
function layerNames(result: ProfileResult): LayerNames {
  const pattern = result.runs.find((run) => run.patterns !== null)?.patterns?.[0] ?? "model.layers.{*}";
  return { list: pattern.replace(/\.\{\*\}$/, ""), count: result.model.layers };
}
