import type { ValueHint } from "../config/assist/valueHints.js";
import type { OffloadSettings } from "../config/offloadSettings.js";
import { milliseconds } from "../sweep/explain.js";
import { formatBytes } from "../timeline/quantities.js";
import type { EffectFigures } from "./effectFigures.js";
import { effectTooltip } from "./effectText.js";

/**
 * Grey text behind the lines of a block that decide the effect: peak before and after behind the switch, pinned bytes really held
 * behind the cache limit. Offsets are ends of lines in `text`.
 */
export function effectHints(text: string, settings: OffloadSettings, figures: EffectFigures): readonly ValueHint[] {
  const tooltip = effectTooltip(figures);
  const { peakBytes, stepMs, pinnedBytes } = figures;
  const peak =
    peakBytes.with === peakBytes.without
      ? `peak stays ${formatBytes(peakBytes.with)}`
      : `peak ${formatBytes(peakBytes.without)} → ${formatBytes(peakBytes.with)}`;
  const labels: readonly (readonly [RegExp, string])[] = [
    [/\benable_async_activation(?:_offload)?\b/, `simulated: ${peak}, ${milliseconds(stepMs.with)} a step`],
    [/\bactivation_offload_host_cache_limit_gb\b/, `${formatBytes(pinnedBytes)} pinned in all`],
  ];
  return labels.flatMap(([key, label]) => {
    const offset = lineEndOf(text, settings, key);
    return offset === undefined ? [] : [{ offset, label, tooltip }];
  });
}

/** End of the first line in the block that writes the key, before a comment behind it. */
function lineEndOf(text: string, { blockSpan }: OffloadSettings, key: RegExp): number | undefined {
  const block = text.slice(blockSpan.start, blockSpan.end);
  const line = new RegExp(`^[^#\\n]*${key.source}\\s*:[^#\\r\\n]*`, "m").exec(block);
  if (line === null) return undefined;
  return blockSpan.start + line.index + line[0].trimEnd().length;
}
