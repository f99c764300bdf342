import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import * as vscode from "vscode";
import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import { writingProblem } from "../../node/writePieces.js";

/** Folder for saved profiles inside a workspace folder. */
export const PROFILE_FOLDER = ".offload-lens";

/**
 * A fresh path for a saved profile: in `.offload-lens` of the document's workspace folder, or in `storage` where the document
 * belongs to none. Names sort by time: `veomni-20250131-235959.offload`.
 */
export async function newProfilePath(
  document: vscode.TextDocument | undefined,
  storage: vscode.Uri,
): Promise<Outcome<string>> {
  const folder =
    (document && vscode.workspace.getWorkspaceFolder(document.uri)) ?? vscode.workspace.workspaceFolders?.[0];
  const inWorkspace = folder?.uri.scheme === "file";
  const directory = inWorkspace ? join(folder.uri.fsPath, PROFILE_FOLDER) : storage.fsPath;
  try {
    await mkdir(directory, { recursive: true });
    // Results are not sources: keep them out of the user's commits without touching the user's own files.
    if (inWorkspace) await writeOnce(join(directory, ".gitignore"), "*\n");
  } catch (error) {
    return fail(writingProblem(directory, error));
  }
  return succeed(freePath(directory, `${stemOf(document)}-${timestamp(new Date())}`));
}

/** Two profiles may end within one second; no name is used twice. */
function freePath(directory: string, name: string): string {
  let path = join(directory, `${name}.offload`);
  for (let count = 2; existsSync(path); count++) path = join(directory, `${name}-${count}.offload`);
  return path;
}

async function writeOnce(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function stemOf(document: vscode.TextDocument | undefined): string {
  if (document === undefined) return "profile";
  const name = basename(document.uri.path);
  return basename(name, extname(name)).replace(/[^\w.-]+/g, "_") || "profile";
}

function timestamp(now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${date}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}
