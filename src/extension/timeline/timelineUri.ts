import { posix } from "node:path";
import * as vscode from "vscode";

const KEY = "beside=";
/** A comparison is a tab of its own, called by its files: an editor's tab takes its title from its address. */
const COMPARISON_SCHEME = "offload-lens-comparison";

/** The address of an editor tab that shows `first` with other files beside it: ranks of a job. */
export function besideUri(first: vscode.Uri, others: readonly vscode.Uri[]): vscode.Uri {
  return first.with({ query: others.length === 0 ? "" : queryOf(others) });
}

/** The address of an editor tab that compares `added` with the files of another tab. */
export function comparisonUri(files: readonly vscode.Uri[], added: vscode.Uri): vscode.Uri {
  const path = `/${comparisonTitle(files, added)}`;
  return vscode.Uri.from({ scheme: COMPARISON_SCHEME, path, query: queryOf([...files, added]) });
}

export function isComparison(uri: vscode.Uri): boolean {
  return uri.scheme === COMPARISON_SCHEME;
}

/** The files of a tab, in the order in which they are shown. Addresses survive restarts, so anything may stand there. */
export function filesOf(uri: vscode.Uri): readonly vscode.Uri[] {
  const listed = listedIn(uri.query);
  if (isComparison(uri) && listed.length > 0) return listed;
  return [uri.with({ query: "" }), ...listed];
}

function queryOf(uris: readonly vscode.Uri[]): string {
  return `${KEY}${encodeURIComponent(JSON.stringify(uris.map((uri) => uri.toString())))}`;
}

function listedIn(query: string): vscode.Uri[] {
  if (!query.startsWith(KEY)) return [];
  try {
    const listed: unknown = JSON.parse(decodeURIComponent(query.slice(KEY.length)));
    if (!Array.isArray(listed)) return [];
    return listed.flatMap((text: unknown) => (typeof text === "string" ? [vscode.Uri.parse(text)] : []));
  } catch {
    return [];
  }
}

/** `before.json ↔ after.json`; files of one name with their folders. */
function comparisonTitle(files: readonly vscode.Uri[], added: vscode.Uri): string {
  const nameOf = ({ path }: vscode.Uri) => posix.basename(path);
  const [first] = files;
  const isAlike = first !== undefined && nameOf(first) === nameOf(added);
  const titleOf = (uri: vscode.Uri) =>
    isAlike ? `${nameOf(uri)} (${posix.basename(posix.dirname(uri.path))})` : nameOf(uri);
  const rest = files.length > 1 ? ` and ${files.length - 1} more` : "";
  return `${first === undefined ? "" : titleOf(first)}${rest} ↔ ${titleOf(added)}`;
}
