import { counted } from "../../base/quantities.js";
import { shownWord } from "../../base/shownWord.js";
import type { ModuleTree } from "../tree.js";
import { type AttributeValue, resolveAttribute } from "./attributes.js";
import { compilePattern } from "./glob.js";
import { groupMark, groupPrefix } from "./groupPattern.js";
import { type IndexNode, indexOf, type ModuleIndex, type StepBudget } from "./moduleIndex.js";
import { nearestNames } from "./nearestNames.js";
import type { PatternNote } from "./selectionResult.js";

/** What the text of a pattern gives away, whatever it matches. */
export function shapeNotes(tree: ModuleTree, pattern: string): readonly PatternNote[] {
  const notes: PatternNote[] = [];
  const groupEnd = pattern.indexOf(groupMark);
  const suffix = groupEnd < 0 ? "" : pattern.slice(groupEnd + groupMark.length);
  if (suffix !== "") {
    const message = `"${shownWord(suffix)}" after {*} is ignored: the pattern takes whole children of "${shownWord(groupPrefix(pattern))}".`;
    notes.push({ code: "IGNORED_SUFFIX", message });
  }
  const compared = groupEnd < 0 ? pattern : pattern.slice(0, groupEnd);
  const braces = /\{(?!\*\})[^{}]*\}?/.exec(compared);
  if (braces !== null) {
    const message = `"${shownWord(braces[0])}" is compared as plain text: only {*} is special. Write one pattern per layer or a set such as [0-3].`;
    notes.push({ code: "UNSUPPORTED_BRACES", message });
  }
  if (pattern.includes("<*>")) notes.push(angleNote(tree, pattern));
  if (pattern.replaceAll(/\{[^{}]*\}/g, "").includes(",")) {
    const message = 'A comma does not separate patterns: write a list, such as ["a", "b"].';
    notes.push({ code: "COMMA_IN_PATTERN", message });
  }
  if (/\s/.test(compared)) notes.push({ code: "STRAY_SPACE", message: "Spaces count: no module name contains one." });
  const lastSegment = pattern.slice(pattern.lastIndexOf(".") + 1);
  if (classNamesOf(tree).has(lastSegment)) {
    const message = `"${shownWord(lastSegment)}" is a class name; patterns match module names. An empty list selects by the class names in _no_split_modules.`;
    notes.push({ code: "CLASS_NAME_USED", message });
  }
  return notes;
}

/** Documentation writes the mark as `<*>`, which matches nothing: say what the right one would select. */
function angleNote(tree: ModuleTree, pattern: string): PatternNote {
  const written = pattern.replace("<*>", groupMark);
  const value = resolveAttribute(tree, groupPrefix(written));
  const would =
    value.kind === "sized"
      ? ` ${JSON.stringify(shownWord(written))} would select ${counted(value.length, "module")}.`
      : "";
  return { code: "GROUP_ANGLE", message: `The mark is written "{*}", not "<*>".${would}` };
}

const classNames = new WeakMap<ModuleTree, ReadonlySet<string>>();

/** A long list of patterns asks for every one of them. */
function classNamesOf(tree: ModuleTree): ReadonlySet<string> {
  const known = classNames.get(tree);
  if (known !== undefined) return known;
  const found = new Set(tree.modules.flatMap(({ type }) => (type === undefined ? [] : [type])));
  classNames.set(tree, found);
  return found;
}

/** A list given as plain text falls apart into characters. */
export function textNote(text: string): PatternNote {
  const star = text.includes("*") ? ' Its "*" selects the model itself and every top-level module.' : "";
  return {
    code: "TEXT_AS_LIST",
    message: `The value is text, not a list: each character is a pattern of its own.${star}`,
  };
}

