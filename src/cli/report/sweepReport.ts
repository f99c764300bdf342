import { counted } from "../../core/base/quantities.js";
import { describeLeftOut, deviceMemory, milliseconds } from "../../core/sweep/explain.js";
import { type SweepRow, sweepRows } from "../../core/sweep/rows.js";
import type { SweepResult } from "../../core/sweep/runSweep.js";
import { linesOfText } from "./terminalText.js";

/** A table of all points, the front and the choice marked, and the choice in two sentences. */
export function formatSweep(sweep: SweepResult): string {
  const { device, model, seqLens, budgetBytes, explanation, leftOut } = sweep;
  const budget = budgetBytes === null ? "no budget" : `budget ${deviceMemory(budgetBytes)}`;
  const head = `${model.architecture || model.modelType}, ${counted(model.layers, "layer")}, ${seqLens.join("/")} tokens on ${device.name} (simulated), ${budget}`;
  const rows = sweepRows(sweep).map(cellsOf);
  const titles = [
    "",
    "gc",
    "strategy",
    "layers",
    "cache GiB",
    "batch",
    "step",
    "range",
    "per sequence",
    "peak",
    "after fwd",
    "pinned",
    "hidden",
  ];
  const words = linesOfText([explanation, ...leftOut.map(describeLeftOut)]);
  return `${linesOfText([head])}

${table([titles, ...rows])}\n* choice  + Pareto front  ! does not fit\n\n${words}\n`;
}

const MARKS = { choice: "*", front: "+", "too large": "!", "": "" } as const;

function cellsOf({ point, patternSets, cacheLimitsGib, movesNothing, mark }: SweepRow): readonly string[] {
  const { stepMs, stepMsRange, msPerSequence, hiddenShare } = point;
  return [
    MARKS[mark],
    point.gradientCheckpointing ? "on" : "off",
    point.strategy,
    patternSets.join(", "),
    cacheLimitsGib,
    String(point.microBatch),
    milliseconds(stepMs),
    `${milliseconds(stepMsRange[0])} – ${milliseconds(stepMsRange[1])}`,
    milliseconds(msPerSequence),
    deviceMemory(point.peakBytes),
    deviceMemory(point.afterForwardBytes),
    point.pinnedBytes === 0 ? "" : deviceMemory(point.pinnedBytes),
    movesNothing ? "nothing moves" : hiddenShare === null ? "" : `${(hiddenShare * 100).toFixed(0)} %`,
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
