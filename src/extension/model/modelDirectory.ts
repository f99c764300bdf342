import * as vscode from "vscode";
import { storeSettings, whenSettingsChange } from "../settings.js";

/** Asks for a directory and stores it in the workspace's settings, or in the user's where no folder is open. */
export async function chooseModelDirectory(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const chosen = await vscode.window.showOpenDialog({
    title: "Model directory (with config.json and safetensors files)",
    openLabel: "Use This Model",
    canSelectFiles: false,
    canSelectFolders: true,
    ...(folder === undefined ? {} : { defaultUri: folder.uri }),
  });
  const path = chosen?.[0]?.fsPath;
  if (path !== undefined) await storeModelPath(path);
}

/** Stores a path or id in the workspace's settings, or in the user's where no folder is open. */
export async function storeModelPath(path: string): Promise<void> {
  await storeSettings({ modelPath: path });
}

const announced = new vscode.EventEmitter<void>();

/** Says that a model is known better than before, though neither settings nor files changed. */
export function announceModelChange(): void {
  announced.fire();
}

/**
 * Calls back when a model may have become known or another one: the setting changed, files did while the window was away, or it was
 * announced.
 */
export function whenModelMayChange(changed: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    announced.event(changed),
    whenSettingsChange(["modelPath"], changed),
    // A model may have been downloaded or replaced meanwhile.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) changed();
    }),
  );
}