/** Why the part before `{*}` did not yield children, or what is odd about those that it yields. */
export function groupNotes(tree: ModuleTree, prefix: string, value: AttributeValue): readonly PatternNote[] {
  if (value.kind === "none") {
    return [
      {
        code: "ATTRIBUTE_NONE",
        message: `"${shownWord(prefix)}" exists and is None; the framework skips the pattern.`,
      },
    ];
  }
  if (value.kind === "no-length") {
    const message = `"${shownWord(prefix)}" is a ${value.typeName}, which has no length: the framework raises TypeError.${containerHint(tree)}`;
    return [{ code: "NO_LENGTH", message }];
  }
  if (value.kind === "missing") return [attributeMissing(tree, prefix, value), ...caseNote(tree, prefix)];
  if (value.length === 0) {
    return [{ code: "NO_MATCH", message: `"${shownWord(prefix)}" has no children.` }];
  }
  if (!value.modules) {
    const message = `"${shownWord(prefix)}" holds ${value.length === 1 ? "1 value that is no module" : `${value.length} values that are not modules`} of the model; wrapping ${value.length === 1 ? "it" : "them"} fails or has no effect.`;
    return [{ code: "NOT_MODULES", message }];
  }
  return [];
}

/** Why a glob matched nothing: the first segment that fails and what exists there. */
export function missingNotes(tree: ModuleTree, pattern: string, budget?: StepBudget): readonly PatternNote[] {
  const index = indexOf(tree);
  const written = pattern.split(".");
  let parents: readonly IndexNode[] = [index.top];
  let failing = 0;
  for (const segment of compilePattern(pattern)) {
    const next = index.below(parents, segment, budget);
    if (next.length === 0) break;
    parents = next;
    failing += 1;
  }
  const where = failing === 0 ? "at the top of the model" : `below "${shownWord(written.slice(0, failing).join("."))}"`;
  const existing =
    failing === 0
      ? index.childrenOf("")
      : parents.slice(0, 64).flatMap((node) => (node.name === "" ? [] : index.childrenOf(node.name)));
  const names = [...new Set(existing.map((node) => node.name.slice(node.name.lastIndexOf(".") + 1)))];
  // A comparison of two words takes longer than a step.
  if (budget !== undefined) budget.steps -= 16 * names.length;
  const segment = written[failing] ?? "";
  const message = `No module matches: "${shownWord(segment)}" matches nothing ${where}.${suggestion(segment, names)}${stackHint(tree, pattern)}`;
  return [{ code: "NO_MATCH", message }, ...caseNote(tree, pattern, budget)];
}

/** What the modules that a pattern added are, where that defeats the offload. */
export function matchNotes(tree: ModuleTree, added: readonly string[]): readonly PatternNote[] {
  const notes: PatternNote[] = [];
  if (added.includes("")) {
    const message =
      "The pattern selects the model itself, which is called with input_ids: every tensor saved under it is copied, and nothing is freed.";
    notes.push({ code: "ROOT_SELECTED", message });
  }
  const container = added.find((name) => tree.containers.has(name) || tree.moduleDicts.has(name));
  if (container !== undefined) {
    const message = `"${container}" is a container, which is never called, so nothing is offloaded. "${container}.{*}" takes its children.`;
    notes.push({ code: "CONTAINER_SELECTED", message });
  }
  const inside = added.filter((name) => layerAround(tree, name) !== undefined);
  if (inside.length > 0) {
    const message =
      `${inside.length} selected modules lie inside a layer ("${inside[0]}"). With gradient checkpointing their hooks sit inside those ` +
      "of the checkpoint and keep what it would throw away: memory use rises. Select the layer instead.";
    notes.push({ code: "INSIDE_LAYER", message });
  }
  return notes;
}

/** The nearest enclosing layer: a direct child of a numbered container, by class when the tree names its layer classes. */
function layerAround(tree: ModuleTree, name: string): string | undefined {
  const index = indexOf(tree);
  for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
    const ancestor = name.slice(0, dot);
    const type = index.find(ancestor)?.type;
    if (type !== undefined && tree.noSplitModules?.includes(type) === true) return ancestor;
    const parent = ancestor.slice(0, Math.max(0, ancestor.lastIndexOf(".")));
    if (tree.containers.has(parent) && (tree.noSplitModules ?? []).length === 0) return ancestor;
  }
  return undefined;
}

