import * as vscode from "vscode";
import { tell } from "./told.js";

const MAX_FILES = 500;

/** Opens the config of the workspace that sets `key` and selects the line; says so where there is none. */
export async function showSetting(key: string): Promise<void> {
  const line = new RegExp(`^[ \\t-]*(?:[\\w.]+\\.)?${escapeRegExp(key)}[ \\t]*:`, "m");
  const files = await vscode.workspace.findFiles("**/*.{yaml,yml}", "**/{node_modules,.git}/**", MAX_FILES);
  for (const uri of files) {
    const bytes = await vscode.workspace.fs.readFile(uri);
    const found = line.exec(new TextDecoder().decode(bytes));
    if (found === null) continue;
    const document = await vscode.workspace.openTextDocument(uri);
    const start = document.positionAt(found.index);
    const { range } = document.lineAt(start.line);
    await vscode.window.showTextDocument(document, { selection: range, viewColumn: vscode.ViewColumn.Beside });
    return;
  }
  tell(`No YAML file of the workspace sets ${key}.`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
