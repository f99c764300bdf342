import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { entryOf } from "../document/configNode.js";
import type { Diagnostic, QuickFix, TextEdit, TextSpan } from "../document/diagnostic.js";
import { indentationBefore, lineBreakOf, lineEndAfter, removeEntry } from "../document/edits.js";
import { checkVerl } from "../verl/checkVerl.js";
import type { EngineBlock } from "../verl/engineBlock.js";
import { runsForwardOnly } from "../verl/offloadSwitch.js";
import { removedKey } from "../verl/rules/removedKey.js";
import { readVerlFile, type VerlFile } from "../verl/verlFile.js";
import { tableOf, type WrittenField, writtenFields } from "../verl/writtenFields.js";
import { commentedLines } from "../write/commentOut.js";
import type { ConvertedText, HomelessKey } from "./migration.js";
import { brokenProblem } from "./migrationProblems.js";

/** Changes that touch each other wait for the next round; more rounds than this only a hostile file needs. */
const maxRounds = 12;

/**
 * Converts the keys that verl dropped, and those of other engines, in every engine block of a file: `activation_gpu_limit` becomes
 * the stream-based offload where it was in use, spellings with a counterpart are renamed, the rest becomes comments. Fails with
 * `CONFIG_BROKEN` and `MIGRATION_UNSAFE`.
 */
export function migrateVerl(file: VerlFile): Outcome<ConvertedText> {
  const homeless: HomelessKey[] = [];
  let current = file;
  for (let round = 0; round < maxRounds; round++) {
    const changes = changesIn(current);
    if (!changes.ok) return changes;
    const { text } = current.document;
    if (changes.value.length === 0) return succeed({ from: "verl", to: "verl", text, homeless, changed: [] });
    const applied = applyApart(text, changes.value);
    for (const change of applied.changes) if (change.homeless !== undefined) homeless.push(change.homeless);
    const next = readVerlFile(file.path, applied.text);
    if (next === undefined) return succeed({ from: "verl", to: "verl", text: applied.text, homeless, changed: [] });
    current = next;
  }
  return fail(endlessProblem());
}

/** What happens to one key. */
interface KeyChange {
  readonly edits: readonly TextEdit[];
  readonly homeless?: HomelessKey;
}

function changesIn(file: VerlFile): Outcome<readonly KeyChange[]> {
  const { document, kind } = file;
  const { text } = document;
  const [broken] = document.syntaxProblems;
  if (broken !== undefined) return fail(brokenProblem(text, broken.message, broken.span.start));
  const removals = checkVerl(file, {}).filter(({ code }) => code === removedKey.code);
  const blocks = [...kind.blocks, ...kind.optimizers];
  return succeed(
    blocks.flatMap((block) => writtenFields(block).flatMap((written) => changeOf(text, block, written, removals))),
  );
}

function changeOf(
  text: string,
  block: EngineBlock,
  written: WrittenField,
  removals: readonly Diagnostic[],
): readonly KeyChange[] {
  if (written.field !== undefined) return [];
  const table = tableOf(block);
  const removed = table.removed(written.path);
  const foreign = table.foreign(written.path);
  if (removed !== undefined) {
    const replacement = runsForwardOnly(block) ? undefined : replacementFix(written, removals);
    if (replacement !== undefined) return [{ edits: keepComment(text, written, replacement.edits) }];
    return commentOut(text, block, written, `${removed.removed} removed it.`);
  }
  if (foreign === undefined) return [];
  const { replacement } = foreign;
  if (replacement === undefined) return commentOut(text, block, written, foreign.note);
  if (isTaken(block, written, replacement)) {
    return commentOut(text, block, written, `${replacement} is written already.`);
  }
  return [{ edits: [{ span: written.entry.keySpan, newText: replacement }] }];
}

/** A key that also others would be renamed to goes to the first of them. */
function isTaken(block: EngineBlock, written: WrittenField, replacement: string): boolean {
  if (entryOf(written.container, replacement) !== undefined) return true;
  const first = written.container.entries.find(
    (entry) => tableOf(block).foreign(entry.key)?.replacement === replacement,
  );
  return first !== undefined && first !== written.entry;
}

/** The fix by the new keys, where the rule finds that the old key was in use and so prefers it to plain removal. */
function replacementFix(written: WrittenField, removals: readonly Diagnostic[]): QuickFix | undefined {
  const { start } = written.entry.keySpan;
  const preferred = removals.find((found) => found.span.start === start)?.fixes[0];
  return preferred?.title.startsWith("Replace") ? preferred : undefined;
}

/** The comment behind the replaced key goes above its successors. */
function keepComment(text: string, { entry }: WrittenField, edits: readonly TextEdit[]): readonly TextEdit[] {
  const indentation = indentationBefore(text, entry.span.start);
  const comment = /^\s+(#.*)$/.exec(text.slice(entry.span.end, lineEndAfter(text, entry.span.end)))?.[1];
  if (comment === undefined || indentation === undefined) return edits;
  const line = `${indentation}${comment.trimEnd()}${lineBreakOf(text)}`;
  return edits.map((edit) =>
    edit.span.start <= entry.span.start && edit.span.end > entry.span.end
      ? { ...edit, newText: line + edit.newText }
      : edit,
  );
}

function commentOut(text: string, block: EngineBlock, written: WrittenField, why: string): readonly KeyChange[] {
  const key = block.path === "" ? written.path : `${block.path}.${written.path}`;
  const edit = commentEdit(text, written, why);
  return edit === undefined ? [] : [{ edits: [edit], homeless: { key, why } }];
}

/** In braces there is no line to turn into a comment, so the entry goes. */
function commentEdit(text: string, { entry, container }: WrittenField, why: string): TextEdit | undefined {
  if (container.flow) return removeEntry(text, container, entry, false);
  const indentation = indentationBefore(text, entry.span.start);
  if (indentation === undefined) return undefined;
  const span: TextSpan = { start: entry.span.start - indentation.length, end: lineEndAfter(text, entry.span.end) };
  const commented = commentedLines(text.slice(span.start, span.end), indentation);
  return { span, newText: `${indentation}# No key of verl's engine: ${why}${lineBreakOf(text)}${commented}` };
}

/** Applies the changes that do not touch an earlier one. */
function applyApart(
  text: string,
  changes: readonly KeyChange[],
): { readonly text: string; readonly changes: readonly KeyChange[] } {
  const taken: TextEdit[] = [];
  const applied = changes.filter((change) => {
    const fresh = change.edits.filter((edit) => !taken.some((other) => isSameEdit(edit, other)));
    if (fresh.length === 0 || fresh.some((edit) => taken.some((other) => touches(edit.span, other.span)))) return false;
    taken.push(...fresh);
    return true;
  });
  const backwards = taken.sort((left, right) => right.span.start - left.span.start);
  const newText = backwards.reduce(
    (result, { span, newText: inserted }) => result.slice(0, span.start) + inserted + result.slice(span.end),
    text,
  );
  return { text: newText, changes: applied };
}

function isSameEdit(left: TextEdit, right: TextEdit): boolean {
  return left.span.start === right.span.start && left.span.end === right.span.end && left.newText === right.newText;
}

function touches(left: TextSpan, right: TextSpan): boolean {
  return left.start <= right.end && right.start <= left.end;
}

function endlessProblem(): Problem {
  return {
    code: "MIGRATION_UNSAFE",
    message: "The file holds more old keys side by side than can be converted at once.",
    nextStep: "Write its blocks by lines instead of in braces; nothing was changed.",
  };
}
