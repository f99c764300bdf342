import * as vscode from "vscode";
import type { Diagnostic } from "../../core/config/document/diagnostic.js";
import { isLayoutId, newestLayout, olderLayouts } from "../../core/config/veomni/layout.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";
import { toEditor } from "./diagnostics.js";
import { MIGRATE_COMMAND } from "./migrateCommand.js";

/** Findings that a conversion of the whole file settles. */
const LAYOUT_CODES: ReadonlySet<string> = new Set([
  "mixed-layouts",
  "moved-key",
  "newer-key",
  "removed-key",
  "misnamed-key",
  "unmerged-key",
  "foreign-key",
]);

/** Offers the conversion of the whole file on findings about its layout, and everywhere among the refactorings. */
export class MigrateActions implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorRewrite],
  };

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { only }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const { dialect, diagnostics } = await analyse(document);
    if (dialect === undefined) return [];
    const under = diagnostics.filter(
      ({ code, span }) => LAYOUT_CODES.has(code) && rangeOf(document, span).intersection(range) !== undefined,
    );
    const fixes =
      wants(only, vscode.CodeActionKind.QuickFix) && under.length > 0 ? [fixFor(document, dialect, under)] : [];
    const isAsked = only !== undefined && wants(only, vscode.CodeActionKind.RefactorRewrite);
    return isAsked ? [...fixes, migrateAction(document)] : fixes;
  }
}

function fixFor(document: vscode.TextDocument, dialect: string, found: readonly Diagnostic[]): vscode.CodeAction {
  const to = isMixed(found) && (olderLayouts as readonly string[]).includes(dialect) ? newestLayout : dialect;
  const name = isLayoutId(to) ? `the layout ${to}` : "today's verl";
  const action = new vscode.CodeAction(`Migrate the whole file to ${name}…`, vscode.CodeActionKind.QuickFix);
  action.diagnostics = found.map((each) => toEditor(document, each));
  action.command = {
    title: action.title,
    command: MIGRATE_COMMAND,
    arguments: [{ uri: document.uri.toString(), to }],
  };
  return action;
}

/** Whose old file holds keys of a newer layout is on the way there. */
function isMixed(found: readonly Diagnostic[]): boolean {
  return found.some(({ code }) => code === "mixed-layouts");
}

function migrateAction(document: vscode.TextDocument): vscode.CodeAction {
  const action = new vscode.CodeAction("Migrate to Another Layout…", vscode.CodeActionKind.RefactorRewrite);
  action.command = { title: action.title, command: MIGRATE_COMMAND, arguments: [{ uri: document.uri.toString() }] };
  return action;
}

function wants(only: vscode.CodeActionKind | undefined, kind: vscode.CodeActionKind): boolean {
  return only === undefined || only.contains(kind);
}
