import { totalmem } from "node:os";
import * as vscode from "vscode";
import { fail, type Outcome, type Problem, succeed } from "../core/base/outcome.js";
import type { CheckOptions } from "../core/config/check.js";
import { isLayoutId } from "../core/config/veomni/layout.js";
import { isDeviceName } from "../core/profile/deviceChoices.js";
import type { ProfileSettings } from "../core/profile/profileArguments.js";
import { DEFAULT_STRATEGIES, isStrategyName, STRATEGY_NAMES, type StrategyName } from "../core/profile/strategies.js";
import type { GivenStep } from "../core/workload/jobStep.js";

/*
 * Every setting of the extension, read and written here and nowhere else. `settings.json` takes values of any type, so each
 * reading says what it does with one that is no use: it counts as absent, or a command refuses it with `SETTING_INVALID`.
 */

const SECTION = "offloadLens";

/** The settings by their names behind `offloadLens.`, with the values that hold where nobody sets one: those of package.json. */
export const SETTING_DEFAULTS = {
  modelPath: "",
  "profile.device": "auto",
  "profile.strategies": DEFAULT_STRATEGIES,
  "profile.seqLen": null,
  "profile.microBatch": null,
  "profile.steps": null,
  "profile.layers": null,
  "profile.ranks": null,
  "simulation.device": "H200",
  layout: "auto",
  hostMemoryGb: null,
  python: "",
  pythonTimeLimitSeconds: 300,
} as const satisfies Readonly<Record<string, unknown>>;

export type SettingName = keyof typeof SETTING_DEFAULTS;

const LONGEST_TIME_LIMIT_SECONDS = 86_400;

/** A setting as users see it: `offloadLens.python`. */
export function settingKey(name: SettingName): string {
  return `${SECTION}.${name}`;
}

/** Path or id of the model for configs whose own is not on this machine; empty where nobody named one. */
export function modelPathSetting(uri: vscode.Uri | undefined): string {
  return textOf("modelPath", uri);
}

/** The interpreter for exact module trees as it is written; empty where the Python extension or `PATH` decides. */
export function pythonSetting(uri: vscode.Uri | undefined): string {
  return textOf("python", uri);
}

/** Seconds after which a build with Python is stopped. Fails with `SETTING_INVALID`. */
export function pythonTimeLimitSeconds(uri: vscode.Uri | undefined): Outcome<number> {
  const value = read("pythonTimeLimitSeconds", uri) ?? SETTING_DEFAULTS.pythonTimeLimitSeconds;
  if (isCount(value) && value <= LONGEST_TIME_LIMIT_SECONDS) return succeed(value);
  const cause = `It has to be a whole number of seconds from 1 to ${LONGEST_TIME_LIMIT_SECONDS}.`;
  return fail(
    invalid("pythonTimeLimitSeconds", value, cause, "Correct it in the settings, or remove it for the default."),
  );
}

/** What the settings add to a file: its layout where it pins none, and the memory of the machine that trains. */
export function checkSettings(uri: vscode.Uri): CheckOptions {
  const layout = read("layout", uri);
  const hostMemoryGb = read("hostMemoryGb", uri);
  return {
    hostMemoryBytes: typeof hostMemoryGb === "number" && hostMemoryGb > 0 ? hostMemoryGb * 2 ** 30 : totalmem(),
    ...(typeof layout === "string" && isLayoutId(layout) ? { layout } : {}),
  };
}

/** The figures of a step as they are written; `jobStep` judges them. */
export function givenWorkload(uri: vscode.Uri | undefined): GivenStep {
  return {
    seqLen: read("profile.seqLen", uri),
    microBatch: read("profile.microBatch", uri),
    layers: read("profile.layers", uri),
    ranks: read("profile.ranks", uri),
  };
}

/** `sim:NAME` of the device that lens, hints and What If simulate. */
export function simulatedDevice(uri: vscode.Uri | undefined): string {
  const name = textOf("simulation.device", uri);
  return `sim:${name === "" ? SETTING_DEFAULTS["simulation.device"] : name}`;
}

