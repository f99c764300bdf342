import type * as vscode from "vscode";
import type { CheckOptions } from "../../core/config/check.js";
import { checkSettings } from "../settings.js";
import { namedModels } from "./namedModels.js";
import { launchesOf } from "./workspaceLaunches.js";

/**
 * What is known besides the text of a file: what the settings add, and, once they have been read, the config.json of its models and the
 * scripts that start it.
 */
export function checkOptionsOf(document: vscode.TextDocument): CheckOptions {
  const models = namedModels(document);
  const launches = launchesOf(document);
  return {
    ...checkSettings(document.uri),
    ...(models.size > 0 ? { models } : {}),
    ...(launches.length > 0 ? { launches } : {}),
  };
}

/** Whether two values of `checkOptionsOf` give the same findings. */
export function areSameOptions(one: CheckOptions, other: CheckOptions): boolean {
  const { layout, hostMemoryBytes, models, launches } = one;
  return (
    layout === other.layout &&
    hostMemoryBytes === other.hostMemoryBytes &&
    models === other.models &&
    launches === other.launches
  );
}
