import { counted, formatBytes, formatNs, formatRate, formatShare, grouped } from "../../core/base/quantities.js";
import { tableLines, tableRule } from "../../core/base/table.js";
import type { CopyTotals, ProfileResult, ProfileRun } from "../../core/profile/result.js";
import {
  baselineOf,
  keptActivationBytes,
  memoryDifference,
  peakActivationBytes,
  stepDifference,
} from "../../core/profile/runFigures.js";
import { stepScope } from "../../core/profile/stepScope.js";
import { phaseLines } from "./phaseLines.js";
import { linesOfText } from "./terminalText.js";

/** Columns side by side in one table; more strategies go into a further table, so that lines stay readable. */
const RUNS_PER_TABLE = 4;

const NS_PER_MS = 1e6;

/** One line of the table: what it says about a run, next to the baseline of that run if it was asked for. */
interface ReportRow {
  readonly label: string;
  /** Left out where it says nothing about any run. */
  readonly isOptional?: true;
  cell(run: ProfileRun, baseline: ProfileRun | undefined, result: ProfileResult): string;
}

const ROWS: readonly ReportRow[] = [
  { label: "step, median", cell: (run) => formatNs(run.stepMs.median * NS_PER_MS) },
  {
    label: "  to baseline",
    cell: (run, baseline, result) => (baseline === undefined ? "-" : stepDifference(result, run, baseline)),
  },
  { label: "  stable to 0.5 %", cell: stability, isOptional: true },
  { label: "  simulated, range", cell: simulatedRange, isOptional: true },
  { label: "static", cell: (run) => formatBytes(run.staticBytes) },
  { label: "after forward, over static", cell: (run) => formatBytes(keptActivationBytes(run)) },
  { label: "  to baseline", cell: difference(keptActivationBytes) },
  { label: "peak", cell: (run) => formatBytes(run.peakBytes) },
  { label: "  to baseline", cell: difference(peakActivationBytes) },
  { label: "pinned, peak", cell: (run) => formatBytes(run.pinnedPeakBytes) },
  { label: "D2H copies", cell: (run) => copies(run.copies.d2h) },
  { label: "  busy", cell: (run) => formatNs(run.copies.d2h.busyNs) },
  { label: "  hidden", cell: (run) => hidden(run.copies.d2h) },
  { label: "  exposed", cell: (run) => formatNs(run.copies.d2h.exposedNs) },
  { label: "H2D copies", cell: (run) => copies(run.copies.h2d) },
  { label: "  busy", cell: (run) => formatNs(run.copies.h2d.busyNs) },
  { label: "  hidden", cell: (run) => hidden(run.copies.h2d) },
  { label: "  exposed", cell: (run) => formatNs(run.copies.h2d.exposedNs) },
  { label: "host waits in pack, unpack", cell: (run) => formatNs(run.hostStallMs * NS_PER_MS) },
  { label: "compute waits for copies", cell: (run) => formatNs(run.streamStallMs * NS_PER_MS) },
  { label: "pool allocations, all steps", cell: (run) => count(run.pool?.allocations) },
  { label: "pool reuses", cell: (run) => count(run.pool?.reuses) },
  { label: "pool evictions", cell: (run) => count(run.pool?.evictions) },
  { label: "pool drops", cell: (run) => count(run.pool?.drops) },
  { label: "pinned driver allocations", cell: (run) => count(run.hostAllocator?.allocations) },
  { label: "gradients equal to baseline", cell: equalGradients },
];

/** The result of a profile for a terminal: what ran where, one column per run, then notes. Ends with a newline. */
export function formatReport(result: ProfileResult): string {
  const lines = [...headLines(result), ""];
  for (let first = 0; first < result.runs.length; first += RUNS_PER_TABLE) {
    lines.push(...table(result, result.runs.slice(first, first + RUNS_PER_TABLE)), "");
  }
  for (const run of result.runs) {
    const phases = phaseLines(run, result);
    if (phases.length > 0) lines.push(...phases, "");
  }
  lines.push("busy = union of the copies of one measured step; hidden = under compute; exposed = the rest.");
  for (const reason of reasons(result)) lines.push(reason);
  for (const warning of result.warnings) lines.push(`${warning.code}: ${warning.message}`);
  return `${plain(linesOfText(lines))}\n`;
}

