import { fail, type Outcome, succeed } from "../../base/outcome.js";
import { type ConfigDocument, parseConfig } from "../document/configDocument.js";
import { pinOf } from "../veomni/detectLayout.js";
import { type LayoutId, layoutIds } from "../veomni/layout.js";
import type { TrainingFile } from "../veomni/trainingFile.js";
import type { Route } from "./destination.js";
import { type EntryTree, entryTree, writeTree } from "./entryTree.js";
import { unfoldRoot } from "./flowEntries.js";
import { adaptValues } from "./legacyValues.js";
import { backwardsProblem, type ConvertedText, type Migration } from "./migration.js";
import { brokenProblem, conflictProblem, repeatedProblem, unsafeProblem } from "./migrationProblems.js";
import { type Plan, planMigration } from "./plan.js";
import { rearrange } from "./rearrange.js";
import { differingPath } from "./sameValues.js";
import { TextLines } from "./textLines.js";

/**
 * Converts VeOmni's training YAML to a newer layout, or corrects the keys of its own. Fails with `CONFIG_BROKEN` (the text is no sound
 * YAML), `MIGRATION_HOMELESS` (to an older layout, with the keys that have no place there) and `MIGRATION_BACKWARDS` (the same without
 * such keys; files that belong to every layout are not refused), `MIGRATION_CONFLICT` (two keys want one place, or one stands twice) and `MIGRATION_UNSAFE` (anchors, merge keys
 * or an unusual notation stand in the way). A conversion that succeeds has been compared value by value with the original.
 */
export function migrateLayout({ context }: TrainingFile, to: LayoutId): Outcome<ConvertedText> {
  const { document, detection } = context;
  const [broken] = document.syntaxProblems;
  if (broken !== undefined) return fail(brokenProblem(document.text, broken.message, broken.span.start));
  const { layout: from, origin } = detection;
  const converted = convert(document, { from, to }, origin !== "default");
  return converted.ok ? succeed({ ...converted.value, from, to }) : converted;
}

type Converted = Pick<Migration, "text" | "homeless" | "changed">;

/** `isKnown`: something in the file, or the caller, says that it has the layout that it comes from. */
function convert(document: ConfigDocument, route: Route, isKnown: boolean): Outcome<Converted> {
  const { text, root } = document;
  const tree = treeOf(document);
  if (root?.kind !== "mapping" || tree === undefined) {
    return fail(unsafeProblem("The top level is no plain block of keys."));
  }
  const plan = planMigration(text, root, tree.items, route);
  const homeless = plan.homeless.flatMap(({ keys }) => keys);
  if (isBackwards(route) && (isKnown || !isNothingToDo(plan))) {
    return fail(backwardsProblem(route.from, route.to, homeless));
  }
  const [unsafe] = plan.unsafe;
  if (unsafe !== undefined) return fail(unsafeProblem(`${unsafe} is shared with another place, or written unusually.`));
  const [repeated] = plan.repeated;
  if (repeated !== undefined) return fail(repeatedProblem(repeated));
  const adapted = adaptValues(plan, route);
  const { changed } = adapted;
  if (isNothingToDo(adapted.plan)) return succeed({ text: repinned(text, route.to), homeless, changed });
  const newText = rearranged(tree, text, adapted.plan, route);
  return newText.ok ? succeed({ text: newText.value, homeless, changed }) : newText;
}

/** Braces around a whole file are taken off only when something has to move in it. */
function treeOf(document: ConfigDocument): EntryTree | undefined {
  const tree = entryTree(document);
  if (tree !== undefined || document.root === undefined) return tree;
  const items = unfoldRoot(document.text, document.root);
  return items === undefined ? undefined : { items, lines: new TextLines(document.text), indent: 0, step: 2 };
}

function rearranged(tree: EntryTree, text: string, plan: Plan, route: Route): Outcome<string> {
  const [conflict] = rearrange(tree, text, plan, route.to);
  if (conflict !== undefined) return fail(conflictProblem(conflict.mover, conflict.path));
  const newText = repinned(writeTree(tree), route.to);
  const check = parseConfig(newText, "pyyaml");
  const [broken] = check.syntaxProblems;
  if (broken !== undefined) return fail(unsafeProblem(`After it: ${broken.message}`));
  const differing = differingPath(plan.kept, check);
  return differing === undefined ? succeed(newText) : fail(unsafeProblem(differentCause(differing)));
}

function isBackwards({ from, to }: Route): boolean {
  return layoutIds.indexOf(to) < layoutIds.indexOf(from);
}

function isNothingToDo(plan: Plan): boolean {
  return plan.moves.length + plan.homeless.length + plan.prepared.length === 0;
}

/** A first-line comment that pins the layout follows the file. */
function repinned(text: string, to: LayoutId): string {
  const pin = pinOf(text);
  if (pin === undefined) return text;
  return text.slice(0, pin.span.start) + to + text.slice(pin.span.end);
}

function differentCause(path: string): string {
  if (path === "") return "Its aliases stand for more values than can be compared.";
  return `The value of ${path} would not stay the same.`;
}
