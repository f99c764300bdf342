import * as vscode from "vscode";

/**
 * Opens a copy of the bundled sample workspace in a new window. The copy lives in the extension's storage and is made once, so
 * that what the user tries there stays.
 */
export async function openSample(extensionUri: vscode.Uri, storage: vscode.Uri): Promise<void> {
  const target = vscode.Uri.joinPath(storage, "sample");
  if (!(await exists(target))) {
    await vscode.workspace.fs.createDirectory(storage);
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, "media", "sample"), target);
  }
  await vscode.commands.executeCommand("vscode.openFolder", target, { forceNewWindow: true });
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
