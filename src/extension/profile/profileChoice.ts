import * as vscode from "vscode";
import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import { DEVICE_CHOICES, isDeviceName } from "../../core/profile/deviceChoices.js";
import type { ProfileSettings } from "../../core/profile/profileArguments.js";
import { describeStrategy, isStrategyName, STRATEGY_NAMES, type StrategyName } from "../../core/profile/strategies.js";

const SECTION = "offloadLens.profile";

/** Device and strategies of the settings. Both strategies by default, whether or not the config has offload on: does it pay? */
export function chosenDeviceAndStrategies(
  document: vscode.TextDocument | undefined,
): Outcome<Pick<ProfileSettings, "device" | "strategies">> {
  const configuration = vscode.workspace.getConfiguration(SECTION, document?.uri);
  const device = configuration.get<unknown>("device");
  if (typeof device !== "string" || !isDeviceName(device)) {
    return fail(invalid("device", device, "It has to be auto, cuda, cpu or sim: with a name, such as sim:H200."));
  }
  const strategies = configuration.get<unknown>("strategies");
  if (!Array.isArray(strategies) || strategies.length === 0 || !strategies.every(isKnown)) {
    return fail(invalid("strategies", strategies, `It has to be a list of ${STRATEGY_NAMES.join(", ")}.`));
  }
  return succeed({ device, strategies });
}

/** Asks for device and strategies, with the present choice in front, and keeps them in the settings. False: dismissed. */
export async function chooseDeviceAndStrategies(document: vscode.TextDocument | undefined): Promise<boolean> {
  const device = await chooseDevice(document);
  if (device === undefined) return false;
  const strategies = await chooseStrategies(document);
  if (strategies === undefined || strategies.length === 0) return false;
  const hasFolder = vscode.workspace.workspaceFolders?.[0] !== undefined;
  const target = hasFolder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  const configuration = vscode.workspace.getConfiguration(SECTION);
  await configuration.update("device", device, target);
  await configuration.update("strategies", strategies, target);
  return true;
}

async function chooseDevice(document: vscode.TextDocument | undefined): Promise<string | undefined> {
  const known = chosenDeviceAndStrategies(document);
  const present = known.ok ? known.value.device : undefined;
  const choices = DEVICE_CHOICES.map(({ device, label, description }) => ({ device, label, description }));
  // A profile that a calibration wrote is no choice of ours, but one to keep.
  if (present !== undefined && !choices.some(({ device }) => device === present)) {
    choices.push({ device: present, label: present, description: "of the settings" });
  }
  const items = choices
    .map((choice) => ({ ...choice, detail: choice.device === present ? "chosen last" : "" }))
    .sort((a, b) => Number(b.device === present) - Number(a.device === present));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Profile Offload (1/2)",
    placeHolder: "Device",
    matchOnDescription: true,
  });
  return chosen?.device;
}

async function chooseStrategies(document: vscode.TextDocument | undefined): Promise<readonly string[] | undefined> {
  const known = chosenDeviceAndStrategies(document);
  const present = known.ok ? (known.value.strategies ?? []) : [];
  const items = STRATEGY_NAMES.map((label) => ({
    label,
    description: describeStrategy(label),
    picked: present.includes(label),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Profile Offload (2/2)",
    placeHolder: "Strategies, compared with none",
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen?.map(({ label }) => label);
}

function isKnown(name: unknown): name is StrategyName {
  return typeof name === "string" && isStrategyName(name);
}

function invalid(name: string, value: unknown, cause: string) {
  return {
    code: "SETTING_INVALID",
    message: `${SECTION}.${name} is ${JSON.stringify(value)?.slice(0, 80)}.`,
    cause,
    nextStep: "Correct it in the settings, or choose with the command Profile Offload With….",
  };
}
