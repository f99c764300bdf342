import * as vscode from "vscode";

const KEY = "beside=";

/** The address of an editor tab that shows `first` with other files beside it: ranks of a job, or a file to compare with. */
export function besideUri(first: vscode.Uri, others: readonly vscode.Uri[]): vscode.Uri {
  const list = JSON.stringify(others.map((uri) => uri.toString()));
  return first.with({ query: others.length === 0 ? "" : `${KEY}${encodeURIComponent(list)}` });
}

/** The other files of such an address; empty for a plain one. Addresses survive restarts, so anything may stand there. */
export function filesBeside(uri: vscode.Uri): vscode.Uri[] {
  if (!uri.query.startsWith(KEY)) return [];
  try {
    const listed: unknown = JSON.parse(decodeURIComponent(uri.query.slice(KEY.length)));
    if (!Array.isArray(listed)) return [];
    return listed.flatMap((text: unknown) => (typeof text === "string" ? [vscode.Uri.parse(text)] : []));
  } catch {
    return [];
  }
}
