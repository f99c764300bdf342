import { grouped } from "../base/quantities.js";
import { NO_OFFLOAD } from "../profile/strategies.js";
import { deviceMemory } from "./explain.js";
import type { Fits, Limit } from "./fits.js";
import { RESERVED_SHARE } from "./fragmentation.js";

/** What of a job fits a memory, without and with offload: a row of heads, then a row for each question. */
export function fitRows({ budgetBytes, unit, sequenceTokens, answers }: Fits): readonly (readonly string[])[] {
  const heads = answers.map(({ strategy }) => (strategy === NO_OFFLOAD ? "without offload" : `with ${strategy}`));
  const batch = unit === "tokens" ? "tokens of a micro-batch on a GPU, at most" : "sequences of a micro-batch, at most";
  const whole =
    sequenceTokens === undefined ? [] : answers.map(({ microBatch }) => sequencesText(microBatch, sequenceTokens));
  return [
    [`Fits ${deviceMemory(budgetBytes)} (simulated)`, ...heads],
    [batch, ...answers.map(({ microBatch }) => limitText(microBatch))],
    ...(whole.length === 0 ? [] : [["  of the job's longest sequences, whole", ...whole]]),
    ["tokens of one sequence alone, at most", ...answers.map(({ sequence }) => limitText(sequence))],
    ["ranks for the job as it is, at least", ...answers.map(({ ranks }) => limitText(ranks))],
  ];
}

/** What the two ends of each figure mean. */
export function fitNote(): string {
  const percent = (share: number) => `${Math.round((share - 1) * 100)} %`;
  const { least, median, most, runs } = RESERVED_SHARE;
  return `The first figure leaves ${percent(most)} for fragmentation, the most of ${runs} measured steps (${percent(least)} to ${percent(most)}, half of them below ${percent(median)}); the second none.`;
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
