import { shownWord } from "../../base/shownWord.js";
import type { ModuleTree } from "../tree.js";
import { type AttributeValue, canonicalName, resolveAttribute } from "./attributes.js";
import { compilePattern } from "./glob.js";
import { groupMark, groupPrefix } from "./groupPattern.js";
import { indexOf, type StepBudget } from "./moduleIndex.js";
import { groupNotes, matchNotes, missingNotes, shapeNotes, textNote } from "./patternNotes.js";
import {
  type FrameworkError,
  NOT_TRIED,
  type PatternNote,
  type PatternResult,
  type SelectedEntry,
  type SelectionResult,
} from "./selectionResult.js";

/** One entry in selection order; `module` names the instance, whatever name it was listed under. */
interface Entry {
  readonly name: string;
  readonly type: string | null;
  readonly module: string;
}

interface Selection {
  readonly tree: ModuleTree;
  readonly budget: StepBudget;
  readonly entries: Entry[];
  readonly names: Set<string>;
  readonly uncertain: string[];
}

interface Applied {
  readonly result: PatternResult;
  readonly error?: FrameworkError;
}

/** Steps of a selection in the editor, which has to answer while somebody types: well below a second. */
export const editorSteps = 3_000_000;

/** No model has as many modules; a list that repeats `{*}` could ask for any number. */
const mostEntries = 500_000;

/**
 * What VeOmni's `activation_offload_modules` selects on this model, in order, with its quirks (offload semantics, part A).
 * A string is read as the framework reads it, one pattern per character; an empty list means the automatic mode, by the class
 * names in `_no_split_modules`. Never fails: what the framework would raise is in `error`. Where `mostSteps` or half a million entries
 * do not suffice, the remaining patterns are not tried, and `isWhole` of `selectionResult.ts` is false.
 */
export function selectModules(
  tree: ModuleTree,
  patterns: readonly string[] | string,
  mostSteps = Number.POSITIVE_INFINITY,
): SelectionResult {
  const list = typeof patterns === "string" ? Array.from(patterns) : patterns;
  if (list.length === 0) return automaticSelection(tree);
  const selection = emptySelection(tree, mostSteps);
  const results: PatternResult[] = [];
  for (const [at, pattern] of list.entries()) {
    if (selection.budget.steps < 0 || selection.entries.length > mostEntries) {
      for (const rest of list.slice(at)) results.push(notTried(rest));
      selection.uncertain.push(tooMuch(at, list.length));
      return resultOf(selection, results, null);
    }
    const { result, error } = applyPattern(selection, pattern);
    results.push(at === 0 && typeof patterns === "string" ? withNotes(result, [textNote(patterns)]) : result);
    if (error === undefined) continue;
    for (const rest of list.slice(at + 1)) results.push(notReached(rest, pattern));
    return resultOf(selection, results, error);
  }
  const nothing = selection.entries.length === 0;
  return nothing
    ? resultOf(selection, results, nothingSelected(list))
    : resultOf(selection, typeof patterns === "string" ? results : results.map(withDeadNote), null);
}

function emptySelection(tree: ModuleTree, steps: number): Selection {
  return { tree, budget: { steps }, entries: [], names: new Set(), uncertain: [] };
}

function applyPattern(selection: Selection, pattern: string): Applied {
  // Reading a pattern takes time for its length, which a hundred characters make as long as one comparison.
  selection.budget.steps -= 1 + pattern.length / 100;
  return pattern.includes(groupMark) ? applyGroup(selection, pattern) : applyGlob(selection, pattern);
}

function applyGroup(selection: Selection, pattern: string): Applied {
  const { tree } = selection;
  const prefix = groupPrefix(pattern);
  const value = resolveAttribute(tree, prefix);
  const notes = [...shapeNotes(tree, pattern)];
  if (value.kind === "no-length") {
    const error = lengthError(value.typeName);
    notes.push(...groupNotes(tree, prefix, value));
    return { result: { pattern, kind: "group", matched: 0, notes }, error };
  }
  if (value.kind === "missing" && !value.certain) selection.uncertain.push(unknownAttribute(prefix, value.segment));
  if (value.kind !== "sized") {
    notes.push(...groupNotes(tree, prefix, value));
    return { result: { pattern, kind: "group", matched: 0, notes } };
  }
  const first = selection.entries[0]?.name;
  selection.budget.steps -= value.length;
  const { added, listedTwice } = addChildren(selection, prefix, value);
  const repeatsFirst = selection.entries.slice(-added.length).some((entry) => entry.name === first);
  notes.push(...groupNotes(tree, prefix, value), ...matchNotes(tree, added), ...doubleNote(listedTwice, repeatsFirst));
  return { result: { pattern, kind: "group", matched: added.length, notes } };
}

/** Takes every child and skips none: this branch lists a module again even if it is already in the list. */
function addChildren(selection: Selection, prefix: string, value: AttributeValue & { readonly kind: "sized" }) {
  const added: string[] = [];
  let listedTwice = 0;
  for (const [at, child] of value.children().entries()) {
    const name = `${prefix}.${at}`;
    if (selection.names.has(name)) listedTwice += 1;
    selection.names.add(name);
    selection.entries.push({ name, type: child.type, module: child.module ?? name });
    added.push(child.module ?? name);
  }
  return { added, listedTwice };
}

function applyGlob(selection: Selection, pattern: string): Applied {
  const { tree, budget } = selection;
  const rows = indexOf(tree).match(compilePattern(pattern), budget);
  const notes = [...shapeNotes(tree, pattern)];
  const added: string[] = [];
  let already = 0;
  for (const row of rows) {
    const module = tree.modules[row];
    if (module === undefined) continue;
    if (selection.names.has(module.name)) {
      already += 1;
      continue;
    }
    selection.names.add(module.name);
    selection.entries.push({ name: module.name, type: module.type ?? null, module: module.name });
    added.push(module.name);
  }
  if (rows.length === 0) notes.push(...missingNotes(tree, pattern, budget));
  if (already > 0) notes.push(alreadyNote(already));
  notes.push(...matchNotes(tree, added));
  return { result: { pattern, kind: "glob", matched: added.length, notes } };
}

