import { visibleLine } from "../../core/base/visibleText.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import type { PatternResult, SelectedEntry } from "../../core/modules/selection/selectionResult.js";
import type { BlockSelection } from "./blockSelection.js";

/** The list of selected modules as text: model, sum, patterns with their notes, entries by offload index. */
export function formatSelection(
  settings: OffloadSettings,
  { directory, result, sentence }: BlockSelection & { readonly kind: "selected" },
): string {
  const { model, selected, error } = result;
  const name = model.architecture ?? model.modelType ?? "unknown architecture";
  return [
    `Offload selection${settings.blockPath === "" ? "" : ` of ${settings.blockPath}`}`,
    `Model: ${name} (from the ${model.source}${model.exact ? "" : ", not exact"})`,
    `  ${directory}`,
    ...model.uncertain.map((sentence) => `  ${sentence}`),
    ...(settings.enabled === true ? [] : ["Async offload is not switched on in this block."]),
    "",
    sentenceCase(sentence),
    ...(error === null ? [] : [`The framework would raise ${error.type}: ${error.message}`]),
    "",
    "Patterns",
    ...(result.patterns.length === 0
      ? ["  (empty list: the model's own layer classes, in order)"]
      : result.patterns.flatMap(patternLines)),
    "",
    "Selected, by offload index",
    ...(selected.length === 0 ? ["  nothing"] : entryLines(selected)),
    "",
  ]
    .map(visibleLine)
    .join("\n");
}

function patternLines({ pattern, kind, matched, notes }: PatternResult): readonly string[] {
  const head = `  ${pattern}  (${kind}, ${matched} matched)`;
  return [head, ...notes.map((note) => `    ${note.code}: ${note.message}`)];
}

function entryLines(selected: readonly SelectedEntry[]): readonly string[] {
  const nameWidth = selected.reduce((width, entry) => Math.max(width, entry.name.length), 0);
  const fateWidth = selected.reduce((width, entry) => Math.max(width, fate(entry).length), 0);
  const indexWidth = String(selected.length - 1).length + 2;
  return selected.map((entry) => {
    const index = String(entry.index).padStart(indexWidth);
    return `${index}  ${entry.name.padEnd(nameWidth)}  ${fate(entry).padEnd(fateWidth)}  ${entry.type ?? ""}`.trimEnd();
  });
}

function fate(entry: SelectedEntry): string {
  const place = entry.staysOnDevice ? "stays on the device" : "moves";
  return entry.index === entry.effectiveIndex ? place : `${place}, runs with index ${entry.effectiveIndex}`;
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
