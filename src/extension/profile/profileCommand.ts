import * as vscode from "vscode";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { visibleLine } from "../../core/base/visibleText.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import type { EnginePort } from "../../core/profile/childProcess.js";
import { resolveSettings } from "../../core/profile/offloadChoice.js";
import type { ProfileSettings } from "../../core/profile/profileArguments.js";
import { suspectDriver } from "../../core/profile/profilerProblems.js";
import { type FinishedProfile, type ProfilerRun, startProfile } from "../../core/profile/profilerSession.js";
import type { ProfileRequest } from "../../core/profile/request.js";
import { configuredSettings } from "../../core/workload/configuredSettings.js";
import { type BlockAddress, documentOf, subjectIn } from "../document/subject.js";
import { findModel } from "../model/findModel.js";
import { modelConfigText } from "../model/modelConfigText.js";
import type { Output } from "../output.js";
import { profileSettings } from "../settings.js";
import { tell } from "../told.js";
import { blockTextOf, type MeasuredProfiles } from "./measuredProfiles.js";
import { chooseDeviceAndStrategies } from "./profileChoice.js";
import { newProfilePath } from "./savedProfiles.js";
import { showUnsaved } from "./unsavedResult.js";

/** What is profiled: a document with one of its engine blocks, or neither, when only the setting names a model. */
interface Profiled {
  readonly document: vscode.TextDocument | undefined;
  readonly settings: OffloadSettings | undefined;
}

/** The command "Profile Offload": at most one run at a time, progress with a cancel button, result in its editor. */
export class ProfileCommand {
  #running: ProfilerRun | undefined;
  #busy = false;
  #lastSaved: string | undefined;

  constructor(
    private readonly port: EnginePort,
    private readonly storage: vscode.Uri,
    private readonly output: Output,
    private readonly measured: MeasuredProfiles,
  ) {}

  get profilerPid(): number | undefined {
    return this.#running?.pid;
  }

  get lastSaved(): string | undefined {
    return this.#lastSaved;
  }

  /** Stops the run under way, if there is one. */
  cancel(): void {
    this.#running?.cancel();
  }

  /** Resolves when the run has ended and its result, or its one message, has been shown. */
  async run(
    address: BlockAddress | undefined,
    wanted: Pick<ProfileSettings, "device" | "strategies"> = {},
  ): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      const trust = { title: "Manage Workspace Trust", command: "workbench.trust.manage" };
      return this.output.showProblem(untrusted(), trust);
    }
    if (this.#busy) {
      tell("Offload Lens: a profile is already running; cancel it first.");
      return;
    }
    this.#busy = true;
    try {
      await this.#profile(await profiledBy(address), wanted);
    } finally {
      this.#busy = false;
    }
  }

  /** Asks for device and strategies first, and keeps the choice in the settings. */
  async runWith(address: BlockAddress | undefined): Promise<void> {
    const { document } = await profiledBy(address);
    if (await chooseDeviceAndStrategies(document)) await this.run(address);
  }

  async #profile(subject: Profiled, wanted: Pick<ProfileSettings, "device" | "strategies">): Promise<void> {
    const request = await this.#prepare(subject, wanted);
    if (!request.ok) return this.output.showProblem(request.problem, actionFor(request.problem));
    const { document, settings } = subject;
    // The block may be edited while it runs; the numbers belong to what it was.
    const blockText = document && settings && blockTextOf(document, settings);
    const outcome = await this.#runWithProgress(request.value);
    if (!outcome.ok) {
      return this.output.showProblem(suspectDriver(outcome.problem, process.env, request.value.device));
    }
    // What a simulation asked for stands in the lens already.
    if (document && settings && blockText !== undefined && wanted.device === undefined) {
      this.measured.keep(document, settings.blockPath, blockText, outcome.value.result);
    }
    for (const { code, message } of outcome.value.result.warnings) this.output.log.warn(`${code}: ${message}`);
    const { resultJson, saveProblem } = outcome.value;
    if (saveProblem !== undefined) return showUnsaved(resultJson, saveProblem, this.output);
    const { outPath } = request.value;
    if (outPath === undefined) return;
    this.#lastSaved = outPath;
    this.output.log.info(`profile saved: ${outPath}`);
    await vscode.commands.executeCommand("vscode.openWith", vscode.Uri.file(outPath), "offloadLens.profile");
  }

  async #prepare(
    { document, settings }: Profiled,
    wanted: Pick<ProfileSettings, "device" | "strategies">,
  ): Promise<Outcome<ProfileRequest>> {
    const search = await findModel(document, settings?.modelPath);
    if (search.kind === "none") return fail(search.problem ?? noModel(document, settings?.modelPath));
    const configJson = await modelConfigText(search.model);
    if (!configJson.ok) return configJson;
    const given = profileSettings(document?.uri);
    if (!given.ok) return given;
    const device = wanted.device ?? given.value.device ?? "auto";
    const configured = configuredSettings(given.value, settings ?? {}, device);
    if (!configured.ok) return configured;
    for (const note of configured.value.notes) this.output.log.info(note);
    const resolved = resolveSettings(configured.value.settings, settings === undefined ? undefined : [settings]);
    if (!resolved.ok) return resolved;
    const outPath = await newProfilePath(document, this.storage);
    if (!outPath.ok) return outPath;
    return succeed({ configJson: configJson.value, ...resolved.value.settings, ...wanted, outPath: outPath.value });
  }

  async #runWithProgress(request: ProfileRequest): Promise<Outcome<FinishedProfile>> {
    const options = { location: vscode.ProgressLocation.Notification, title: "Profiling offload", cancellable: true };
    return vscode.window.withProgress(options, async (progress, cancellation) => {
      let shown = 0;
      const running = startProfile(this.port, request, ({ fraction, message }) => {
        const percent = Math.floor(fraction * 100);
        progress.report({ message: visibleLine(message), increment: Math.max(0, percent - shown) });
        shown = Math.max(shown, percent);
      });
      this.#running = running;
      const listening = cancellation.onCancellationRequested(() => running.cancel());
      const outcome = await running.outcome;
      listening.dispose();
      this.#running = undefined;
      return outcome;
    });
  }
}

/** What a command is about; without a block, or even a document, the setting may still name a model. */
async function profiledBy(address: BlockAddress | undefined): Promise<Profiled> {
  const document = await documentOf(address);
  const subject = document === undefined ? undefined : await subjectIn(document, address?.blockPath);
  return { document, settings: subject?.block };
}

function actionFor({ code }: Problem): { title: string; command: string } | undefined {
  if (!code.startsWith("MODEL_")) return undefined;
  return { title: "Choose Model", command: "offloadLens.chooseModel" };
}

function untrusted(): Problem {
  return {
    code: "WORKSPACE_UNTRUSTED",
    message: "A profile is not run in an untrusted workspace.",
    cause: "It starts a process and reads the paths that the workspace's files name.",
    nextStep: "Trust the workspace first; editing and preview work without.",
  };
}

function noModel(document: vscode.TextDocument | undefined, writtenPath: string | undefined): Problem {
  const config = document === undefined ? "No config is open" : "The config names none";
  return {
    code: "MODEL_DIRECTORY_UNKNOWN",
    message: "No model directory is known.",
    cause:
      writtenPath === undefined
        ? `${config}, and the setting offloadLens.modelPath is empty.`
        : `The config's model path ${writtenPath} is no directory on this machine, and offloadLens.modelPath is not set.`,
    nextStep:
      document === undefined
        ? "Open a config, or choose a model directory."
        : "Choose the directory with the model's config.json.",
  };
}
