import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { TestApi } from "../../src/extension/main.js";

/** The installed extension's own window for tests; activates it where it is not yet active. */
export async function testApi(): Promise<TestApi> {
  const extension = vscode.extensions.getExtension<TestApi>("veomni-offload-lens.veomni-offload-lens");
  if (extension === undefined) throw new Error("the extension is not installed");
  return extension.activate();
}

/** The workspace folder on disk: a copy of the sample. */
export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error("no workspace folder is open");
  return folder.uri.fsPath;
}

/** Opens a file of the workspace in an editor. */
export async function openConfig(name: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(join(workspaceFolder(), name)));
}

/** Writes a file into the workspace and opens it. */
export async function openNewConfig(name: string, text: string): Promise<vscode.TextEditor> {
  const path = join(workspaceFolder(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return openConfig(name);
}

/** Asks again until there is an answer; fails with `what` after the limit. */
export async function eventually<T>(
  what: string | (() => string),
  ask: () => Promise<T | undefined> | T | undefined,
  limitMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) {
      throw new Error(`still waiting for ${typeof what === "string" ? what : what()} after ${limitMs} ms`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The resolved titles of all code lenses of a document, icons left out. */
export async function lensTitles(document: vscode.TextDocument): Promise<string[]> {
  const lenses = await lensesOf(document);
  return lenses.map((lens) => (lens.command?.title ?? "").replace(/\$\([\w-]+\)\s/g, ""));
}

/** All code lenses of a document, resolved, but for those with simulated figures, which come when they are simulated. */
export async function lensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  return (await allLensesOf(document)).filter(
    ({ command }) => command?.command !== "offloadLens.simulate" && command?.command !== "offloadLens.levers",
  );
}

/** Truly all of them. */
export async function allLensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  return vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", document.uri, 100);
}

/** Our diagnostics of a document, as they are now. */
export function ownDiagnostics(document: vscode.TextDocument): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(document.uri).filter((found) => found.source === "Offload Lens");
}

/** Sets profile settings of the workspace; `undefined` removes one. */
export async function setProfileSettings(values: Readonly<Record<string, unknown>>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("offloadLens.profile");
  for (const [name, value] of Object.entries(values)) {
    await configuration.update(name, value, vscode.ConfigurationTarget.Workspace);
  }
}
