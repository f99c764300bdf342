import type * as vscode from "vscode";
import { type StepWorkload, stepWorkload } from "../core/base/stepWorkload.js";
import type { OffloadSettings } from "../core/config/document/offloadSettings.js";
import { givenWorkload } from "./settings.js";

/** What runs in a step of a document's block: the settings of profiles, else the block's own figures, else the defaults. */
export function workloadOf(uri: vscode.Uri | undefined, block: OffloadSettings | undefined): StepWorkload {
  return stepWorkload(givenWorkload(uri), block);
}