/** Device and strategies of a profile. Fails with `SETTING_INVALID`. */
export function deviceAndStrategies(
  uri: vscode.Uri | undefined,
): Outcome<Pick<ProfileSettings, "device" | "strategies">> {
  const device = read("profile.device", uri);
  if (typeof device !== "string" || !isDeviceName(device)) {
    return fail(
      invalid("profile.device", device, "It has to be auto, cuda, cpu or sim: with a name, such as sim:H200."),
    );
  }
  const strategies = read("profile.strategies", uri);
  if (!Array.isArray(strategies) || strategies.length === 0 || !strategies.every(isKnownStrategy)) {
    return fail(invalid("profile.strategies", strategies, `It has to be a list of ${STRATEGY_NAMES.join(", ")}.`));
  }
  return succeed({ device, strategies });
}

/** Everything that a profile takes from the settings. Fails with `SETTING_INVALID`. */
export function profileSettings(uri: vscode.Uri | undefined): Outcome<ProfileSettings> {
  const seqLen = countAt("profile.seqLen", uri);
  if (!seqLen.ok) return seqLen;
  const microBatch = countAt("profile.microBatch", uri);
  if (!microBatch.ok) return microBatch;
  const steps = countAt("profile.steps", uri);
  if (!steps.ok) return steps;
  const layers = countAt("profile.layers", uri);
  if (!layers.ok) return layers;
  const ranks = countAt("profile.ranks", uri);
  if (!ranks.ok) return ranks;
  const chosen = deviceAndStrategies(uri);
  if (!chosen.ok) return chosen;
  return succeed({
    ...chosen.value,
    ...(seqLen.value === undefined ? {} : { seqLens: [seqLen.value] }),
    ...(microBatch.value === undefined ? {} : { microBatch: microBatch.value }),
    ...(steps.value === undefined ? {} : { steps: steps.value }),
    ...(layers.value === undefined ? {} : { layers: layers.value }),
  });
}

/** Writes settings of the workspace, or of the user where no folder is open. */
export async function storeSettings(values: Partial<Readonly<Record<SettingName, unknown>>>): Promise<void> {
  const hasFolder = vscode.workspace.workspaceFolders?.[0] !== undefined;
  const target = hasFolder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  const configuration = vscode.workspace.getConfiguration(SECTION);
  for (const [name, value] of Object.entries(values)) await configuration.update(name, value, target);
}

/** Calls back when one of these settings changes; `profile` stands for all that begin with it. */
export function whenSettingsChange(
  names: readonly (SettingName | "profile")[],
  changed: () => void,
): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (names.some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) changed();
  });
}

function read(name: SettingName, uri: vscode.Uri | undefined): unknown {
  const value = vscode.workspace.getConfiguration(SECTION, uri).get<unknown>(name);
  return value === undefined ? SETTING_DEFAULTS[name] : value;
}

function textOf(name: SettingName, uri: vscode.Uri | undefined): string {
  const value = read(name, uri);
  return typeof value === "string" ? value.trim() : "";
}

/** A whole number of at least 1, or `undefined` where none is set. */
function countAt(name: SettingName, uri: vscode.Uri | undefined): Outcome<number | undefined> {
  const value = read(name, uri) ?? undefined;
  if (value === undefined || isCount(value)) return succeed(value);
  const cause = "It has to be a whole number of at least 1.";
  return fail(invalid(name, value, cause, "Correct it in the settings, or remove it for the default."));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

function isKnownStrategy(name: unknown): name is StrategyName {
  return typeof name === "string" && isStrategyName(name);
}

function invalid(
  name: SettingName,
  value: unknown,
  cause: string,
  nextStep = "Correct it in the settings, or choose with the command Profile Offload With….",
): Problem {
  const message = `${settingKey(name)} is ${JSON.stringify(value)?.slice(0, 80)}.`;
  return { code: "SETTING_INVALID", message, cause, nextStep };
}
