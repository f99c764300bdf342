import { basename } from "node:path";
import * as vscode from "vscode";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { counted } from "../../core/base/quantities.js";
import { visibleLine } from "../../core/base/visibleText.js";
import { asWritten, type HideProblem } from "../../core/modules/source/asWritten.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { dumpTree } from "../../node/pythonDump.js";
import { analyse } from "../document/documentAnalysis.js";
import { decidingBlock, documentAtHand, modelPathFor } from "../document/subject.js";
import { configFileOf, type ExactTrees, sha256OfFile } from "../model/exactTrees.js";
import { findModel } from "../model/findModel.js";
import { announceModelChange } from "../model/modelDirectory.js";
import { type Interpreter, interpreterFor } from "../model/pythonInterpreter.js";
import type { Output } from "../output.js";
import { pythonTimeLimitSeconds, settingKey } from "../settings.js";
import { tell, tellInStatusBar } from "../told.js";

/** What the command works on. */
interface DumpPlan {
  readonly interpreter: Interpreter;
  readonly config: string;
  /** The model, for people. */
  readonly shown: string;
  /** Of the paths of model and interpreter. */
  readonly hide: HideProblem;
  readonly configSha256: string;
  readonly timeLimitSeconds: number;
}

export interface DumpPlaces {
  /** `dump_modules.py`. */
  readonly script: string;
  /** Where dumps are kept between sessions. */
  readonly cacheDirectory: string;
}

/**
 * The command "Build Exact Module Tree with Python": one build at a time, with progress, a cancel button and a time limit. The tree
 * then stands for its model everywhere in the editor, also after a restart, until its config.json changes.
 */
export class ExactTreeCommand implements vscode.Disposable {
  #abort: AbortController | undefined;

  constructor(
    private readonly places: DumpPlaces,
    private readonly exactTrees: ExactTrees,
    private readonly output: Output,
    private readonly isTrusted: () => boolean = () => vscode.workspace.isTrusted,
  ) {}

  /** Whether a build is under way. */
  get isRunning(): boolean {
    return this.#abort !== undefined;
  }

  /** Stops the build under way, if there is one. */
  cancel(): void {
    this.#abort?.abort();
  }

  dispose(): void {
    this.cancel();
  }

  /** Resolves when the tree is in use, or its one message has been shown. */
  async run(): Promise<void> {
    if (!this.isTrusted()) {
      const trust = { title: "Manage Workspace Trust", command: "workbench.trust.manage" };
      return this.output.showProblem(untrusted(), trust);
    }
    if (this.#abort !== undefined) {
      tell("Offload Lens: Python is already building a tree; cancel it first.");
      return;
    }
    this.#abort = new AbortController();
    try {
      await this.#build(await documentAtHand(), this.#abort);
    } finally {
      this.#abort = undefined;
    }
  }

  async #build(document: vscode.TextDocument | undefined, abort: AbortController): Promise<void> {
    const plan = await planFor(document);
    if (!plan.ok) return this.output.showProblem(plan.problem, actionFor(plan.problem));
    const { interpreter, config, configSha256, shown, hide } = plan.value;
    this.output.log.info(`module tree of ${shown} with ${interpreter.shown} (from the ${interpreter.origin})`);
    let dump: string | undefined;
    const tree = await this.#dumpWithProgress(plan.value, abort, (path) => {
      dump = path;
    });
    if (!tree.ok) return this.output.showProblem(hide(tree.problem), actionFor(tree.problem));
    await this.exactTrees.keep(config, configSha256, tree.value, dump);
    announceModelChange();
    this.output.log.info(summaryOf(tree.value));
    tellInStatusBar(`Offload Lens: ${summaryOf(tree.value)}`, 10_000);
  }

  async #dumpWithProgress(
    plan: DumpPlan,
    abort: AbortController,
    onKept: (path: string) => void,
  ): Promise<Outcome<ModuleTree>> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: "Building the module tree with Python",
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, cancellation) => {
      const listening = cancellation.onCancellationRequested(() => abort.abort());
      progress.report({ message: visibleLine(basename(plan.interpreter.shown)) });
      try {
        return await dumpTree({
          ...this.places,
          python: plan.interpreter.path,
          config: plan.config,
          timeLimitSeconds: plan.timeLimitSeconds,
          env: process.env,
          signal: abort.signal,
          onKept,
          onProgress: (message) => progress.report({ message: visibleLine(message) }),
        });
      } finally {
        listening.dispose();
      }
    });
  }
}

function untrusted(): Problem {
  return {
    code: "WORKSPACE_UNTRUSTED",
    message: "Python is not started in an untrusted workspace.",
    cause: "The workspace may name the interpreter and the model, and its interpreter may run any code.",
    nextStep: "Trust the workspace first; the preview from the checkpoint works without.",
  };
}

async function planFor(document: vscode.TextDocument | undefined): Promise<Outcome<DumpPlan>> {
  const timeLimitSeconds = pythonTimeLimitSeconds(document?.uri);
  if (!timeLimitSeconds.ok) return timeLimitSeconds;
  const settings = document === undefined ? [] : (await analyse(document)).settings;
  const search = await findModel(document, modelPathFor(settings, decidingBlock(settings, undefined)));
  if (search.kind === "none") return fail(search.problem ?? noModel());
  const config = await configFileOf(search.model.request);
  const configSha256 = config === undefined ? undefined : await sha256OfFile(config);
  if (config === undefined || configSha256 === undefined) return fail(noConfigFile(search.model.shown));
  const interpreter = await interpreterFor(document?.uri);
  if (!interpreter.ok) return interpreter;
  const { path, shown } = interpreter.value;
  const hideInterpreter = asWritten([{ text: path, shown }]);
  return succeed({
    interpreter: interpreter.value,
    config,
    configSha256,
    timeLimitSeconds: timeLimitSeconds.value,
    shown: search.model.shown,
    hide: (problem) => hideInterpreter(search.model.hide(problem)),
  });
}

function actionFor({ code }: Problem): { title: string; command: string } | undefined {
  if (code === "PYTHON_MISSING" || code === "TRANSFORMERS_MISSING") {
    return { title: "Choose Interpreter", command: "offloadLens.openPythonSetting" };
  }
  if (code.startsWith("MODEL_")) return { title: "Choose Model", command: "offloadLens.chooseModel" };
  return undefined;
}

/** Opens the setting that names the interpreter. */
export async function openPythonSetting(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", settingKey("python"));
}

function summaryOf(tree: ModuleTree): string {
  return `exact module tree of ${tree.architecture ?? "the model"} from Python, ${counted(tree.modules.length, "module")}`;
}

function noModel(): Problem {
  return {
    code: "MODEL_DIRECTORY_UNKNOWN",
    message: "No model is known whose tree Python could build.",
    nextStep: "Open a config that names a model on this machine, or choose a model.",
  };
}

function noConfigFile(shown: string): Problem {
  return {
    code: "MODEL_CONFIG_MISSING",
    message: `There is no config.json of ${shown} on this machine.`,
    cause: "Python builds the model from that file.",
    nextStep: "Choose the directory of the model.",
  };
}
