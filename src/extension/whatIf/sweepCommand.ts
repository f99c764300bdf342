import { basename } from "node:path";
import * as vscode from "vscode";
import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import { AnsweringEnd } from "../../core/channel.js";
import { readConfig } from "../../core/config/readConfig.js";
import { choiceEdit, isWritable } from "../../core/config/write/choiceEdits.js";
import { leversLine, leverTitle } from "../../core/lever/leverText.js";
import { MOST_TOKENS } from "../../core/profile/engineFlags.js";
import type { Simulator } from "../../core/profile/simulator.js";
import { type FitJob, runFits } from "../../core/sweep/fits.js";
import { DEFAULT_GRID, type SweepBase } from "../../core/sweep/grid.js";
import type { SweepPoint } from "../../core/sweep/points.js";
import { runSweep, type Simulate } from "../../core/sweep/runSweep.js";
import { readSweepPageMessage, type SweepHostMessage, type SweepLine } from "../../core/sweep/sweepProtocol.js";
import { stepSentences } from "../../core/workload/jobStep.js";
import { scopeText } from "../../core/workload/scopeText.js";
import { stepRequest } from "../../core/workload/stepRequest.js";
import { checkOptionsOf } from "../document/checkOptions.js";
import { rangeOf } from "../document/spans.js";
import { type BlockAddress, type Subject, subjectOf } from "../document/subject.js";
import { findModel } from "../model/findModel.js";
import { modelConfigText } from "../model/modelConfigText.js";
import type { Output } from "../output.js";
import { showPage } from "../page.js";
import { simulatedDevice } from "../settings.js";
import { stepOf } from "../stepWorkload.js";
import { webviewPort } from "../webviewPort.js";
import type { BlockLevers } from "./blockLevers.js";

/** The command "What If…": simulates a grid of settings, shows it as plot and table, and writes the chosen point as one edit. */
export class SweepCommand implements vscode.Disposable {
  #panel: vscode.WebviewPanel | undefined;
  #line: AnsweringEnd<SweepLine> | undefined;
  #subject: Subject | undefined;
  #points: readonly SweepPoint[] = [];
  #writable: readonly boolean[] = [];
  #run = 0;
  /** The page is there and listens. */
  #isReady = false;
  #last: SweepHostMessage | undefined;
  /** What came behind the newest result. */
  #beside: SweepHostMessage | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly simulator: Simulator,
    private readonly levers: BlockLevers,
    private readonly output: Output,
  ) {}

  /** The newest message that the page got, for tests. */
  get lastMessage(): SweepHostMessage | undefined {
    return this.#last;
  }

  async show(address: BlockAddress | undefined): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      this.output.showProblem(untrusted);
      return;
    }
    const subject = await subjectOf(address);
    if (subject === undefined) {
      this.output.showProblem(noConfig);
      return;
    }
    this.#subject = subject;
    this.#open();
    await this.#sweep(null);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(): void {
    if (this.#panel !== undefined) {
      this.#panel.reveal(undefined, true);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      "offloadLens.whatIf",
      "What If…",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { retainContextWhenHidden: true },
    );
    this.#panel = panel;
    this.#isReady = false;
    const listeners: vscode.Disposable[] = [];
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#line = undefined;
      for (const listener of listeners) listener.dispose();
      this.#run += 1;
    });
    this.#line = new AnsweringEnd<SweepLine>(webviewPort(panel.webview, listeners), {
      onTold: (message) => this.#receive(message),
    });
    showPage(panel.webview, this.extensionUri, "sweep");
  }

  #receive(message: unknown): void {
    const read = readSweepPageMessage(message);
    switch (read?.type) {
      case "ready":
        this.#isReady = true;
        if (this.#last !== undefined) this.#line?.announce(this.#last);
        if (this.#beside !== undefined) this.#line?.announce(this.#beside);
        break;
      case "run":
        void this.#sweep(read.budgetGib);
        break;
      case "apply":
        void this.#apply(read.point);
        break;
      case undefined:
        break;
    }
  }

  #post(message: SweepHostMessage): void {
    this.#last = message;
    if (this.#isReady) this.#line?.announce(message);
  }

  async #sweep(budgetGib: number | null): Promise<void> {
    const subject = this.#subject;
    if (subject === undefined) return;
    this.#run += 1;
    this.#beside = undefined;
    const run = this.#run;
    const title = titleOf(subject);
    this.#post({ type: "running", title, done: 0, total: 1 });
    const base = await baseOf(subject);
    const outcome = base.ok
      ? await runSweep(
          (request) => this.simulator.simulate(request),
          base.value.base,
          { ...DEFAULT_GRID, microBatches: base.value.microBatches },
          { budgetBytes: budgetGib === null ? undefined : budgetGib * 1024 ** 3 },
          (done, total) => {
            if (run === this.#run) this.#post({ type: "running", title, done, total });
          },
          () => run !== this.#run,
        )
      : base;
    if (run !== this.#run) return;
    if (!outcome.ok) {
      this.#post({ type: "problem", problem: outcome.problem });
      return;
    }
    if (!base.ok) return;
    const { step, unsure } = base.value;
    this.#points = outcome.value.points;
    const writable = this.#points.map((point) => unsure === undefined && isWritable(point));
    this.#writable = writable;
    this.#post({ type: "result", title, sweep: outcome.value, writable, step, unsure: unsure ?? null });
    await this.#showBeside(subject, base.value, outcome.value.budgetBytes, run);
  }

  /** What fits, and what single keys would do: behind the result, as long as nobody asks for another one. */
  async #showBeside(subject: Subject, { fitJob }: Base, budgetBytes: number | null, run: number): Promise<void> {
    const isOld = () => run !== this.#run;
    const simulate: Simulate = (request) => this.simulator.simulate(request);
    const fits = fitJob && budgetBytes !== null ? await runFits(simulate, fitJob, budgetBytes, isOld) : undefined;
    if (isOld()) return;
    const table = await this.levers.whenKnown(subject.document, subject.block);
    if (isOld()) return;
    const titles = table?.levers.map((lever) => leverTitle(lever, table)) ?? [];
    this.#beside = {
      type: "beside",
      levers: table === undefined ? [] : [`Single keys: ${leversLine(table)}`, ...titles],
      fits: fits?.ok === true ? fits.value : null,
    };
    if (this.#isReady) this.#line?.announce(this.#beside);
  }

  async #apply(index: number): Promise<void> {
    const point = this.#points[index];
    const subject = this.#subject;
    if (point === undefined || subject === undefined || this.#writable[index] !== true) return;
    const { document, block } = subject;
    const [path, text] = [document.uri.path, document.getText()];
    const read = readConfig(path, text, checkOptionsOf(document));
    const edited = choiceEdit(path, read, block.blockPath, point);
    if (!edited.ok) {
      this.output.showProblem(edited.problem);
      return;
    }
    const { edit, notes } = edited.value;
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, rangeOf(document, edit.span), edit.newText);
    if (!(await vscode.workspace.applyEdit(change))) {
      this.output.showProblem(refused(document));
      return;
    }
    this.#post({ type: "applied", point: index, notes });
  }
}

