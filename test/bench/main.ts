import { checkpointTree } from "./checkpointTree.js";
import { type Comparison, type Measured, measure } from "./comparison.js";
import { configCheck, scriptCheck, trainingCheck } from "./configCheck.js";
import { completionLong, completionShort, editorReading, hoverLong, hoverShort } from "./editing.js";
import { containerRead, visibleSpan } from "./savedProfile.js";
import { selection } from "./selection.js";

/*
 * Entry of `npm run bench`: prints one table, as Markdown, on stdout.
 */

const comparisons: readonly (() => Comparison | Promise<Comparison>)[] = [
  configCheck,
  trainingCheck,
  scriptCheck,
  editorReading,
  completionShort,
  completionLong,
  hoverShort,
  hoverLong,
  checkpointTree,
  selection,
  containerRead,
  visibleSpan,
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

const table = ["| what | input | ms | compared with | ms | ratio |", "| --- | --- | ---: | --- | ---: | ---: |"];
for (const prepare of comparisons) table.push(row(await measure(await prepare())));
console.log(table.join("\n"));
