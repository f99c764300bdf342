import type * as vscode from "vscode";
import type { CheckOptions } from "../../core/config/check.js";
import { checkSettings } from "../settings.js";
import { namedModels } from "./namedModels.js";

/** What is known besides the text of a file: what the settings add, and the config.json of its models once it has been read. */
export function checkOptionsOf(document: vscode.TextDocument): CheckOptions {
  const models = namedModels(document);
  return { ...checkSettings(document.uri), ...(models.size > 0 ? { models } : {}) };
}

/** Whether two values of `checkOptionsOf` give the same findings. */
export function areSameOptions(one: CheckOptions, other: CheckOptions): boolean {
  const { layout, hostMemoryBytes, models } = one;
  return layout === other.layout && hostMemoryBytes === other.hostMemoryBytes && models === other.models;
}
