import * as vscode from "vscode";
import { DEVICE_CHOICES } from "../../core/profile/deviceChoices.js";
import { describeStrategy, STRATEGY_NAMES } from "../../core/profile/strategies.js";
import { deviceAndStrategies, storeSettings } from "../settings.js";
import { pickable } from "../told.js";

/** Asks for device and strategies, with the present choice in front, and keeps them in the settings. False: dismissed. */
export async function chooseDeviceAndStrategies(document: vscode.TextDocument | undefined): Promise<boolean> {
  const device = await chooseDevice(document);
  if (device === undefined) return false;
  const strategies = await chooseStrategies(document);
  if (strategies === undefined || strategies.length === 0) return false;
  await storeSettings({ "profile.device": device, "profile.strategies": strategies });
  return true;
}

async function chooseDevice(document: vscode.TextDocument | undefined): Promise<string | undefined> {
  const known = deviceAndStrategies(document?.uri);
  const present = known.ok ? known.value.device : undefined;
  const choices = DEVICE_CHOICES.map(({ device, label, description }) => ({ device, label, description }));
  // A profile that a calibration wrote is no choice of ours, but one to keep.
  if (present !== undefined && !choices.some(({ device }) => device === present)) {
    choices.push({ device: present, label: present, description: "of the settings" });
  }
  const items = choices
    .map((choice) => ({ ...choice, detail: choice.device === present ? "chosen last" : "" }))
    .sort((a, b) => Number(b.device === present) - Number(a.device === present));
  const chosen = await vscode.window.showQuickPick(pickable(items), {
    title: "Profile Offload (1/2)",
    placeHolder: "Device",
    matchOnDescription: true,
  });
  return chosen?.device;
}

async function chooseStrategies(document: vscode.TextDocument | undefined): Promise<readonly string[] | undefined> {
  const known = deviceAndStrategies(document?.uri);
  const present = known.ok ? (known.value.strategies ?? []) : [];
  const items = STRATEGY_NAMES.map((label) => ({
    label,
    description: describeStrategy(label),
    picked: present.includes(label),
  }));
  const chosen = await vscode.window.showQuickPick(pickable(items), {
    title: "Profile Offload (2/2)",
    placeHolder: "Strategies, compared with none",
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen?.map(({ label }) => label);
}
