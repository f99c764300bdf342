import * as vscode from "vscode";
import type { ValueHint } from "../../core/config/assist/valueHints.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { measuredHints } from "../../core/profile/measuredHints.js";
import type { ProfileResult } from "../../core/profile/result.js";
import { analyse } from "../document/documentAnalysis.js";
import { toInlayHint } from "../document/toInlayHint.js";

interface Measured {
  /** The block as it was profiled. */
  readonly blockText: string;
  readonly result: ProfileResult;
}

/** The newest profile of each engine block of the open documents, as long as the block is what was profiled. */
export class MeasuredProfiles implements vscode.InlayHintsProvider, vscode.Disposable {
  readonly #byBlock = new Map<string, Measured>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.#changed.event;
  readonly #closing: vscode.Disposable;

  constructor() {
    this.#closing = vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document));
  }

  /** Keeps a result for a block whose text was `blockText` when the profile started. */
  keep(document: vscode.TextDocument, blockPath: string, blockText: string, result: ProfileResult): void {
    this.#byBlock.set(keyOf(document, blockPath), { blockText, result });
    this.#changed.fire();
  }

  async provideInlayHints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
    if (this.#byBlock.size === 0) return [];
    const { settings } = await analyse(document);
    return settings
      .flatMap((block) => this.#hintsOf(document, block))
      .map((hint) => toInlayHint(document, hint))
      .filter(({ position }) => range.contains(position));
  }

  /** What is known of a block as it reads now; empty once it was edited, and again there when the edit is undone. */
  #hintsOf(document: vscode.TextDocument, block: OffloadSettings): readonly ValueHint[] {
    const measured = this.#byBlock.get(keyOf(document, block.blockPath));
    const text = blockTextOf(document, block);
    if (measured === undefined || measured.blockText !== text) return [];
    return measuredHints(text, block.blockSpan.start, measured.result);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#closing.dispose();
  }

  #forget(document: vscode.TextDocument): void {
    for (const key of this.#byBlock.keys()) if (key.startsWith(keyOf(document, ""))) this.#byBlock.delete(key);
  }
}

/** The text of an engine block, key included. */
export function blockTextOf(document: vscode.TextDocument, { blockSpan }: OffloadSettings): string {
  return document.getText().slice(blockSpan.start, blockSpan.end);
}

function keyOf(document: vscode.TextDocument, blockPath: string): string {
  return `${document.uri.toString()}\n${blockPath}`;
}
