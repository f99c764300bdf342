import * as vscode from "vscode";
import { visibleLine } from "../../core/base/visibleText.js";
import type { ValueHint } from "../../core/config/assist/valueHints.js";

/** A hint as the editor draws it. */
export function toInlayHint(document: vscode.TextDocument, { offset, label, tooltip }: ValueHint): vscode.InlayHint {
  const hint = new vscode.InlayHint(document.positionAt(offset), visibleLine(label));
  hint.paddingLeft = true;
  hint.tooltip = new vscode.MarkdownString(tooltip);
  return hint;
}
