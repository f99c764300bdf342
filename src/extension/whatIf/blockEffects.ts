import * as vscode from "vscode";
import type { Outcome } from "../../core/base/outcome.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { type EffectFigures, effectFigures } from "../../core/effect/effectFigures.js";
import { effectRequest } from "../../core/effect/effectRequest.js";
import type { ProfileRequest } from "../../core/profile/request.js";
import type { ProfileResult } from "../../core/profile/result.js";
import type { Simulator } from "../../core/profile/simulator.js";
import { type FoundModel, findModel } from "../model/findModel.js";
import { modelConfigText } from "../model/modelConfigText.js";
import { whenModelMayChange } from "../model/modelDirectory.js";
import { simulatedDevice, whenSettingsChange } from "../settings.js";
import { stepOf } from "../stepWorkload.js";

/** Answers that are kept: what stands in the open documents, and what an undo brings back. */
const MOST_KNOWN = 64;
/** config.json of a model hardly ever changes; it is read again after this time. */
const CONFIG_AGE_MS = 5_000;

/**
 * What the offload of an engine block will do, from the simulator. One answer per request is kept; of one block only the newest
 * question waits. Features that draw ask `effectOf`, and `onDidChange` tells them to ask again.
 */
export class BlockEffects implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #answers = new Map<string, Outcome<ProfileResult>>();
  readonly #asked = new Map<string, Promise<Outcome<ProfileResult>>>();
  readonly #configs = new Map<string, { readonly readAt: number; readonly text: Outcome<string> }>();
  /** A package for every platform has none: then there is nothing to show, and nothing to complain about. */
  #isEngineMissing = false;
  readonly #listeners: vscode.Disposable;

  constructor(private readonly simulator: Simulator) {
    this.#listeners = vscode.Disposable.from(
      whenModelMayChange(() => this.#changed.fire()),
      whenSettingsChange(["simulation.device", "profile"], () => this.#changed.fire()),
    );
  }

  /**
   * The effect of a block, waited for; `undefined` where there is nothing to simulate: offload is off, no model is known, or the
   * workspace is not trusted (the simulator is a process).
   */
  async effectOf(
    document: vscode.TextDocument,
    settings: OffloadSettings,
  ): Promise<Outcome<EffectFigures> | undefined> {
    if (!vscode.workspace.isTrusted || settings.enabled !== true || this.#isEngineMissing) return undefined;
    const configJson = await this.configJsonOf(document, settings);
    if (configJson === undefined) return undefined;
    const step = stepOf(document.uri, settings);
    const question = effectRequest(configJson, settings, step, simulatedDevice(document.uri));
    if (question === undefined || !question.ok) return question;
    const { request } = question.value;
    // The request alone: where its figures stand in the text changes with every line typed above them.
    const key = JSON.stringify(request);
    const answer =
      this.#answers.get(key) ??
      (await (this.#asked.get(key) ?? this.#ask(key, request, `${document.uri.toString()}\n${settings.blockPath}`)));
    if (this.#isEngineMissing) return undefined;
    return answer.ok ? effectFigures(answer.value, question.value) : answer;
  }

  /** Text of the config.json of a block's model; `undefined` where none is known or none can be simulated. */
  async configJsonOf(document: vscode.TextDocument, { modelPath }: OffloadSettings): Promise<string | undefined> {
    if (this.#isEngineMissing) return undefined;
    const search = await findModel(document, modelPath);
    if (search.kind === "none") return undefined;
    const text = await this.#configText(search.model);
    return text.ok ? text.value : undefined;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#listeners.dispose();
  }

  #ask(key: string, request: ProfileRequest, block: string): Promise<Outcome<ProfileResult>> {
    const answer = this.simulator.simulate(request, block).then((outcome) => {
      this.#asked.delete(key);
      this.#isEngineMissing ||= !outcome.ok && outcome.problem.code === "PROFILER_LOAD_FAILED";
      const isLasting = outcome.ok || !TRANSIENT.includes(outcome.problem.code);
      if (isLasting) this.#keep(key, outcome);
      return outcome;
    });
    this.#asked.set(key, answer);
    return answer;
  }

  #keep(key: string, answer: Outcome<ProfileResult>): void {
    const [oldest] = this.#answers.keys();
    if (this.#answers.size >= MOST_KNOWN && oldest !== undefined) this.#answers.delete(oldest);
    this.#answers.set(key, answer);
  }

  async #configText(model: FoundModel): Promise<Outcome<string>> {
    const key = JSON.stringify(model.request);
    const known = this.#configs.get(key);
    if (known !== undefined && Date.now() - known.readAt < CONFIG_AGE_MS) return known.text;
    const text = await modelConfigText(model);
    this.#configs.clear();
    this.#configs.set(key, { readAt: Date.now(), text });
    return text;
  }
}

/** Of the process, not of the request. */
const TRANSIENT = [
  "SIMULATION_SUPERSEDED",
  "SIMULATION_TOO_LONG",
  "PROFILER_CRASHED",
  "PROFILER_KILLED",
  "PROFILER_START_FAILED",
];
