import { posix } from "node:path";
import * as vscode from "vscode";
import { describeProblem } from "../../core/base/outcome.js";
import { visibleLine } from "../../core/base/visibleText.js";
import { isNamedLikeTrace } from "../../core/timeline/import/fileKind.js";
import { folderNotes, type TraceFolder, withoutTraces } from "../../core/timeline/import/folderNotes.js";
import { offeredExtensions } from "../../core/timeline/import/recogniseFormat.js";
import { findTraces } from "../../node/traceFolder.js";
import { tell, tellError } from "../told.js";
import { besideUri, comparisonUri } from "./timelineUri.js";

export const TRACE_VIEW = "offloadLens.trace";

const TRACE_FILTER = { "Traces and profiles": offeredExtensions(), "All files": ["*"] };
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
  const found = await tracesIn(folder);
  if (found === undefined) return;
  const [first, ...others] = found.traces.slice(0, MAX_RANKS).map((path) => vscode.Uri.joinPath(folder, path));
  if (first === undefined) {
    const { message, cause, nextStep } = withoutTraces(posix.basename(folder.path), found);
    void tellError(`${message} ${cause} ${nextStep}`);
    return;
  }
  const cut =
    found.traces.length > MAX_RANKS
      ? [`${MAX_RANKS} of ${found.traces.length} traces are shown, in order of their names.`]
      : [];
  const notes = [...cut, ...folderNotes(found)];
  if (notes.length > 0) tell(notes.join(" "));
  await openTimelines(first, others);
}

/** Looks through a folder, with a button that stops it; `undefined` where it was stopped or cannot be read, which is then said. */
async function tracesIn(folder: vscode.Uri): Promise<TraceFolder | undefined> {
  // Only files of this machine can be read in part; elsewhere names have to do, and reading says what is no trace.
  if (folder.scheme !== "file") return namedLikeTraces(folder);
  const abort = new AbortController();
  const title = visibleLine(`Looking for traces in ${posix.basename(folder.path)}`);
  const found = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => {
      token.onCancellationRequested(() => abort.abort());
      return findTraces(folder.fsPath, folder.fsPath, abort.signal);
    },
  );
  if (abort.signal.aborted) return undefined;
  if (found.ok) return found.value;
  void tellError(describeProblem(found.problem));
  return undefined;
}

async function namedLikeTraces(folder: vscode.Uri): Promise<TraceFolder> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const traces = entries.flatMap(([name, type]) =>
    type !== vscode.FileType.Directory && isNamedLikeTrace(name) ? name : [],
  );
  traces.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return { traces, others: [], isCut: false, unopened: 0 };
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
