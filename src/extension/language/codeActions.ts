import * as vscode from "vscode";
import type { Diagnostic, QuickFix } from "../../core/config/document/diagnostic.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";
import { toEditor } from "./diagnostics.js";

/** Offers the fixes of the diagnostics under the cursor; each is one undoable edit. */
export class FixProvider implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  };

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const { diagnostics } = await analyse(document);
    return diagnostics
      .filter((found) => rangeOf(document, found.span).intersection(range) !== undefined)
      .flatMap((found) => found.fixes.map((fix, place) => toAction(document, found, fix, place === 0)));
  }
}

function toAction(document: vscode.TextDocument, found: Diagnostic, fix: QuickFix, first: boolean): vscode.CodeAction {
  const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [toEditor(document, found)];
  action.isPreferred = first;
  action.edit = new vscode.WorkspaceEdit();
  if (fix.convertsLineEnds) action.edit.set(document.uri, [vscode.TextEdit.setEndOfLine(vscode.EndOfLine.LF)]);
  else for (const edit of fix.edits) action.edit.replace(document.uri, rangeOf(document, edit.span), edit.newText);
  return action;
}
