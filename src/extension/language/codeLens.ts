import * as vscode from "vscode";
import { visibleLine } from "../../core/base/visibleText.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";
import { addressOf, type BlockAddress } from "../document/subject.js";
import { inTime } from "../inTime.js";
import { whenModelMayChange } from "../model/modelDirectory.js";
import type { TreeCache } from "../model/treeCache.js";
import { type BlockSelection, selectForBlock } from "../modules/blockSelection.js";

/** A line appears at the latest after this time, without the selection if need be. */
const LENS_WAIT_MS = 400;

/** Selections of documents that were edited or closed meanwhile are never asked for. */
const MOST_LATE = 16;

const readingModel: vscode.Command = { title: "$(sync~spin)\u00a0Reading the model", command: "" };

/**
 * One line over each engine block that offloads: what its patterns select, "Profile offload" and "Modules". It stands over
 * `activation_offload_modules`, or over the block where that key is absent.
 */
export class OffloadLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  /** Selections that came after their lens had to be drawn, by block and state of the document; each is taken once. */
  readonly #late = new Map<string, BlockSelection>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #listeners: vscode.Disposable;

  constructor(private readonly trees: TreeCache) {
    this.#listeners = whenModelMayChange(() => this.#changed.fire());
  }

  /*
   * Lenses are complete when they are handed over: VS Code drops the answer to `resolveCodeLens` when the view scrolls
   * meanwhile, and then shows the line without its first part.
   */
  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { settings } = await analyse(document);
    const blocks = settings.filter(offloads);
    const lines = await Promise.all(blocks.map((block) => this.#lensesOf(document, block)));
    return lines.flat();
  }

  async #lensesOf(document: vscode.TextDocument, block: OffloadSettings): Promise<vscode.CodeLens[]> {
    const selection = await this.#selectionInTime(document, block);
    const first = selection === undefined ? readingModel : commandFor(selection, addressOf(document, block));
    return lensesOf(document, block, first);
  }

  /** `undefined` where the model takes long to read; the lenses are then asked for again when it is known. */
  async #selectionInTime(document: vscode.TextDocument, block: OffloadSettings): Promise<BlockSelection | undefined> {
    const key = `${document.uri.toString()}\n${document.version}\n${block.blockPath}`;
    const late = this.#late.get(key);
    this.#late.delete(key);
    if (late !== undefined) return late;
    const selecting = selectForBlock(document, block, this.trees);
    const known = (await inTime(selecting, LENS_WAIT_MS))?.value;
    if (known === undefined) {
      void selecting.then((selection) => {
        if (this.#late.size >= MOST_LATE) this.#late.clear();
        this.#late.set(key, selection);
        this.#changed.fire();
      });
    }
    return known;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#listeners.dispose();
  }
}

function offloads(settings: OffloadSettings): boolean {
  return settings.enabled === true || settings.modulesKeySpan !== undefined;
}

function lensesOf(document: vscode.TextDocument, settings: OffloadSettings, first: vscode.Command): vscode.CodeLens[] {
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
  return [first, profile, modules].map((command) => new vscode.CodeLens(range, command));
}

function commandFor(selection: BlockSelection, address: BlockAddress): vscode.Command {
  if (selection.kind === "selected") {
    const icon = selection.result.error === null ? "layers" : "warning";
    return {
      title: `$(${icon})\u00a0${visibleLine(selection.sentence)}`,
      tooltip: visibleLine(`On ${selection.directory}; click for the list with offload indices`),
      command: "offloadLens.showSelection",
      arguments: [address],
    };
  }
  if (selection.kind === "failed") {
    return {
      title: `$(warning)\u00a0${visibleLine(selection.problem.message)}`,
      tooltip: visibleLine(`${selection.problem.code}: ${selection.problem.cause ?? ""} ${selection.problem.nextStep}`),
      command: "offloadLens.chooseModel",
    };
  }
  const missing = selection.writtenPath === undefined ? "" : `; ${selection.writtenPath} is no directory here`;
  return {
    title: `$(folder-opened)\u00a0Choose a model directory${visibleLine(missing)}`,
    tooltip: "The directory with the model's config.json and safetensors files, to see what the patterns select",
    command: "offloadLens.chooseModel",
  };
}