function automaticSelection(tree: ModuleTree): SelectionResult {
  const wanted = new Set(tree.noSplitModules ?? []);
  const selection = emptySelection(tree, Number.POSITIVE_INFINITY);
  for (const module of tree.modules) {
    if (module.type === undefined || !wanted.has(module.type)) continue;
    selection.entries.push({ name: module.name, type: module.type, module: module.name });
  }
  if (tree.noSplitNote !== undefined) selection.uncertain.push(tree.noSplitNote);
  if (tree.noSplitModules === undefined) {
    selection.uncertain.push("The source does not say what _no_split_modules holds, which the automatic mode needs.");
  } else if (tree.modules.some((module) => module.type === undefined)) {
    selection.uncertain.push("Some class names are unknown, so the automatic mode may select more than listed.");
  }
  return resultOf(selection, [], selection.entries.length === 0 ? automaticError(tree) : null);
}

function resultOf(
  selection: Selection,
  patterns: readonly PatternResult[],
  error: FrameworkError | null,
): SelectionResult {
  const { tree } = selection;
  const uncertain = [...tree.uncertain, ...new Set(selection.uncertain)];
  const selected = error === null ? numberEntries(tree, selection.entries) : [];
  return {
    model: {
      source: tree.source,
      exact: tree.exact && uncertain.length === 0,
      modelType: tree.modelType ?? null,
      architecture: tree.architecture ?? null,
      uncertain,
    },
    patterns,
    selected,
    depth: selected.length,
    error,
  };
}

/** Gives every entry its offload index; an instance runs with the last index that it was given. */
function numberEntries(tree: ModuleTree, entries: readonly Entry[]): SelectedEntry[] {
  const instances = entries.map((entry) => canonicalName(tree, entry.module));
  const lastIndex = new Map(instances.map((instance, index) => [instance, index]));
  return entries.map((entry, index) => {
    const effectiveIndex = lastIndex.get(instances[index] ?? entry.name) ?? index;
    const staysOnDevice = effectiveIndex === entries.length - 1;
    return { name: entry.name, type: entry.type, index, effectiveIndex, staysOnDevice };
  });
}

function withNotes(result: PatternResult, notes: readonly PatternNote[]): PatternResult {
  return { ...result, notes: [...notes, ...result.notes] };
}

/** One dead pattern among live ones goes unnoticed in training. */
function withDeadNote(result: PatternResult): PatternResult {
  if (result.matched > 0 || result.notes.some((note) => note.code === "ALREADY_SELECTED")) return result;
  const message = "The framework says nothing about it, because other patterns select modules.";
  return { ...result, notes: [...result.notes, { code: "SILENTLY_DEAD", message }] };
}

function notReached(pattern: string, failed: string): PatternResult {
  const kind = pattern.includes(groupMark) ? "group" : "glob";
  const message = `Not applied: the framework stops at "${shownWord(failed)}".`;
  return { pattern, kind, matched: 0, notes: [{ code: "NOT_REACHED", message }] };
}

function notTried(pattern: string): PatternResult {
  const kind = pattern.includes(groupMark) ? "group" : "glob";
  const message = "Not tried: the patterns before it take so long on this model that the preview ends there.";
  return { pattern, kind, matched: 0, notes: [{ code: NOT_TRIED, message }] };
}

function tooMuch(tried: number, all: number): string {
  return `Only the first ${tried} of ${all} patterns are tried: together they take too long on this model for a preview, or select too much.`;
}

function alreadyNote(count: number): PatternNote {
  const what = count === 1 ? "One matching module is" : `${count} matching modules are`;
  return { code: "ALREADY_SELECTED", message: `${what} already selected by an earlier pattern and not listed again.` };
}

function doubleNote(count: number, repeatsFirst: boolean): readonly PatternNote[] {
  if (count === 0) return [];
  const reset = repeatsFirst
    ? " No module runs with index 0 any more, so the counters are not reset at each step (measured: harmless)."
    : "";
  const what = count === 1 ? "One module is" : `${count} modules are`;
  const message =
    `${what} listed twice: a pattern with {*} does not skip what is already selected. Each runs with its last ` +
    `index, while the depth counts both; remove one of the patterns.${reset}`;
  return [{ code: "DOUBLE_LISTED", message }];
}

function unknownAttribute(prefix: string, segment: string): string {
  return `"${shownWord(prefix)}": no module is called "${shownWord(segment)}" there; if the model has another attribute of that name, the framework does not skip the pattern.`;
}

function lengthError(typeName: string): FrameworkError {
  return { type: "TypeError", message: `object of type '${typeName}' has no len()` };
}

function nothingSelected(patterns: readonly string[]): FrameworkError {
  const shown = patterns.slice(0, 5).map((pattern) => JSON.stringify(shownWord(pattern)));
  const more = patterns.length > 5 ? ", …" : "";
  return { type: "ValueError", message: `no module matches activation_offload_modules [${shown.join(", ")}${more}]` };
}

function automaticError(tree: ModuleTree): FrameworkError {
  const names = tree.noSplitModules;
  const none = "the model has no _no_split_modules";
  const reason =
    names === undefined
      ? "its _no_split_modules are not known here"
      : names.length === 0
        ? none
        : `no module is of class ${names.join(", ")}`;
  return { type: "ValueError", message: `activation_offload_modules is empty and ${reason}` };
}
