import { basename } from "node:path";
import * as vscode from "vscode";
import { analyse, isConfigCandidate } from "./documentAnalysis.js";
import { findModelDirectory } from "./modelDirectory.js";

/** Context key for menus: the active editor shows a config of ours. */
const RECOGNISED_KEY = "offloadLens.recognised";

const DIALECT_NAMES: Readonly<Record<string, string>> = { verl: "verl, VeOmni engine" };

/** The language status item of the active config: which dialect it was taken for, and which model is looked at. */
export class LanguageStatus implements vscode.Disposable {
  #item: vscode.LanguageStatusItem | undefined;
  #shownFor: string | undefined;
  readonly #listeners: vscode.Disposable;

  constructor() {
    this.#listeners = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.#refresh()),
      vscode.workspace.onDidSaveTextDocument(() => this.#refresh()),
      vscode.workspace.onDidChangeConfiguration(() => this.#refresh()),
    );
    void this.#refresh();
  }

  dispose(): void {
    this.#item?.dispose();
    this.#listeners.dispose();
  }

  async #refresh(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const analysis = document !== undefined && isConfigCandidate(document) ? analyse(document) : undefined;
    const dialect = analysis?.dialect;
    void vscode.commands.executeCommand("setContext", RECOGNISED_KEY, dialect !== undefined);
    this.#shownFor = document?.uri.toString();
    if (document === undefined || dialect === undefined) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    const written = analysis?.settings.find((settings) => settings.modelPath !== undefined)?.modelPath;
    const model = await findModelDirectory(document, written);
    // The user may have moved on while the disk was asked.
    if (this.#shownFor !== document.uri.toString()) return;
    const item = this.#itemFor(document);
    item.text = DIALECT_NAMES[dialect] ?? dialect;
    item.detail =
      model === undefined ? "no model directory" : `model ${basename(model.path)} (from the ${model.origin})`;
    item.command = { title: "Choose Model", command: "offloadLens.chooseModelDirectory" };
  }

  #itemFor(document: vscode.TextDocument): vscode.LanguageStatusItem {
    this.#item ??= vscode.languages.createLanguageStatusItem("offloadLens.dialect", { language: "yaml" });
    this.#item.name = "Offload Lens";
    this.#item.selector = { language: document.languageId, scheme: document.uri.scheme };
    return this.#item;
  }
}