function attributeMissing(
  tree: ModuleTree,
  prefix: string,
  value: AttributeValue & { readonly kind: "missing" },
): PatternNote {
  const index = indexOf(tree);
  const where = value.parent === "" ? "The model" : `"${shownWord(value.parent)}"`;
  const names = index.childrenOf(value.parent).map((node) => node.name.slice(node.name.lastIndexOf(".") + 1));
  const start =
    prefix === "" ? "There is no path before {*}" : `${where} has no attribute "${shownWord(value.segment)}"`;
  const message = `${start}; the framework skips the pattern.${suggestion(value.segment, names)}${stackHint(tree, `${prefix}.{*}`)}`;
  return { code: "ATTRIBUTE_MISSING", message };
}

function suggestion(segment: string, names: readonly string[]): string {
  if (names.length === 0) return " There is nothing below.";
  const areNumbers = names.length > 1 && names.every((name) => /^\d+$/.test(name));
  if (areNumbers) return ` There are ${names[0]} to ${names.at(-1)}.`;
  const near = nearestNames(segment, names);
  if (near.length > 0) return ` Nearest: ${near.map((name) => `"${name}"`).join(", ")}.`;
  const shown = names.slice(0, 6).map((name) => `"${name}"`);
  return ` There are: ${shown.join(", ")}${names.length > 6 ? ", …" : ""}.`;
}

/** Layer stacks that the user may have meant, when the pattern names none of them. */
function stackHint(tree: ModuleTree, pattern: string): string {
  const stacks = layerStacks(tree);
  if (stacks.length === 0 || stacks.some((stack) => pattern.startsWith(`${stack}.`))) return "";
  return ` Layer stacks of this model: ${stacks
    .slice(0, 4)
    .map((stack) => `${stack}.{*}`)
    .join(", ")}.`;
}

function containerHint(tree: ModuleTree): string {
  const stacks = layerStacks(tree).slice(0, 4);
  return stacks.length === 0 ? "" : ` Layer stacks of this model: ${stacks.map((stack) => `${stack}.{*}`).join(", ")}.`;
}

const knownStacks = new WeakMap<ModuleTree, readonly string[]>();

/** Containers outside any layer whose children are layers: they have children of their own, or a class that stays whole. */
export function layerStacks(tree: ModuleTree): readonly string[] {
  const known = knownStacks.get(tree) ?? findStacks(tree);
  knownStacks.set(tree, known);
  return known;
}

function findStacks(tree: ModuleTree): readonly string[] {
  const index = indexOf(tree);
  return [...tree.containers].filter((name) => {
    if (/\.\d+(\.|$)/.test(name)) return false;
    const first = index.childrenOf(name)[0];
    if (first === undefined) return false;
    const type = tree.modules[first.row]?.type;
    return first.children.size > 0 || (type !== undefined && tree.noSplitModules?.includes(type) === true);
  });
}

function caseNote(tree: ModuleTree, pattern: string, budget?: StepBudget): readonly PatternNote[] {
  const lowered = lowerCaseIndex(tree);
  const rows = lowered.match(compilePattern(pattern.toLowerCase()), budget);
  const name = tree.modules[rows[0] ?? -1]?.name;
  if (name === undefined || pattern === "") return [];
  return [
    { code: "CASE_DIFFERS", message: `Upper and lower case count: "${name}" differs from the pattern in case only.` },
  ];
}

const lowerCaseIndexes = new WeakMap<ModuleTree, ModuleIndex>();

function lowerCaseIndex(tree: ModuleTree): ModuleIndex {
  const known = lowerCaseIndexes.get(tree);
  if (known !== undefined) return known;
  const modules = tree.modules.map((module) => ({ name: module.name.toLowerCase() }));
  const built = indexOf({
    source: tree.source,
    exact: false,
    uncertain: [],
    modules,
    containers: new Set(),
    moduleDicts: new Set(),
  });
  lowerCaseIndexes.set(tree, built);
  return built;
}
