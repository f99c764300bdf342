import { formatBytes } from "../base/quantities.js";
import type { ValueHint } from "../config/assist/valueHints.js";
import type { OffloadSettings } from "../config/document/offloadSettings.js";
import { milliseconds } from "../sweep/explain.js";
import type { EffectFigures } from "./effectFigures.js";
import { effectTooltip } from "./effectText.js";

const NO_BREAK_SPACE = "\u00a0";

/** The editor cuts what the hints of one line have beyond 43 characters. */
const MOST_CHARACTERS = 40;

/**
 * Grey text behind the switch of a block: the peak before and after, and the step where there is room; the tooltip has all figures.
 * Nothing stands behind a value that has a hint of its own (bytes of the cache limit, what an interpolation gives): the editor would
 * join the two in an order of its choice. Offsets are ends of lines in `text`.
 */
export function effectHints(text: string, settings: OffloadSettings, figures: EffectFigures): readonly ValueHint[] {
  const offset = lineEndOf(text, settings, /\benable_async_activation(?:_offload)?\b/);
  return offset === undefined ? [] : [{ offset, label: labelOf(figures), tooltip: effectTooltip(figures) }];
}

/** The fullest wording that is not cut. */
function labelOf({ peakBytes, stepMs }: EffectFigures): string {
  const after = formatBytes(peakBytes.with);
  const before = formatBytes(peakBytes.without);
  const peak = before === after ? `simulated: peak stays ${after}` : `simulated: peak ${before} → ${after}`;
  const step = milliseconds(stepMs.with).replace(" ", NO_BREAK_SPACE);
  return (
    [`${peak}, ${step} a step`, `${peak}, ${step}`, peak].find(({ length }) => length <= MOST_CHARACTERS) ??
    `simulated: peak ${after}`
  );
}

/** End of the first line in the block that writes the key as a plain value, before a comment behind it. */
function lineEndOf(text: string, { blockSpan }: OffloadSettings, key: RegExp): number | undefined {
  const block = text.slice(blockSpan.start, blockSpan.end);
  const line = new RegExp(`^[^#\\n]*${key.source}\\s*:(?![^\\n]*\\$\\{)[^#\\r\\n]*`, "m").exec(block);
  if (line === null) return undefined;
  return blockSpan.start + line.index + line[0].trimEnd().length;
}
