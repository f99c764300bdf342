import * as vscode from "vscode";
import type { Problem } from "../../core/base/outcome.js";
import { writePieces } from "../../node/writePieces.js";
import type { Output } from "../output.js";

/**
 * Shows a finished result that could not be saved: its figures as JSON (schema offload-profile/1), and the problem with a way to save
 * them elsewhere. The timeline is not among them.
 */
export async function showUnsaved(resultJson: string, problem: Problem, output: Output): Promise<void> {
  const text = `${JSON.stringify(JSON.parse(resultJson), null, 2)}\n`;
  output.showProblem(problem, { title: "Save As…", run: () => saveAs(text, output) });
  const document = await vscode.workspace.openTextDocument({ language: "json", content: text });
  await vscode.window.showTextDocument(document);
}

async function saveAs(text: string, output: Output): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    filters: { JSON: ["json"] },
    title: "Save the Profile's Result",
  });
  if (target === undefined) return;
  // The dialog has asked whether another file may be replaced.
  const saved = await writePieces(target.fsPath, [text]);
  if (!saved.ok) output.showProblem(saved.problem, { title: "Save As…", run: () => saveAs(text, output) });
}
