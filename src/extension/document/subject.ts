import * as vscode from "vscode";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { isConfigCandidate } from "./configLanguages.js";
import { analyse } from "./documentAnalysis.js";

/** Names one engine block of one document, as an argument of commands. */
export interface BlockAddress {
  /** URI of the document, as text. */
  readonly uri: string;
  readonly blockPath: string;
}

/** What a command or view is about: a document with the engine block that decides. */
export interface Subject {
  readonly document: vscode.TextDocument;
  readonly block: OffloadSettings;
  /** Of all engine blocks of the document, in its order. */
  readonly settings: readonly OffloadSettings[];
}

/** Commands can be called by anyone with anything: from menus with a URI, from the palette with nothing. */
export function blockAddress(argument: unknown): BlockAddress | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { uri, blockPath } = argument as { readonly uri?: unknown; readonly blockPath?: unknown };
  return typeof uri === "string" && typeof blockPath === "string" ? { uri, blockPath } : undefined;
}

/** The address of a block, for commands that are to be about it. */
export function addressOf(document: vscode.TextDocument, { blockPath }: OffloadSettings): BlockAddress {
  return { uri: document.uri.toString(), blockPath };
}

/** The document that an address names, else the one at hand. Rejects where the address leads nowhere. */
export async function documentOf(address: BlockAddress | undefined): Promise<vscode.TextDocument | undefined> {
  if (address === undefined) return documentAtHand();
  return vscode.workspace.openTextDocument(vscode.Uri.parse(address.uri));
}

/** The block of a document that an address names, else the one that decides; `undefined` for a document without blocks. */
export async function subjectIn(
  document: vscode.TextDocument,
  blockPath: string | undefined,
): Promise<Subject | undefined> {
  const { settings } = await analyse(document);
  const block = decidingBlock(settings, blockPath);
  return block === undefined ? undefined : { document, block, settings };
}

/** `documentOf` and `subjectIn` in one; `undefined` where no document has a block. */
export async function subjectOf(address: BlockAddress | undefined): Promise<Subject | undefined> {
  const document = await documentOf(address);
  return document === undefined ? undefined : subjectIn(document, address?.blockPath);
}

/** The wanted block while it is there, else the first that offloads, the first that lists modules, the first. */
export function decidingBlock(
  settings: readonly OffloadSettings[],
  wanted: string | undefined,
): OffloadSettings | undefined {
  return (
    settings.find(({ blockPath }) => blockPath === wanted) ??
    settings.find(({ enabled }) => enabled === true) ??
    settings.find(({ modulesKeySpan }) => modulesKeySpan !== undefined) ??
    settings[0]
  );
}

/**
 * The model whose modules help with a block: its own, else the first that the document names. What is measured, simulated or
 * selected is said of one block and takes its own model only.
 */
export function modelPathFor(settings: readonly OffloadSettings[], block?: OffloadSettings): string | undefined {
  return block?.modelPath ?? settings.find(({ modelPath }) => modelPath !== undefined)?.modelPath;
}

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
