import { shownWord } from "../../core/base/shownWord.js";
import type { SelectionEstimate } from "../../core/modules/estimate/estimate.js";
import { summariseSelection } from "../../core/modules/selection/layerSummary.js";
import type { SelectedEntry, SelectionResult } from "../../core/modules/selection/selectionResult.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { estimateLines } from "./matchEstimate.js";
import { linesOfText } from "./terminalText.js";

/** The selection as text for people; `estimate` adds the full notes, what happens in a step and what the source could not know. */
export function matchReport(result: SelectionResult, tree: ModuleTree, estimate?: SelectionEstimate): string {
  const explain = estimate !== undefined;
  const selected =
    result.error === null
      ? [`Selected: ${summariseSelection(result, tree).sentence} (depth ${result.depth})`, ...entryLines(result)]
      : [`The framework would raise ${result.error.type}: ${result.error.message}`];
  const lines = [modelLine(result), "", ...patternLines(result, explain), "", ...selected];
  const estimateHere = estimate === undefined || result.error !== null ? [] : estimateLines(estimate);
  const unknown = explain ? result.model.uncertain.map((text) => `  - ${text}`) : [];
  const unknownHead = unknown.length === 0 ? [] : ["", "What the source cannot know:"];
  return `${linesOfText([lines, estimateHere, unknownHead, unknown].flat())}\n`;
}

function modelLine(result: SelectionResult): string {
  const { architecture, modelType, source, exact } = result.model;
  const name = architecture ?? modelType ?? "unknown class";
  return `Model: ${name}, from ${source}${exact ? " (exact)" : " (not exact)"}`;
}

function patternLines(result: SelectionResult, explain: boolean): readonly string[] {
  if (result.patterns.length === 0) return ["No patterns: automatic mode, by the class names in _no_split_modules"];
  const width = Math.min(60, result.patterns.reduce((widest, { pattern }) => Math.max(widest, pattern.length), 0) + 2);
  let next = 0;
  return result.patterns.flatMap(({ pattern, kind, matched, notes }) => {
    const added = result.selected.slice(next, next + matched);
    next += matched;
    const codes = notes.length === 0 ? "" : `  ${notes.map((note) => note.code).join(", ")}`;
    const line = `${JSON.stringify(shownWord(pattern)).padEnd(width)}  ${kind.padEnd(5)}  ${String(matched).padStart(5)} selected${codes}`;
    if (!explain) return [line];
    return [line, ...firstAndLast(added), ...notes.map((note) => `    ${note.code}: ${note.message}`)];
  });
}

function firstAndLast(added: readonly SelectedEntry[]): readonly string[] {
  const [first] = added;
  const last = added.at(-1);
  if (first === undefined || last === undefined || first === last) return [];
  return [`    first ${JSON.stringify(first.name)}, last ${JSON.stringify(last.name)}`];
}

/** One line for each run of numbered neighbours. */
function entryLines(result: SelectionResult): readonly string[] {
  const runs: SelectedEntry[][] = [];
  for (const entry of result.selected) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && continues(last, entry)) run.push(entry);
    else runs.push([entry]);
  }
  const ranges = runs.map((run) => rangeOf(run.map((entry) => String(entry.index))));
  const width = ranges.reduce((widest, range) => Math.max(widest, range.length), 0);
  return runs.map((run, at) => runLine(run, (ranges[at] ?? "").padStart(width)));
}

function runLine(run: readonly SelectedEntry[], range: string): string {
  const [first] = run;
  if (first === undefined) return "";
  const names = rangeOf(run.map((entry) => (entry.name === "" ? "(the model)" : entry.name)));
  const type = first.type === null ? "" : `  ${first.type}`;
  const later =
    first.effectiveIndex === first.index
      ? ""
      : `  runs with ${rangeOf(run.map((entry) => String(entry.effectiveIndex)))}`;
  return `  ${range}  ${names}${type}${later}  ${first.staysOnDevice ? "stays on the device" : "moves"}`;
}

function continues(last: SelectedEntry, next: SelectedEntry): boolean {
  const lastName = splitNumber(last.name);
  const nextName = splitNumber(next.name);
  return (
    lastName !== undefined &&
    nextName !== undefined &&
    lastName.parent === nextName.parent &&
    lastName.number + 1 === nextName.number &&
    last.type === next.type &&
    last.staysOnDevice === next.staysOnDevice &&
    last.effectiveIndex - last.index === next.effectiveIndex - next.index
  );
}

/** The last number in a name and the text around it: `model.layers.7.mlp` is 7 in `model.layers.….mlp`. */
function splitNumber(name: string): { readonly parent: string; readonly number: number } | undefined {
  const parts = /^(.*)\.(\d{1,9})((?:\.[^.]*\D[^.]*)*)$/.exec(name);
  return parts === null ? undefined : { parent: `${parts[1]}.…${parts[3]}`, number: Number(parts[2]) };
}

function rangeOf(values: readonly string[]): string {
  const first = values[0] ?? "";
  return values.length < 2 ? first : `${first} … ${values.at(-1) ?? ""}`;
}
