import { basename } from "node:path";
import * as vscode from "vscode";
import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import { readConfig } from "../../core/config/readConfig.js";
import { patternListEdit } from "../../core/config/write/patternListEdit.js";
import { checkOptionsOf } from "../document/checkOptions.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";

/**
 * Writes a pattern list into a block of a configuration: one edit, which Undo takes back; nothing is saved. Fails with the problems
 * of `patternListEdit`, `CONFIG_CHANGED` when the block is gone, `EDIT_REFUSED` when the editor does not take the edit.
 */
export async function applyPatterns(
  document: vscode.TextDocument,
  blockPath: string,
  patterns: readonly string[],
): Promise<Outcome<vscode.Range>> {
  const { settings } = await analyse(document);
  const block = settings.find((candidate) => candidate.blockPath === blockPath);
  if (block === undefined) return fail(changed(document));
  const read = readConfig(document.uri.path, document.getText(), checkOptionsOf(document));
  if (read === undefined) return fail(changed(document));
  const edit = patternListEdit(read, block, patterns);
  if (!edit.ok) return edit;
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, rangeOf(document, edit.value.span), edit.value.newText);
  if (!(await vscode.workspace.applyEdit(change))) return fail(refused(document));
  const end = edit.value.span.start + edit.value.newText.length;
  return succeed(rangeOf(document, { start: edit.value.span.start, end }));
}

function changed(document: vscode.TextDocument) {
  return {
    code: "CONFIG_CHANGED",
    message: `${basename(document.uri.path)} does not hold the block any more.`,
    nextStep: "Choose the block in the Modules view again.",
  };
}

function refused(document: vscode.TextDocument) {
  return {
    code: "EDIT_REFUSED",
    message: `The editor did not take the edit of ${basename(document.uri.path)}.`,
    nextStep: "Check that the file may be written, then apply again.",
  };
}
