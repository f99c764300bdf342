import { type Trend, unclearWord } from "../base/noise.js";
import { counted, formatSignedShare } from "../base/quantities.js";
import { PHASE_TITLES } from "../profile/peakNote.js";
import type { StepPhaseName } from "../profile/result.js";
import { deviceMemory } from "../sweep/explain.js";
import type { Lever, LeverTable, LeverValue } from "./leverTable.js";

/** Where a change of the step's time is no figure any more. */
const LEAST_SHARE = 0.0005;

/** `peak 34.0 GiB in head backward · 3 keys would lower it`; the keys, not their values, are counted. */
export function leversLine({ peakBytes, phase, levers, stackOnly }: LeverTable): string {
  const count = new Set(levers.map(({ key }) => key)).size;
  const would = count === 0 ? "no key would lower it" : `${counted(count, "key")} would lower it`;
  const peak = `peak ${deviceMemory(peakBytes)}${phase === undefined ? "" : ` in ${PHASE_TITLES[phase]}`}`;
  return `${peak}${stackOnly === undefined ? "" : " (stack only)"} · ${would}`;
}

/** `entropy_from_logits_with_chunking = true: peak 34.0 → 22.5 GiB, step +1.3 %`, with the last part of the key. */
export function leverTitle(lever: Lever, table: LeverTable): string {
  return `${shortKey(lever.key)} = ${valueText(lever.value)}: ${leverEffect(lever, table)}`;
}

/** `peak 34.0 → 22.5 GiB, step +1.3 %`, and what the simulator cannot tell apart says so. */
export function leverEffect(lever: Lever, table: LeverTable): string {
  const { ranksAfter } = lever;
  const ranks = ranksAfter === table.ranks ? "" : `, on ${counted(ranksAfter, "rank")}`;
  return `peak ${memoryChange(table.peakBytes, lever.peakBytesAfter)}, step ${timeChange(lever, table)}${ranks}`;
}

/** `34.0 → 22.5 GiB`: the unit once where both have the same. */
export function memoryChange(before: number, after: number): string {
  const [from, to] = [deviceMemory(before), deviceMemory(after)];
  if (from === to) return `stays ${to}`;
  const [figure = "", unit] = from.split(" ");
  return to.endsWith(` ${unit}`) ? `${figure} → ${to}` : `${from} → ${to}`;
}

/** `+1.3 %`; a difference that the simulator does not vouch for is neither better nor worse, and says so. */
export function timeChange({ stepMsAfter, stepTrend }: Lever, { stepMs }: Pick<LeverTable, "stepMs">): string {
  const share = stepMsAfter / stepMs - 1;
  if (Math.abs(share) < LEAST_SHARE) return "the same";
  return `${formatSignedShare(share)}${doubtOf(stepTrend)}`;
}

function doubtOf(trend: Trend): string {
  return trend === "unclear" ? ` (${unclearWord({ width: 0, source: "simulator" })})` : "";
}

export function valueText(value: LeverValue): string {
  return typeof value === "object" ? `[${value.join(", ")}]` : String(value);
}

/** The last part, with the one before where it says little alone. */
export function shortKey(key: string): string {
  const segments = key.split(".");
  const last = segments.at(-1) ?? "";
  return /^(?:enable|fused)$/.test(last) ? segments.slice(-2).join(".") : last;
}

/** Where a peak moves to, for a table; empty where it stays in its phase. */
export function movedTo(before: StepPhaseName | undefined, after: StepPhaseName | undefined): string {
  return after === undefined || after === before ? "" : PHASE_TITLES[after];
}
