import * as vscode from "vscode";
import { type PatternMark, patternMarks } from "../../core/modules/view/patternMarks.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";
import { whenModelMayChange } from "../model/modelDirectory.js";
import type { TreeCache } from "../model/treeCache.js";
import { treeOfBlock } from "./documentModel.js";

/** Long enough to let a burst of typing pass; the editor moves decorations along meanwhile. */
const PAUSE_MS = 100;

/**
 * Strikes out what does nothing in pattern lists on the config's model: patterns without a match, and the text behind `{*}`. The hover
 * on the pattern says why.
 */
export class PatternDecorations implements vscode.Disposable {
  readonly #looks: Readonly<Record<PatternMark["kind"], vscode.TextEditorDecorationType>> = {
    dead: vscode.window.createTextEditorDecorationType({ textDecoration: "line-through", opacity: "0.65" }),
    ignored: vscode.window.createTextEditorDecorationType({ textDecoration: "line-through", opacity: "0.45" }),
  };
  readonly #waiting = new Map<vscode.TextDocument, NodeJS.Timeout>();
  readonly #listeners: vscode.Disposable;

  constructor(private readonly trees: TreeCache) {
    this.#listeners = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => this.#refreshAll()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#refreshSoon(document)),
      whenModelMayChange(() => this.#refreshAll()),
    );
    this.#refreshAll();
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    for (const look of Object.values(this.#looks)) look.dispose();
    this.#listeners.dispose();
  }

  #refreshAll(): void {
    for (const { document } of vscode.window.visibleTextEditors) void this.#refresh(document);
  }

  #refreshSoon(document: vscode.TextDocument): void {
    if (document.languageId !== "yaml") return;
    clearTimeout(this.#waiting.get(document));
    this.#waiting.set(
      document,
      setTimeout(() => {
        this.#waiting.delete(document);
        if (!document.isClosed) void this.#refresh(document);
      }, PAUSE_MS),
    );
  }

  async #refresh(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== "yaml") return;
    const { version } = document;
    const marks = await this.#marksOf(document);
    // Whoever typed meanwhile is asked again in a moment.
    if (document.isClosed || document.version !== version) return;
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document !== document) continue;
      for (const kind of ["dead", "ignored"] as const) {
        const ranges = marks.filter((mark) => mark.kind === kind).map(({ span }) => rangeOf(document, span));
        editor.setDecorations(this.#looks[kind], ranges);
      }
    }
  }

  async #marksOf(document: vscode.TextDocument): Promise<readonly PatternMark[]> {
    const { reading, settings } = await analyse(document);
    const text = document.getText();
    const marks: PatternMark[] = [];
    for (const { blockPath, entries } of reading?.patternLists ?? []) {
      const tree = await treeOfBlock(document, settings, blockPath, this.trees);
      if (tree === undefined) continue;
      for (const mark of patternMarks(text, entries, tree)) marks.push(mark);
    }
    return marks;
  }
}
