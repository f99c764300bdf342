import { grouped } from "../../core/base/quantities.js";
import { tableLines } from "../../core/base/table.js";
import { NO_OFFLOAD } from "../../core/profile/strategies.js";
import { deviceMemory } from "../../core/sweep/explain.js";
import type { Fits, Limit } from "../../core/sweep/fits.js";
import { RESERVED_SHARE } from "../../core/sweep/fragmentation.js";

/** What of a job fits a memory, without and with offload, and what the two ends of each figure mean. */
export function fitLines({ budgetBytes, unit, sequenceTokens, answers }: Fits): readonly string[] {
  const heads = answers.map(({ strategy }) => (strategy === NO_OFFLOAD ? "without offload" : `with ${strategy}`));
  const batch = unit === "tokens" ? "tokens of a micro-batch on a GPU, at most" : "sequences of a micro-batch, at most";
  const rows = [
    [`Fits ${deviceMemory(budgetBytes)} (simulated)`, ...heads],
    [batch, ...answers.map(({ microBatch }) => limitText(microBatch))],
    ...(sequenceTokens === undefined
      ? []
      : [
          [
            "  of the job's longest sequences, whole",
            ...answers.map(({ microBatch }) => sequencesText(microBatch, sequenceTokens)),
          ],
        ]),
    ["tokens of one sequence alone, at most", ...answers.map(({ sequence }) => limitText(sequence))],
    ["ranks for the job as it is, at least", ...answers.map(({ ranks }) => limitText(ranks))],
  ];
  const percent = (share: number) => `${Math.round((share - 1) * 100)} %`;
  const { least, median, most, runs } = RESERVED_SHARE;
  return [
    ...tableLines(rows, ["left", "right"]),
    `The first figure leaves ${percent(most)} for fragmentation, the most of ${runs} measured steps (${percent(least)} to ${percent(most)}, half of them below ${percent(median)}); the second none.`,
  ];
}

/** `23,552 – 30,720`: what fits surely, and what the tensors alone would. */
function limitText({ surely, barely }: Limit): string {
  if (barely === null) return "none";
  const first = surely === null ? "none" : grouped(surely);
  return surely === barely ? first : `${first} – ${grouped(barely)}`;
}

function sequencesText({ surely, barely }: Limit, tokens: number): string {
  const whole = (size: number | null) => (size === null || size < tokens ? null : Math.floor(size / tokens));
  return limitText({ surely: whole(surely), barely: whole(barely) });
}