function headLines(result: ProfileResult): readonly string[] {
  const { model, device, workload } = result;
  const badge = device.kind === "sim" ? "simulated" : "measured";
  const lengths = workload.seqLens.map(String).join(", ");
  const dimensions = `hidden ${model.hiddenSize}${streamsText(model.residualStreams)}, heads ${model.heads}/${model.keyValueHeads}, vocabulary ${model.vocabSize}`;
  const name = model.architecture === "" ? model.modelType : `${model.architecture} (${model.modelType})`;
  return [
    `Model     ${name}, ${counted(model.layers, "layer")}, ${dimensions}`,
    `Device    ${device.kind}: ${device.name}, ${badge}; matrix products: ${device.matmul}`,
    `Workload  sequence ${lengths}, micro-batch ${workload.microBatch}, ${counted(workload.steps, "step")}, of them ${workload.warmup} warm-up`,
    `Step      ${stepScope(result)}`,
  ];
}

function streamsText(streams: number | undefined): string {
  return streams === undefined ? "" : ` in ${streams} residual streams`;
}

function table(result: ProfileResult, runs: readonly ProfileRun[]): readonly string[] {
  const heads = [
    ["", ...runs.map((run) => run.strategy)],
    ["", ...runs.map((run) => `checkpointing ${run.gradientCheckpointing ? "on" : "off"}`)],
  ];
  const filled = ROWS.map((row) => ({
    ...row,
    cells: runs.map((run) => plain(row.cell(run, baselineRun(result, run), result))),
  }));
  const body = filled
    .filter(({ isOptional, cells }) => isOptional !== true || cells.some((cell) => cell !== "-"))
    .map(({ label, cells }) => [label, ...cells]);
  const cells = [...heads, ...body];
  const lines = tableLines(cells, ["left", "right"]);
  return [...lines.slice(0, heads.length), tableRule(cells), ...lines.slice(heads.length)];
}

function baselineRun(result: ProfileResult, run: ProfileRun): ProfileRun | undefined {
  const at = baselineOf(result, result.runs.indexOf(run));
  return at === undefined ? undefined : result.runs[at];
}

function difference(over: (run: ProfileRun) => number): ReportRow["cell"] {
  return (run, baseline) => (baseline === undefined ? "-" : memoryDifference(run, baseline, over));
}

function copies(totals: CopyTotals): string {
  if (totals.count === 0) return "none";
  const rate = formatRate(totals.bytes, totals.busyNs);
  return `${grouped(totals.count)} x ${formatBytes(totals.bytes / totals.count)}${rate === "" ? "" : `, ${rate}`}`;
}

function hidden(totals: CopyTotals): string {
  if (totals.busyNs === 0) return formatNs(0);
  return `${formatNs(totals.hiddenNs)} (${formatShare(totals.hiddenNs / totals.busyNs)})`;
}

function count(value: number | undefined): string {
  return value === undefined ? "-" : grouped(value);
}

/** Where the step of a real device would lie. */
function simulatedRange({ stepMs: { range } }: ProfileRun): string {
  return range === undefined ? "-" : range.map((ms) => formatNs(ms * NS_PER_MS)).join(" to ");
}

/** A simulated step repeats itself: that it is stable says nothing. */
function stability({ stepMs, steps }: ProfileRun): string {
  if (stepMs.stable === undefined || steps === undefined || stepMs.range !== undefined) return "-";
  return `${stepMs.stable ? "yes" : "no"}, of ${counted(steps, "step")}`;
}

function equalGradients(run: ProfileRun): string {
  const { equalToBaseline } = run.gradients;
  if (equalToBaseline === null) return "not compared";
  return equalToBaseline ? "yes, bitwise" : "NO";
}

/** Why gradients were not compared, or differ. What holds for every run alike is said once. */
function reasons(result: ProfileResult): readonly string[] {
  const all = new Set(result.runs.map(({ gradients }) => gradients.reason));
  const [common] = all;
  if (all.size === 1 && common !== undefined && result.runs.length > 1) return [`Gradients: ${common}`];
  return result.runs.flatMap((run) =>
    run.gradients.reason === undefined
      ? []
      : [
          `Gradients of ${run.strategy}, checkpointing ${run.gradientCheckpointing ? "on" : "off"}: ${run.gradients.reason}`,
        ],
  );
}

/** The terminal's own characters, so that the report can be searched and cut by any tool. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ").replaceAll("\u2212", "-").replaceAll("±0", "equal").replaceAll("µ", "u");
}
