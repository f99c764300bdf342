import * as vscode from "vscode";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import type { LeverTable } from "../../core/lever/leverTable.js";
import { leversLine, leverTitle } from "../../core/lever/leverText.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";
import { addressOf } from "../document/subject.js";
import { toInlayHint } from "../document/toInlayHint.js";
import type { BlockLevers } from "./blockLevers.js";

/** Levers that a tooltip lists; the command lists all. */
const MOST_IN_TOOLTIP = 6;

/** Where the peak of a block's step lies and how many keys would lower it, beside the effect of the offload. */
export class LeverLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #listener: vscode.Disposable;

  constructor(private readonly levers: BlockLevers) {
    this.#listener = levers.onDidChange(() => this.#changed.fire());
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { settings } = await analyse(document);
    return settings.flatMap((block) => {
      const table = this.levers.tableOf(document, block);
      return table === undefined ? [] : [lensOf(document, block, table)];
    });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#listener.dispose();
  }
}

function lensOf(document: vscode.TextDocument, block: OffloadSettings, table: LeverTable): vscode.CodeLens {
  // Above the block, not above its patterns: there the effect fills the line already.
  const { start } = rangeOf(document, block.blockSpan);
  return new vscode.CodeLens(new vscode.Range(start, start), {
    title: `$(arrow-down)\u00a0${leversLine(table)}`,
    tooltip: tooltipOf(table),
    command: "offloadLens.levers",
    arguments: [addressOf(document, block)],
  });
}

function tooltipOf(table: LeverTable): string {
  const { deviceName, levers, findings, unsure } = table;
  const listed = levers.slice(0, MOST_IN_TOOLTIP).map((lever) => leverTitle(lever, table));
  return [
    `Simulated on ${deviceName}, each key changed alone:`,
    ...listed,
    ...(levers.length > listed.length ? [`and ${levers.length - listed.length} more`] : []),
    ...findings.map(({ message }) => message),
    unsure === undefined ? "Click to choose one." : `None is offered for writing: ${unsure}.`,
  ].join("\n");
}

/** Behind a key that is set and does not do what people expect: by how much. */
export class LeverHintsProvider implements vscode.InlayHintsProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.#changed.event;
  readonly #listener: vscode.Disposable;

  constructor(private readonly levers: BlockLevers) {
    this.#listener = levers.onDidChange(() => this.#changed.fire());
  }

  async provideInlayHints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
    const { settings } = await analyse(document);
    const findings = settings.flatMap((block) => this.levers.tableOf(document, block)?.findings ?? []);
    return findings
      .map(({ span, label, message }) => toInlayHint(document, { offset: span.end, label, tooltip: message }))
      .filter(({ position }) => range.contains(position));
  }

  dispose(): void {
    this.#changed.dispose();
    this.#listener.dispose();
  }
}
