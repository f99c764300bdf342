import * as vscode from "vscode";
import { succeed } from "../../core/base/outcome.js";
import { AnsweringEnd } from "../../core/channel.js";
import { patternsFor } from "../../core/modules/selection/pickPatterns.js";
import { editorSteps, selectModules } from "../../core/modules/selection/select.js";
import type { SelectionResult } from "../../core/modules/selection/selectionResult.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { describeModel, describeSelection } from "../../core/modules/view/describe.js";
import type {
  ModulesCommand,
  ModulesHostMessage,
  ModulesLine,
  ModulesPageMessage,
  Preview,
} from "../../core/modules/view/protocol.js";
import { findModel } from "../model/findModel.js";
import { whenModelMayChange } from "../model/modelDirectory.js";
import type { TreeCache } from "../model/treeCache.js";
import type { Output } from "../output.js";
import { showPage } from "../page.js";
import { whenSettingsChange } from "../settings.js";
import { tellInStatusBar } from "../told.js";
import { webviewPort } from "../webviewPort.js";
import { applyPatterns } from "./modulesApply.js";
import { estimateWorkloadOf, type ModulesSubject, modulesSubjectOf } from "./modulesSubject.js";

export const MODULES_VIEW = "offloadLens.modules";

/** Long enough to let a burst of typing pass, short enough to feel immediate. */
const PAUSE_MS = 80;
/** A model that is read faster replaces the old one without a notice in between. */
const LOADING_AFTER_MS = 200;

interface ShownModel {
  readonly tree: ModuleTree;
  readonly id: number;
}

/**
 * The Modules view: the tree of the model of the config that was active last, what its patterns select, and edit by picking. One
 * refresh runs at a time, and of those that are asked for meanwhile only the newest.
 */
