import * as vscode from "vscode";
import { visibleLine } from "../core/base/visibleText.js";

/*
 * How short texts reach the user outside of editors and pages. They name files, models and keys that others wrote: nothing unseen is
 * left in them, so that no name hides, reorders or forges what stands beside it.
 */

/** One sentence in a message of the editor. */
export function tell(sentence: string): void {
  void vscode.window.showInformationMessage(visibleLine(sentence));
}

/** One error in a message of the editor, with buttons; the one that was chosen. */
export function tellError(sentence: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(visibleLine(sentence), ...buttons);
}

/** A few words in the status bar, for a while. */
export function tellInStatusBar(words: string, forMs: number): void {
  vscode.window.setStatusBarMessage(visibleLine(words), forMs);
}

/** Items of a quick pick, as they may be shown. */
export function pickable<Item extends vscode.QuickPickItem>(items: readonly Item[]): readonly Item[] {
  return items.map((item) => ({
    ...item,
    label: visibleLine(item.label),
    ...(item.description === undefined ? {} : { description: visibleLine(item.description) }),
    ...(item.detail === undefined ? {} : { detail: visibleLine(item.detail) }),
  }));
}