interface Base {
  readonly base: SweepBase;
  readonly microBatches: readonly number[];
  /** What is simulated, in words. */
  readonly step: string;
  /** Why no choice may be written. */
  readonly unsure: string | undefined;
  /** The job, of which it is asked what fits; absent where only its stack is known. */
  readonly fitJob: FitJob | undefined;
}

async function baseOf({ document, block }: Subject): Promise<Outcome<Base>> {
  const search = await findModel(document, block.modelPath);
  if (search.kind === "none") return fail(search.problem ?? noModel);
  const configJson = await modelConfigText(search.model);
  if (!configJson.ok) return configJson;
  const step = stepOf(document.uri, block);
  const device = simulatedDevice(document.uri);
  const asked = stepRequest(step, device);
  if (!asked.ok) return asked;
  const { microBatch = 1, ...members } = asked.value.members;
  const canDouble = !step.isPacked && microBatch < 2048 && 2 * microBatch * step.seqLen.value <= MOST_TOKENS;
  const base = { configJson: configJson.value, device, ...members };
  const { gradientCheckpointing = true, patterns, cacheLimitGb = 4 } = block;
  const fitJob: FitJob = {
    base,
    microBatch,
    isPacked: step.isPacked,
    gradientCheckpointing,
    patterns: Array.isArray(patterns) ? patterns : [],
    cacheLimitGb,
    canOffload: true,
  };
  return succeed({
    base,
    fitJob: asked.value.stackOnly === undefined ? fitJob : undefined,
    // What the config has, and twice as much where the engine takes it: a smaller peak may pay for a larger batch. No key doubles a packed row.
    microBatches: canDouble ? [microBatch, 2 * microBatch] : [microBatch],
    step: `${stepSentences(step)} ${scopeText(step, asked.value)}`,
    unsure: step.unsure,
  });
}

function titleOf({ document, block }: Subject): string {
  const name = basename(document.uri.path);
  return block.blockPath === "" ? name : `${name}: ${block.blockPath}`;
}

const untrusted = {
  code: "WORKSPACE_UNTRUSTED",
  message: "Nothing is simulated in an untrusted workspace.",
  cause: "It starts a process and reads the paths that the workspace's files name.",
  nextStep: "Trust the workspace first; editing and preview work without.",
};

const noConfig = {
  code: "CONFIG_FOREIGN",
  message: "No configuration with an offload block is open.",
  nextStep: "Open a verl config or VeOmni's training YAML, then try again.",
};

const noModel = {
  code: "MODEL_DIRECTORY_UNKNOWN",
  message: "No model is known for this configuration.",
  nextStep: "Choose the directory with the model's config.json.",
};

function refused(document: vscode.TextDocument) {
  return {
    code: "EDIT_REFUSED",
    message: `The editor did not take the edit of ${basename(document.uri.path)}.`,
    nextStep: "Check that the file may be written, then apply again.",
  };
}
