import * as vscode from "vscode";
import { analyse, isConfigCandidate } from "./documentAnalysis.js";

/**
 * The document that a command without an address is about: that of the active text editor; where the focus is elsewhere (a
 * profile, the walkthrough), an open one with an engine block, YAML before scripts, visible ones first, then by tab.
 */
export async function documentAtHand(): Promise<vscode.TextDocument | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  if (active !== undefined) return active;
  const visible = vscode.window.visibleTextEditors.map(({ document }) => document);
  const all = [...visible, ...(await openDocuments())];
  const isYaml = (document: vscode.TextDocument): boolean => document.languageId === "yaml";
  for (const document of [...all.filter(isYaml), ...all.filter((each) => !isYaml(each))]) {
    if (isConfigCandidate(document) && (await analyse(document)).settings.length > 0) return document;
  }
  return undefined;
}

/** Documents of the tabs, those of the active group first. A restored tab that nobody looked at yet is read now. */
async function openDocuments(): Promise<readonly vscode.TextDocument[]> {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const groups = [activeTabGroup, ...all.filter((group) => group !== activeTabGroup)];
  const uris = groups.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  const opened = await Promise.allSettled(uris.map((uri) => vscode.workspace.openTextDocument(uri)));
  return opened.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
}
