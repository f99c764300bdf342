import * as vscode from "vscode";
import {
  type PatternOccurrence,
  patternOccurrences,
  refusePatternName,
  renameEdit,
} from "../../core/config/assist/renamePattern.js";
import type { TextEdit } from "../../core/config/document/diagnostic.js";
import { LineIndex } from "../../core/config/document/position.js";
import { readConfig } from "../../core/config/readConfig.js";
import { foreignFolders, pathOf, readSource, type SourceText } from "../document/workspaceText.js";

const FILES = "**/*.{yaml,yml,sh,bash,md,markdown}";
const MOST_FILES = 5_000;
const MOST_NAMED = 5;

/** Renames a module pattern in every YAML file and script of the workspace that writes it, as one undoable edit. */
export class PatternRename implements vscode.RenameProvider {
  prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): { range: vscode.Range; placeholder: string } {
    const found = occurrenceAt(document, position);
    if (found === undefined) throw new Error("Only module patterns can be renamed here.");
    const { span, text } = found;
    return {
      range: new vscode.Range(document.positionAt(span.start), document.positionAt(span.end)),
      placeholder: text,
    };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
    token: vscode.CancellationToken,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const old = occurrenceAt(document, position)?.text;
    if (old === undefined) return undefined;
    const refusal = refusePatternName(newName);
    if (refusal !== undefined) throw new Error(refusal);
    const edit = new vscode.WorkspaceEdit();
    const stuck: string[] = [];
    for (const uri of await urisToSearch(document, token)) {
      if (token.isCancellationRequested) return undefined;
      const source = await readSource(uri);
      if (source?.text.includes(old) === true) addEdits(source, old, newName, edit, stuck);
    }
    // Half a rename would leave scripts and configs apart.
    if (stuck.length > 0) throw new Error(stuckMessage(stuck));
    return edit;
  }
}

function occurrenceAt(document: vscode.TextDocument, position: vscode.Position): PatternOccurrence | undefined {
  const offset = document.offsetAt(position);
  return occurrencesIn(pathOf(document), document.getText()).find(
    ({ span }) => span.start <= offset && offset <= span.end,
  );
}

function occurrencesIn(path: string, text: string): readonly PatternOccurrence[] {
  const read = readConfig(path, text);
  return read === undefined ? [] : patternOccurrences(read);
}

function addEdits(source: SourceText, old: string, name: string, edit: vscode.WorkspaceEdit, stuck: string[]): void {
  const lines = new LineIndex(source.text);
  for (const occurrence of occurrencesIn(source.path, source.text)) {
    if (occurrence.text !== old) continue;
    const change = renameEdit(occurrence, source.text, name);
    if (change !== undefined) edit.replace(source.uri, rangeIn(lines, change), change.newText);
    else stuck.push(`${vscode.workspace.asRelativePath(source.uri)}:${lines.positionAt(occurrence.span.start).line}`);
  }
}

function rangeIn(lines: LineIndex, { span }: TextEdit): vscode.Range {
  const start = lines.positionAt(span.start);
  const end = lines.positionAt(span.end);
  return new vscode.Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1);
}

function stuckMessage(places: readonly string[]): string {
  const more = places.length > MOST_NAMED ? ` and ${places.length - MOST_NAMED} more` : "";
  return `Nothing was renamed: the quotes at ${places.slice(0, MOST_NAMED).join(", ")}${more} do not fit the new name. Change them by hand first.`;
}

async function urisToSearch(
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<readonly vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(FILES, foreignFolders, MOST_FILES, token);
  const others = found.filter((uri) => uri.toString() !== document.uri.toString());
  return [document.uri, ...others];
}
