import * as vscode from "vscode";
import { patternHints } from "../../core/config/assist/patternHints.js";

import { analyse } from "../document/documentAnalysis.js";
import { toInlayHint } from "../document/toInlayHint.js";
import { whenModelMayChange } from "../model/modelDirectory.js";
import type { TreeCache } from "../model/treeCache.js";
import { treeOfBlock } from "./documentModel.js";

/** Grey text behind values: bytes of the cache limit, effective values of interpolations, modules behind each pattern. */
export class ConfigHints implements vscode.InlayHintsProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.#changed.event;
  readonly #listeners: vscode.Disposable;

  constructor(private readonly trees: TreeCache) {
    this.#listeners = whenModelMayChange(() => this.#changed.fire());
  }

  async provideInlayHints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
    const { reading, settings } = await analyse(document);
    if (reading === undefined) return [];
    const from = document.offsetAt(range.start);
    const to = document.offsetAt(range.end);
    const inView = ({ offset }: { readonly offset: number }): boolean => from <= offset && offset <= to;
    const hints = reading.hints.filter(inView);
    for (const { blockPath, entries } of reading.patternLists) {
      if (!entries.some(({ span }) => inView({ offset: span.end }))) continue;
      const tree = await treeOfBlock(document, settings, blockPath, this.trees);
      if (tree === undefined) continue;
      for (const hint of patternHints(entries, tree)) if (inView(hint)) hints.push(hint);
    }
    return hints.map((hint) => toInlayHint(document, hint));
  }

  dispose(): void {
    this.#changed.dispose();
    this.#listeners.dispose();
  }
}
