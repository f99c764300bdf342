import * as vscode from "vscode";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { isConfigCandidate } from "../document/configLanguages.js";
import { analyse } from "../document/documentAnalysis.js";
import { addressOf, type BlockAddress, subjectOf } from "../document/subject.js";
import { whenModelMayChange } from "../model/modelDirectory.js";
import type { TreeCache } from "../model/treeCache.js";
import { tell } from "../told.js";
import { type BlockSelection, selectForBlock } from "./blockSelection.js";
import { formatSelection } from "./selectionText.js";

const SCHEME = "offload-lens-selection";

/**
 * The list behind the code lens: a read-only document beside the config, which follows it while it is edited. A document can
 * be searched, copied from and read by a screen reader, all with the keys that the user knows.
 */
export class SelectionDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registrations: vscode.Disposable;

  constructor(private readonly trees: TreeCache) {
    this.#registrations = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isConfigCandidate(document)) this.#refresh(document.uri.toString());
      }),
      whenModelMayChange(() => this.#refresh(undefined)),
    );
  }

  /** Opens the list of a block; without an address, of the block that decides in the document at hand. */
  async show(address: BlockAddress | undefined): Promise<void> {
    const wanted = address ?? (await activeBlock());
    if (wanted === undefined) {
      tell("Open a verl config with a VeOmni engine block first.");
      return;
    }
    const uri = vscode.Uri.from({ scheme: SCHEME, path: "/Offload selection", query: JSON.stringify(wanted) });
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = readAddress(uri);
    if (address === undefined) return "This list belongs to no config.\n";
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(address.uri));
    const settings = (await analyse(document)).settings.find((candidate) => candidate.blockPath === address.blockPath);
    if (settings === undefined) return `The config has no engine block ${address.blockPath} any more.\n`;
    return text(settings, await selectForBlock(document, settings, this.trees));
  }

  dispose(): void {
    this.#changed.dispose();
    this.#registrations.dispose();
  }

  /** The lists of one config, or all. */
  #refresh(source: string | undefined): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== SCHEME) continue;
      if (source === undefined || readAddress(uri)?.uri === source) this.#changed.fire(uri);
    }
  }
}

async function activeBlock(): Promise<BlockAddress | undefined> {
  const subject = await subjectOf(undefined);
  return subject === undefined ? undefined : addressOf(subject.document, subject.block);
}

function readAddress(uri: vscode.Uri): BlockAddress | undefined {
  try {
    const { uri: source, blockPath } = JSON.parse(uri.query) as Partial<BlockAddress>;
    return typeof source === "string" && typeof blockPath === "string" ? { uri: source, blockPath } : undefined;
  } catch {
    return undefined;
  }
}

function text(settings: OffloadSettings, selection: BlockSelection): string {
  if (selection.kind === "selected") return formatSelection(settings, selection);
  if (selection.kind === "noModel") {
    return "No model directory is known for this config.\nSet actor_rollout_ref.model.path or offloadLens.modelPath.\n";
  }
  const { code, message, cause, nextStep } = selection.problem;
  return [`${code}: ${message}`, cause, nextStep].filter((line) => line !== undefined).join("\n");
}
