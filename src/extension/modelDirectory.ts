import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import * as vscode from "vscode";

/** Where the model of a config is, and which of the two says so. */
export interface ModelDirectory {
  readonly path: string;
  readonly origin: "config" | "setting";
}

/** The setting that names a model directory for configs without a usable path. */
export const MODEL_PATH_SETTING = "offloadLens.modelPath";

/**
 * Finds the model directory of a document: the path in its config, else the setting. Relative paths count from the workspace
 * folder, as training scripts are started there, then from the folder of the file. `undefined` when neither names an existing
 * directory (a config may hold the name of a model on a hub).
 */
export async function findModelDirectory(
  document: vscode.TextDocument | undefined,
  writtenPath: string | undefined,
): Promise<ModelDirectory | undefined> {
  const places = placesOf(document);
  const fromConfig = await firstDirectory(writtenPath, places);
  if (fromConfig !== undefined) return { path: fromConfig, origin: "config" };
  const setting = vscode.workspace.getConfiguration(undefined, document?.uri).get<string>(MODEL_PATH_SETTING);
  const fromSetting = await firstDirectory(setting, places);
  return fromSetting === undefined ? undefined : { path: fromSetting, origin: "setting" };
}

/** Calls back when a model may have become known or another one: the setting changed, or files did while the window was away. */
export function whenModelMayChange(changed: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(MODEL_PATH_SETTING)) changed();
    }),
    // A model may have been downloaded or replaced meanwhile.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) changed();
    }),
  );
}

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
  if (path === undefined) return;
  const target = folder === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await vscode.workspace.getConfiguration().update(MODEL_PATH_SETTING, path, target);
}

interface Places {
  readonly workspaceFolder: string | undefined;
  readonly fileFolder: string | undefined;
}

function placesOf(document: vscode.TextDocument | undefined): Places {
  const uri = document?.uri;
  const folder = (uri && vscode.workspace.getWorkspaceFolder(uri)) ?? vscode.workspace.workspaceFolders?.[0];
  return {
    workspaceFolder: folder?.uri.scheme === "file" ? folder.uri.fsPath : undefined,
    fileFolder: uri?.scheme === "file" ? dirname(uri.fsPath) : undefined,
  };
}

async function firstDirectory(written: string | undefined, places: Places): Promise<string | undefined> {
  if (written === undefined || written.trim() === "") return undefined;
  for (const candidate of candidatePaths(written.trim(), places)) {
    if (await isDirectory(candidate)) return candidate;
  }
  return undefined;
}

function candidatePaths(written: string, { workspaceFolder, fileFolder }: Places): readonly string[] {
  // A function as replacement: a `$` in the folder's name means nothing.
  const path = written
    .replace(/\$\{workspaceFolder\}/g, () => workspaceFolder ?? "")
    .replace(/^~(?=\/|$)/, () => homedir());
  if (isAbsolute(path)) return [resolve(path)];
  return [workspaceFolder, fileFolder].flatMap((folder) => (folder === undefined ? [] : [join(folder, path)]));
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
