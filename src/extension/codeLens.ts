import * as vscode from "vscode";
import type { OffloadSettings } from "../core/config/offloadSettings.js";
import { type BlockSelection, selectForBlock } from "./blockSelection.js";
import { analyse } from "./documentAnalysis.js";
import { whenModelMayChange } from "./modelDirectory.js";
import { rangeOf } from "./spans.js";
import type { TreeCache } from "./treeCache.js";

/** Names one engine block of one document, as an argument of commands. */
export interface BlockAddress {
  /** URI of the document, as text. */
  readonly uri: string;
  readonly blockPath: string;
}

/** A lens whose text needs the model, which is read when the lens comes into view. */
class SelectionLens extends vscode.CodeLens {
  constructor(
    range: vscode.Range,
    readonly document: vscode.TextDocument,
    readonly settings: OffloadSettings,
  ) {
    super(range);
  }
}

/**
 * One line over each engine block that offloads: what its patterns select, "Profile offload" and "Modules". It stands over
 * `activation_offload_modules`, or over the block where that key is absent.
 */
export class OffloadLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #listeners: vscode.Disposable;

  constructor(private readonly trees: TreeCache) {
    this.#listeners = whenModelMayChange(() => this.#changed.fire());
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { settings } = await analyse(document);
    return settings.filter(offloads).flatMap((block) => lensesOf(document, block));
  }

  async resolveCodeLens(lens: vscode.CodeLens): Promise<vscode.CodeLens> {
    if (!(lens instanceof SelectionLens)) return lens;
    const selection = await selectForBlock(lens.document, lens.settings, this.trees);
    lens.command = commandFor(selection, addressOf(lens.document, lens.settings));
    return lens;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#listeners.dispose();
  }
}

function offloads(settings: OffloadSettings): boolean {
  return settings.enabled === true || settings.modulesKeySpan !== undefined;
}

function lensesOf(document: vscode.TextDocument, settings: OffloadSettings): vscode.CodeLens[] {
  const start = rangeOf(document, settings.modulesKeySpan ?? settings.blockSpan).start;
  const range = new vscode.Range(start, start);
  const profile: vscode.Command = {
    title: "$(play)\u00a0Profile offload",
    tooltip: "Run the engine without and with offload and show streams, copies and memory",
    command: "offloadLens.profile",
    arguments: [addressOf(document, settings)],
  };
  const modules: vscode.Command = {
    title: "$(list-tree)\u00a0Modules",
    tooltip: "Show the model's modules in the side bar, and choose which ones offload",
    command: "offloadLens.modules.focus",
  };
  return [
    new SelectionLens(range, document, settings),
    new vscode.CodeLens(range, profile),
    new vscode.CodeLens(range, modules),
  ];
}

function addressOf(document: vscode.TextDocument, settings: OffloadSettings): BlockAddress {
  return { uri: document.uri.toString(), blockPath: settings.blockPath };
}

function commandFor(selection: BlockSelection, address: BlockAddress): vscode.Command {
  if (selection.kind === "selected") {
    const icon = selection.result.error === null ? "layers" : "warning";
    return {
      title: `$(${icon})\u00a0${selection.sentence}`,
      tooltip: `On ${selection.directory}; click for the list with offload indices`,
      command: "offloadLens.showSelection",
      arguments: [address],
    };
  }
  if (selection.kind === "failed") {
    return {
      title: `$(warning)\u00a0${selection.problem.message}`,
      tooltip: `${selection.problem.code}: ${selection.problem.cause ?? ""} ${selection.problem.nextStep}`,
      command: "offloadLens.chooseModel",
    };
  }
  const missing = selection.writtenPath === undefined ? "" : `; ${selection.writtenPath} is no directory here`;
  return {
    title: `$(folder-opened)\u00a0Choose a model directory${missing}`,
    tooltip: "The directory with the model's config.json and safetensors files, to see what the patterns select",
    command: "offloadLens.chooseModel",
  };
}
