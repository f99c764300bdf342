import { totalmem } from "node:os";
import * as vscode from "vscode";
import type { CheckOptions } from "../../core/config/check.js";
import { isLayoutId } from "../../core/config/veomni/layout.js";

const LAYOUT_SETTING = "offloadLens.layout";
const HOST_MEMORY_SETTING = "offloadLens.hostMemoryGb";

/** What the settings add to a file: its layout where it pins none, and the memory of the machine that trains. */
export function checkOptionsOf(document: vscode.TextDocument): CheckOptions {
  const configuration = vscode.workspace.getConfiguration(undefined, document.uri);
  const layout = configuration.get<unknown>(LAYOUT_SETTING);
  const hostMemoryGb = configuration.get<unknown>(HOST_MEMORY_SETTING);
  return {
    hostMemoryBytes: typeof hostMemoryGb === "number" && hostMemoryGb > 0 ? hostMemoryGb * 2 ** 30 : totalmem(),
    ...(typeof layout === "string" && isLayoutId(layout) ? { layout } : {}),
  };
}

/** True when a change of settings changes what `checkOptionsOf` gives. */
export function affectsCheckOptions(change: vscode.ConfigurationChangeEvent): boolean {
  return [LAYOUT_SETTING, HOST_MEMORY_SETTING].some((setting) => change.affectsConfiguration(setting));
}
