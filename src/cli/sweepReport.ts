import { describeLeftOut, deviceMemory, milliseconds } from "../core/sweep/explain.js";
import type { SweepPoint } from "../core/sweep/points.js";
import type { SweepResult } from "../core/sweep/runSweep.js";

/** A table of all points by time, the front and the choice marked, and the choice in two sentences. */
export function formatSweep(sweep: SweepResult): string {
  const { device, model, seqLens, budgetBytes, points, front, best, explanation, leftOut } = sweep;
  const budget = budgetBytes === null ? "no budget" : `budget ${deviceMemory(budgetBytes)}`;
  const head = `${model.architecture || model.modelType}, ${model.layers} layers, ${seqLens.join("/")} tokens on ${device.name} (simulated), ${budget}\n`;
  const order = points
    .map((_, index) => index)
    .sort((left, right) => (points[left]?.msPerSequence ?? 0) - (points[right]?.msPerSequence ?? 0));
  const rows = order.flatMap((index) => {
    const point = points[index];
    return point === undefined ? [] : [rowOf(point, markOf(index, best, front, point))];
  });
  const titles = [
    "",
    "gc",
    "strategy",
    "layers",
    "cache",
    "batch",
    "step",
    "range",
    "per sequence",
    "peak",
    "after fwd",
    "pinned",
    "hidden",
  ];
  const words = [explanation, ...leftOut.map(describeLeftOut)].join("\n");
  return `${head}\n${table([titles, ...rows])}\n* choice  + Pareto front  ! does not fit\n\n${words}\n`;
}

function markOf(index: number, best: number | null, front: readonly number[], { fits }: SweepPoint): string {
  if (index === best) return "*";
  if (!fits) return "!";
  return front.includes(index) ? "+" : "";
}

function rowOf(point: SweepPoint, mark: string): readonly string[] {
  const { stepMs, stepMsRange, msPerSequence, hiddenShare } = point;
  return [
    mark,
    point.gradientCheckpointing ? "on" : "off",
    point.strategy,
    point.patternSet ?? "",
    point.cacheLimitGb === null ? "" : String(point.cacheLimitGb),
    String(point.microBatch),
    milliseconds(stepMs),
    `${milliseconds(stepMsRange[0])} – ${milliseconds(stepMsRange[1])}`,
    milliseconds(msPerSequence),
    deviceMemory(point.peakBytes),
    deviceMemory(point.afterForwardBytes),
    point.pinnedBytes === 0 ? "" : deviceMemory(point.pinnedBytes),
    hiddenShare === null ? "" : `${(hiddenShare * 100).toFixed(0)} %`,
  ];
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
