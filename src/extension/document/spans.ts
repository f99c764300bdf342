import * as vscode from "vscode";
import type { TextSpan } from "../../core/config/document/diagnostic.js";

/** The editor's range for a span of core; both count UTF-16 units, so this is exact. */
export function rangeOf(document: vscode.TextDocument, span: TextSpan): vscode.Range {
  return new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
}
