import { basename } from "node:path";
import * as vscode from "vscode";
import { visibleLine } from "../../core/base/visibleText.js";
import { type ConfigOutline, dialectName } from "../../core/config/assist/outline.js";
import { isConfigCandidate } from "../document/configLanguages.js";
import { analyse } from "../document/documentAnalysis.js";
import { modelPathFor } from "../document/subject.js";
import { findModel } from "../model/findModel.js";

/** Context key for menus: the active editor shows a config of ours. */
const RECOGNISED_KEY = "offloadLens.recognised";

/** The language status item of the active config: which dialect it was taken for, and which model is looked at. */
export class LanguageStatus implements vscode.Disposable {
  #item: vscode.LanguageStatusItem | undefined;
  #asked = 0;
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
    const asked = ++this.#asked;
    const analysis = document !== undefined && isConfigCandidate(document) ? await analyse(document) : undefined;
    if (asked !== this.#asked) return;
    const dialect = analysis?.dialect;
    void vscode.commands.executeCommand("setContext", RECOGNISED_KEY, dialect !== undefined);
    if (document === undefined || dialect === undefined) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    const search = await findModel(document, modelPathFor(analysis?.settings ?? []));
    // The user may have moved on while the disk was asked.
    if (asked !== this.#asked) return;
    const item = this.#itemFor(document);
    item.text = dialectName(dialect);
    const modelText =
      search.kind === "none" ? "no model" : `model ${basename(search.model.shown)} (from the ${search.model.origin})`;
    item.detail = visibleLine(
      [layoutText(analysis?.reading?.outline), modelText].filter((part) => part !== "").join(" · "),
    );
    item.command = { title: "Choose Model", command: "offloadLens.chooseModel" };
  }

  #itemFor(document: vscode.TextDocument): vscode.LanguageStatusItem {
    this.#item ??= vscode.languages.createLanguageStatusItem("offloadLens.dialect", { language: "yaml" });
    this.#item.name = "Offload Lens";
    this.#item.selector = { language: document.languageId, scheme: document.uri.scheme };
    return this.#item;
  }
}

/** What says that the file has its layout. */
function layoutText(outline: ConfigOutline | undefined): string {
  if (outline === undefined || outline.dialect === "verl") return "";
  const texts = {
    pin: "layout pinned in the first line",
    option: "layout from the settings",
    keys: "layout told by its keys",
    default: "newest layout assumed",
  };
  return texts[outline.origin];
}
