import * as vscode from "vscode";
import { besideUri, comparisonUri } from "./timelineUri.js";

export const TRACE_VIEW = "offloadLens.trace";

const TRACE_FILTER = { "Traces and profiles": ["json", "gz", "zst", "offload"], "All files": ["*"] };
/** The traces of a folder of ranks. */
const TRACE_NAME = /\.(pt\.)?trace\.json(\.gz|\.zst)?$/i;
/** More timelines side by side cannot be read. */
const MAX_RANKS = 16;

/** “Open Trace…” and “Open Folder of Ranks…”. */
export function registerTraceCommands(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand("offloadLens.openTrace", (uri?: unknown) => openTrace(uri)),
    vscode.commands.registerCommand("offloadLens.openRankFolder", (uri?: unknown) => openRankFolder(uri)),
  );
}

async function openTrace(given: unknown): Promise<void> {
  const uri = given instanceof vscode.Uri ? given : await chooseTrace("Open Trace");
  if (uri !== undefined) await openTimelines(uri, []);
}

async function openRankFolder(given: unknown): Promise<void> {
  const folder = given instanceof vscode.Uri ? given : await chooseFolder();
  if (folder === undefined) return;
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const names = entries.flatMap(([name, type]) =>
    type !== vscode.FileType.Directory && TRACE_NAME.test(name) ? name : [],
  );
  names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const [first, ...others] = names.slice(0, MAX_RANKS).map((name) => vscode.Uri.joinPath(folder, name));
  if (first === undefined) {
    void vscode.window.showErrorMessage(
      "The folder holds no traces (*.trace.json, *.trace.json.gz, *.trace.json.zst).",
    );
    return;
  }
  if (names.length > MAX_RANKS)
    void vscode.window.showInformationMessage(
      `${MAX_RANKS} of ${names.length} traces are shown, in order of their names.`,
    );
  await openTimelines(first, others);
}

/** Asks for another file and opens the comparison of these files with it, in a tab of its own. */
export async function openComparison(uris: readonly vscode.Uri[]): Promise<void> {
  const added = await chooseTrace("Compare");
  if (added !== undefined)
    await vscode.commands.executeCommand("vscode.openWith", comparisonUri(uris, added), TRACE_VIEW);
}

function openTimelines(first: vscode.Uri, others: readonly vscode.Uri[]): Thenable<unknown> {
  return vscode.commands.executeCommand("vscode.openWith", besideUri(first, others), TRACE_VIEW);
}

async function chooseTrace(openLabel: string): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({ openLabel, filters: TRACE_FILTER, canSelectMany: false });
  return chosen?.[0];
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    openLabel: "Open Ranks",
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return chosen?.[0];
}
