import { counted } from "../../base/quantities.js";
import { shownWord } from "../../base/shownWord.js";
import { editorSteps, selectModules } from "../../modules/selection/select.js";
import { NOT_TRIED, type PatternResult, type SelectionResult } from "../../modules/selection/selectionResult.js";
import type { ModuleTree } from "../../modules/tree.js";
import { code, escapeMarkdown } from "./markdown.js";
import type { ValueHint } from "./valueHints.js";
import type { PatternEntry } from "./writtenPatterns.js";

/** How many entries each pattern of a list adds on this model, as grey text behind it. */
export function patternHints(entries: readonly PatternEntry[], tree: ModuleTree): readonly ValueHint[] {
  if (entries.length === 0) return [];
  const selection = selectModules(
    tree,
    entries.map((entry) => entry.text),
    editorSteps,
  );
  let before = 0;
  return entries.flatMap((entry, at) => {
    const result = selection.patterns[at];
    if (result === undefined) return [];
    const tooltip = patternMarkdown(result, selection, before);
    before += result.matched;
    return [{ offset: entry.span.end, label: labelOf(result), tooltip }];
  });
}

/** What one pattern of a list does: count, first and last module, notes, and the model that says so. */
export function patternHover(entries: readonly PatternEntry[], at: number, tree: ModuleTree): string | undefined {
  const selection = selectModules(
    tree,
    entries.map((entry) => entry.text),
    editorSteps,
  );
  const result = selection.patterns[at];
  if (result === undefined) return undefined;
  const before = selection.patterns.slice(0, at).reduce((total, other) => total + other.matched, 0);
  return patternMarkdown(result, selection, before);
}

function labelOf(result: PatternResult): string {
  const failing = result.notes.find((note) => note.code === "NO_LENGTH" || note.code === "NOT_REACHED");
  if (failing !== undefined) return failing.code === "NO_LENGTH" ? "TypeError" : "not reached";
  if (result.notes.some((note) => note.code === NOT_TRIED)) return "not tried";
  if (result.matched === 0) return "nothing";
  return counted(result.matched, "module");
}

/** `before` counts the entries of the patterns before this one. */
function patternMarkdown(result: PatternResult, selection: SelectionResult, before: number): string {
  const { model, error } = selection;
  const name = model.architecture ?? model.modelType ?? "the model";
  const certainty = model.exact ? "" : ", not exact";
  return [
    `${code(shownWord(result.pattern))} · ${result.kind === "group" ? "every child of the container" : "glob, segment by segment"}`,
    `Adds ${labelOf(result)}${rangeOf(result, selection, before)}.`,
    ...(error === null ? [] : [`The framework raises ${error.type}: ${escapeMarkdown(error.message)}`]),
    result.notes.map((note) => `- ${escapeMarkdown(note.message)}`).join("\n"),
    `*On ${escapeMarkdown(name)} (${escapeMarkdown(model.source)}${certainty}).*`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** First and last entry that this pattern adds; entries stand in selection order, pattern after pattern. */
function rangeOf(result: PatternResult, selection: SelectionResult, before: number): string {
  if (result.matched === 0 || selection.error !== null) return "";
  const first = selection.selected[before];
  const last = selection.selected[before + result.matched - 1];
  if (first === undefined || last === undefined) return "";
  const staying = selection.selected.slice(before, before + result.matched).find((entry) => entry.staysOnDevice);
  const stays = staying === undefined ? "" : `; ${code(staying.name)} has the last index and stays on the device`;
  const range = first === last ? code(first.name) : `${code(first.name)} to ${code(last.name)}`;
  const indices = first === last ? `offload index ${first.index}` : `offload indices ${first.index} to ${last.index}`;
  return `: ${range}, ${indices}${stays}`;
}
