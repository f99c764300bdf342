import * as vscode from "vscode";
import type { Problem } from "../../core/base/outcome.js";
import { PROFILE_FOLDER } from "./savedProfiles.js";

/** Finds the saved profile that was written last, in the workspace's folders and in `storage`, and opens it. */
export async function openLastProfile(storage: vscode.Uri): Promise<Problem | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => vscode.Uri.joinPath(uri, PROFILE_FOLDER));
  const found = await Promise.all([...folders, storage].map(savedIn));
  const newest = found.flat().sort((a, b) => b.writtenMs - a.writtenMs)[0];
  if (newest === undefined) return noProfile();
  await vscode.commands.executeCommand("vscode.openWith", newest.uri, "offloadLens.profile");
  return undefined;
}

async function savedIn(folder: vscode.Uri): Promise<{ uri: vscode.Uri; writtenMs: number }[]> {
  const { fs } = vscode.workspace;
  try {
    const names = (await fs.readDirectory(folder)).map(([name]) => name).filter((name) => name.endsWith(".offload"));
    const uris = names.map((name) => vscode.Uri.joinPath(folder, name));
    return await Promise.all(uris.map(async (uri) => ({ uri, writtenMs: (await fs.stat(uri)).mtime })));
  } catch {
    // A folder that nobody has saved to does not exist; a file can vanish between listing and asking.
    return [];
  }
}

function noProfile(): Problem {
  return {
    code: "NO_SAVED_PROFILE",
    message: "No saved profile was found.",
    cause: `There is none in the ${PROFILE_FOLDER} folder of this workspace.`,
    nextStep: "Open a config and run Profile Offload; its result is saved there.",
  };
}
