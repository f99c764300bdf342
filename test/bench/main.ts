import { checkpointTree } from "./checkpointTree.js";
import { type Comparison, type Measured, measure, measureCpuRatio } from "./comparison.js";
import { configCheck, scriptCheck, trainingCheck } from "./configCheck.js";
import { editAnalyses, editChecks } from "./editChecks.js";
import { completionLong, completionShort, editorReading, hoverLong, hoverShort } from "./editing.js";
import { containerRead, visibleSpan } from "./savedProfile.js";
import { selection } from "./selection.js";
import { shardedCheckpoint } from "./shardedCheckpoint.js";
import { measureSimulation } from "./simulation.js";
import { traceAgainstJson, traceAgainstSpeedscope, viewsOfTenMillion } from "./traceImport.js";
import { measureScale, measureScaleChild } from "./traceScale.js";

/*
 * Entry of `npm run bench`: prints one table, as Markdown, on stdout. With `--assert` only the comparisons that have a limit run,
 * in processor time, and one beyond its limit fails. With `--scale [BYTES]` one large trace is made and imported;
 * with `--simulate` a run on a simulated device is timed.
 */

const comparisons: readonly (() => Comparison | Promise<Comparison>)[] = [
  configCheck,
  trainingCheck,
  ...editChecks,
  ...editAnalyses,
  scriptCheck,
  editorReading,
  completionShort,
  completionLong,
  hoverShort,
  hoverLong,
  checkpointTree,
  shardedCheckpoint,
  selection,
  containerRead,
  visibleSpan,
  traceAgainstJson,
  traceAgainstSpeedscope,
  viewsOfTenMillion,
];

function row(measured: Measured): string {
  const cells = [
    measured.ours,
    measured.input,
    measured.medianMs.toFixed(2),
    measured.reference,
    measured.referenceMedianMs.toFixed(2),
    measured.ratio.toFixed(2),
  ];
  return `| ${cells.join(" | ")} |`;
}

async function printTable(): Promise<void> {
  const table = ["| what | input | ms | compared with | ms | ratio |", "| --- | --- | ---: | --- | ---: | ---: |"];
  for (const prepare of comparisons) table.push(row(await measure(await prepare())));
  console.log(table.join("\n"));
}

async function assertRatios(): Promise<void> {
  for (const prepare of [trainingCheck, ...editChecks, ...editAnalyses, shardedCheckpoint]) {
    const comparison = await prepare();
    let ratio = await measureCpuRatio(comparison);
    // A busy machine can spoil one measurement; work that is too slow is so each time.
    for (let again = 0; again < 2 && ratio > comparison.mostRatio; again += 1)
      ratio = await measureCpuRatio(comparison);
    const isWithin = ratio <= comparison.mostRatio;
    console.log(
      `${isWithin ? "ok  " : "FAIL"} ${ratio.toFixed(2)} of ${comparison.mostRatio}: ${comparison.ours}, ${comparison.input}`,
    );
    if (!isWithin) process.exitCode = 1;
  }
}

const [, , mode, first, second] = process.argv;
if (mode === "--scale-child") await measureScaleChild(first ?? "", second ?? "");
else if (mode === "--scale") measureScale(Number(first ?? 2.3e9));
else if (mode === "--simulate") await measureSimulation();
else await (process.argv.includes("--assert") ? assertRatios() : printTable());
