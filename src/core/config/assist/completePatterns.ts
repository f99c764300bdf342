import { counted } from "../../base/quantities.js";
import { compilePattern } from "../../modules/selection/glob.js";
import { groupMark } from "../../modules/selection/groupPattern.js";
import { indexOf } from "../../modules/selection/moduleIndex.js";
import { layerStacks } from "../../modules/selection/patternNotes.js";
import { editorSteps, selectModules } from "../../modules/selection/select.js";
import type { ModuleTree } from "../../modules/tree.js";
import type { TextSpan } from "../document/diagnostic.js";
import { quoteText } from "../document/rawList.js";
import type { LineContext } from "./lineContext.js";
import { rank, type Suggestion } from "./suggestion.js";

const maxChildren = 200;
/** Numbered children beyond these are told by patterns, not one by one. */
const maxNumbered = 12;

/**
 * Entries of a pattern list: whole layer stacks first, then module names below what is typed, one segment at a time. Without
 * a module tree only the pattern that fits most text models. Texts are quoted where YAML would misread them.
 */
export function completePatterns(context: LineContext, tree: ModuleTree | undefined): readonly Suggestion[] {
  if (tree === undefined) return [patternRow(context, "model.layers.{*}", 0, "the layers of most text models")];
  const stacks = layerStacks(tree).map((stack, at) => {
    const pattern = `${stack}.${groupMark}`;
    return patternRow(context, pattern, at, countText(tree, pattern));
  });
  const offered = new Set(stacks.map(({ label }) => label));
  return [...stacks, ...completeNames(context, tree).filter(({ label }) => !offered.has(label))];
}

/** Whole values for the key itself: a list of one pattern, or the empty list. */
export function completePatternList(context: LineContext, tree: ModuleTree | undefined): readonly Suggestion[] {
  const stacks = tree === undefined ? ["model.layers"] : layerStacks(tree);
  const rows = stacks.map((stack, at): Suggestion => {
    const text = `[${quoteText(`${stack}.${groupMark}`)}]`;
    const detail = tree === undefined ? "the layers of most text models" : countText(tree, `${stack}.${groupMark}`);
    return { ...row(context.span, text, detail), kind: "pattern", sortText: rank(0, at) };
  });
  const automatic = { ...row(context.span, "[]", "by class, from the model's _no_split_modules"), sortText: rank(1) };
  return [...rows, automatic];
}

/** Class names, for lists of classes. */
export function completeClasses(context: LineContext, tree: ModuleTree | undefined): readonly Suggestion[] {
  if (tree === undefined) return [];
  const layerClasses = new Set(tree.noSplitModules ?? []);
  const types = new Set([...layerClasses, ...tree.modules.flatMap((module) => module.type ?? [])]);
  return [...types].slice(0, maxChildren).map((type, at) => ({
    ...row(context.span, entryText(context, type), layerClasses.has(type) ? "in _no_split_modules" : "class"),
    label: type,
    kind: "class",
    sortText: rank(layerClasses.has(type) ? 0 : 1, at),
    filterText: filterFor(context, type),
  }));
}

function completeNames(context: LineContext, tree: ModuleTree): readonly Suggestion[] {
  const index = indexOf(tree);
  const typed = context.typed.includes(groupMark) ? "" : context.typed;
  const prefix = typed.slice(0, typed.lastIndexOf(".") + 1);
  const parents = prefix === "" ? [""] : index.frontier(compilePattern(prefix.slice(0, -1))).map((node) => node.name);
  const names = childNames(parents.slice(0, 64).flatMap((parent) => index.childrenOf(parent).map((node) => node.name)));
  const numbered = names.filter((name) => /^\d+$/.test(name));
  const shown = names.filter((name) => !/^\d+$/.test(name)).slice(0, maxChildren);
  const single = numbered.length > maxNumbered ? [] : numbered;
  const rows = [...(numbered.length > 1 ? [groupMark, "*"] : []), ...shown, ...single].map((name) => prefix + name);
  return rows.map((name, at) => ({
    ...row(context.span, entryText(context, name), detailOf(tree, name)),
    label: name,
    kind: isPattern(name) ? "pattern" : "module",
    sortText: rank(isPattern(name) ? 1 : 2, at),
    filterText: filterFor(context, name),
  }));
}

function childNames(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.slice(name.lastIndexOf(".") + 1)))];
}

function isPattern(name: string): boolean {
  return /[*?[]/.test(name);
}

function detailOf(tree: ModuleTree, name: string): string {
  if (isPattern(name)) return countText(tree, name);
  const type = indexOf(tree).find(name)?.type;
  const container = tree.containers.has(name) ? "container, take its children" : undefined;
  return [type, container].filter((part) => part !== undefined).join(", ");
}

/** What a pattern takes when it stands alone. */
function countText(tree: ModuleTree, pattern: string): string {
  const { depth, error } = selectModules(tree, [pattern], editorSteps);
  if (error !== null && error.type !== "ValueError") return `fails: ${error.type}`;
  return counted(depth, "module");
}

function patternRow(context: LineContext, pattern: string, at: number, detail: string): Suggestion {
  return {
    ...row(context.span, entryText(context, pattern), detail),
    label: pattern,
    kind: "pattern",
    sortText: rank(0, at),
    filterText: filterFor(context, pattern),
  };
}

function row(span: TextSpan, insertText: string, detail: string): Suggestion {
  return { label: insertText, kind: "value", span, insertText, isSnippet: false, sortText: rank(0), detail };
}

/** The entry as YAML needs it: with the dash that is missing, and quoted where braces, brackets or a star would be misread. */
function entryText(context: LineContext, pattern: string): string {
  const misread = context.flow ? /[{}[\],]|^[*&!|>%@`]/.test(pattern) : /^[*&!|>%@`{[]/.test(pattern);
  const written =
    context.quote === "'" ? `'${pattern}'` : misread || context.quote !== undefined ? quoteText(pattern) : pattern;
  return needsDash(context) ? `- ${written}` : written;
}

/** A list of a mapping in block style, where the cursor stands on a line without a dash. */
export function needsDash(context: LineContext): boolean {
  return !context.flow && !context.dash && context.place !== "value";
}

/** The editor compares this with the text that gets replaced, the opening quote included. */
function filterFor(context: LineContext, pattern: string): string {
  return context.quote === undefined ? pattern : context.quote + pattern;
}