export class ModulesView implements vscode.WebviewViewProvider, vscode.Disposable {
  #view: vscode.WebviewView | undefined;
  #isReady = false;
  #document: vscode.TextDocument | undefined;
  #wantedBlock: string | undefined;
  #subject: ModulesSubject | undefined;
  #model: ShownModel | undefined;
  #nextId = 1;
  #isRefreshing = false;
  #isStale = false;
  #timer: NodeJS.Timeout | undefined;
  #line: AnsweringEnd<ModulesLine> | undefined;
  /** The newest question about ticks, until it is answered. */
  #preview: (ModulesLine["request"] & { readonly settle: (preview: Preview) => void }) | undefined;
  readonly #last = new Map<ModulesHostMessage["type"], string>();
  readonly #listeners: vscode.Disposable;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly trees: TreeCache,
    private readonly output: Output,
  ) {
    this.#listeners = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.#refreshSoon()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.#document || document === vscode.window.activeTextEditor?.document) this.#refreshSoon();
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.#document) this.#refreshSoon();
      }),
      whenSettingsChange(["profile"], () => this.#refreshSoon()),
      whenModelMayChange(() => this.#refreshSoon()),
    );
  }

  /** The newest message of a kind that the page got, for tests. */
  lastMessage<Type extends ModulesHostMessage["type"]>(
    type: Type,
  ): Extract<ModulesHostMessage, { type: Type }> | undefined {
    const text = this.#last.get(type);
    return text === undefined ? undefined : JSON.parse(text);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    this.#view = view;
    this.#isReady = false;
    const listeners: vscode.Disposable[] = [];
    this.#line = new AnsweringEnd<ModulesLine>(webviewPort(webview, listeners), {
      answer: async (request) => succeed(await this.preview(request)),
      onTold: (message) => this.receive(message),
    });
    view.onDidChangeVisibility(() => this.#refreshSoon());
    view.onDidDispose(() => {
      if (this.#view === view) this.#view = undefined;
      for (const listener of listeners) listener.dispose();
    });
    showPage(webview, this.extensionUri, "modules");
  }

  /** Runs an action of the page. */
  send(command: ModulesCommand): void {
    this.#post({ type: "command", command });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listeners.dispose();
  }

  /** What the page asks for. */
  receive(message: ModulesPageMessage): void {
    switch (message.type) {
      case "ready":
        this.#isReady = true;
        this.#model = undefined;
        this.#last.clear();
        this.#refreshSoon();
        break;
      case "chooseModel":
        void vscode.commands.executeCommand("offloadLens.chooseModel");
        break;
      case "chooseBlock":
        this.#wantedBlock = message.blockPath;
        this.#refreshSoon();
        break;
      case "apply":
        void this.#apply(this.#patternsOf(message));
        break;
      case "copy":
        void this.#copy(this.#patternsOf(message));
    }
  }

  #post(message: ModulesHostMessage): void {
    const text = JSON.stringify(message);
    // What the page shows already is not sent again: nothing flickers.
    if (message.type !== "command" && this.#last.get(message.type) === text) return;
    this.#last.set(message.type, text);
    if (this.#view !== undefined) this.#line?.announce(message);
  }

  /** Anything but a list: the page forgets its model. */
  #postNotice(message: Extract<ModulesHostMessage, { type: "empty" | "loading" | "problem" }>): void {
    this.#model = undefined;
    for (const type of ["model", "selection", "empty", "loading", "problem"] as const) {
      if (type !== message.type) this.#last.delete(type);
    }
    this.#post(message);
  }

  #refreshSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), PAUSE_MS);
  }

  async #refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        if (this.#view?.visible === true && this.#isReady) await this.#showNow();
      }
    } finally {
      this.#isRefreshing = false;
    }
  }

  async #showNow(): Promise<void> {
    const before = this.#document;
    this.#subject = (await this.#findSubject()) ?? undefined;
    if (this.#document !== before) this.#wantedBlock = undefined;
    const search = await findModel(this.#subject?.document, this.#subject?.modelPath);
    if (search.kind === "none") {
      if (search.problem !== undefined) this.#postNotice({ type: "problem", problem: search.problem });
      else this.#postNotice({ type: "empty", reason: noModel(this.#subject) });
      return;
    }
    const { shown } = search.model;
    const notice = setTimeout(() => this.#postNotice({ type: "loading", shown }), LOADING_AFTER_MS);
    const loaded = await this.trees.treeOf(search.model);
    clearTimeout(notice);
    if (!loaded.ok) {
      this.#postNotice({ type: "problem", problem: loaded.problem });
      return;
    }
    this.#showTree(loaded.value, shown);
  }

  #showTree(tree: ModuleTree, shown: string): void {
    if (this.#model?.tree !== tree) {
      for (const type of ["selection", "empty", "loading", "problem"] as const) this.#last.delete(type);
      this.#model = { tree, id: this.#nextId++ };
      this.#post(describeModel(tree, shown, this.#model.id));
    }
    const subject = this.#subject;
    // What is no list of texts selects nothing here; the lens and the diagnostics say what is wrong with it.
    const result =
      subject === undefined || subject.block.patternsNotTexts === true
        ? nothingSelected(tree)
        : selectModules(tree, subject.block.patterns ?? [], editorSteps);
    this.#post(describeSelection(tree, result, estimateWorkloadOf(subject), this.#model.id, subject?.described));
  }

  /** The active config; while another kind of file, or nothing, is active, the one before, as long as it is open. */
  async #findSubject(): Promise<ModulesSubject | undefined> {
    const active = vscode.window.activeTextEditor?.document;
    if (active !== undefined) {
      const found = await modulesSubjectOf(active, active === this.#document ? this.#wantedBlock : undefined);
      if (found !== undefined) {
        this.#document = active;
        return found;
      }
    }
    if (this.#document === undefined || this.#document.isClosed) {
      this.#document = undefined;
      return undefined;
    }
    // A text that is broken while it is typed does not empty the view.
    return (await modulesSubjectOf(this.#document, this.#wantedBlock)) ?? this.#subject;
  }

  #namesOf({
    model,
    rows,
  }: {
    readonly model: number;
    readonly rows: readonly number[];
  }): readonly string[] | undefined {
    if (this.#model?.id !== model) return undefined;
    const { modules } = this.#model.tree;
    return rows.map((row) => modules[row]?.name).filter((name) => name !== undefined);
  }

  #patternsOf(message: { readonly model: number; readonly rows: readonly number[] }): readonly string[] | undefined {
    const names = this.#namesOf(message);
    return names === undefined || this.#model === undefined ? undefined : patternsFor(this.#model.tree, names);
  }

  /** The list for ticked modules. Only the newest of the questions that wait is worth one. */
  preview(request: ModulesLine["request"]): Promise<Preview> {
    return new Promise((settle) => {
      const older = this.#preview;
      this.#preview = { ...request, settle };
      if (older !== undefined) {
        older.settle({ patterns: null, note: "The ticks have changed." });
        return;
      }
      setTimeout(() => {
        const newest = this.#preview;
        this.#preview = undefined;
        newest?.settle(previewOf(this.#patternsOf(newest)));
      }, 0);
    });
  }

  async #apply(patterns: readonly string[] | undefined): Promise<void> {
    const subject = this.#subject;
    if (patterns === undefined || subject === undefined) return;
    const applied = await applyPatterns(subject.document, subject.block.blockPath, patterns);
    if (!applied.ok) {
      this.output.showProblem(applied.problem);
      return;
    }
    const editor = await vscode.window.showTextDocument(subject.document, { preserveFocus: true });
    editor.revealRange(applied.value, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  async #copy(patterns: readonly string[] | undefined): Promise<void> {
    if (patterns === undefined || patterns.length === 0) return;
    await vscode.env.clipboard.writeText(patterns.join("\n"));
    const text = patterns.length === 1 ? (patterns[0] ?? "") : `${patterns.length} patterns`;
    tellInStatusBar(`Offload Lens: copied ${text}`, 3000);
    this.#last.delete("copied");
    this.#post({ type: "copied", text });
  }
}

function previewOf(patterns: readonly string[] | undefined): Preview {
  if (patterns === undefined) return { patterns: null, note: "The model has changed." };
  if (patterns.length > 0) return { patterns, note: null };
  const note =
    "Nothing is ticked. An empty list means the automatic mode; switch the offload off in the config instead.";
  return { patterns: null, note };
}

function nothingSelected(tree: ModuleTree): SelectionResult {
  return { ...selectModules(tree, []), patterns: [], selected: [], depth: 0, error: null };
}

function noModel(subject: ModulesSubject | undefined): string {
  if (subject === undefined) return "Open a verl or VeOmni configuration, or choose a model, to see its modules here.";
  const { fileName } = subject.described;
  if (subject.modelPath === undefined) return `${fileName} names no model. Choose one to see what the patterns select.`;
  return `The model of ${fileName}, ${subject.modelPath}, is not on this machine. Choose one to see what the patterns select.`;
}
