import * as vscode from "vscode";

/** Longer files are none that a person wrote. */
const LARGEST_BYTES = 1024 * 1024;

/** A file of the workspace as it is now. */
export interface SourceText {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly text: string;
}

/** Folders that hold no files of the user's own. */
export const foreignFolders = "**/{node_modules,.git,outputs,wandb,__pycache__}/**";

/** What the editor holds, unsaved changes included, else what is on the disk; long files are left out. */
export async function readSource(uri: vscode.Uri): Promise<SourceText | undefined> {
  const open = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri.toString());
  if (open !== undefined) return { uri, path: pathOf(open), text: open.getText() };
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > LARGEST_BYTES) return undefined;
    const text = new TextDecoder("utf-8").decode(await vscode.workspace.fs.readFile(uri));
    return { uri, path: uri.path, text };
  } catch {
    return undefined;
  }
}

/** A text without a name is YAML by its language only. */
export function pathOf(document: vscode.TextDocument): string {
  const { path } = document.uri;
  return document.languageId === "yaml" && !/\.ya?ml$/i.test(path) ? `${path}.yaml` : path;
}
